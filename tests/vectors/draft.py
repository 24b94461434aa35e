"""Drafts the vectors of a new dialect: `python -m tests.vectors.draft NAME >> tests/vectors/dialects.jsonl`.

Good, prose, parallel and cut come from what the dialect writes.  What models make of it, and what only looks like it, cannot be
made up by a program: those two lines come with `…` to fill in.  Every line is to be read before it is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from react_agent.messages import Call
from react_agent.parsing.dialects import DIALECTS, render

ONE = Call("weigh_crate", {"crate": "K-104"})
TWO = (ONE, Call("贴标签", {"文字": "轻放"}))
LONG = Call("贴标签", {"文字": "Keep dry & upright"})


def drafts(dialect: str) -> Iterator[dict[str, Any]]:
    """The cases, one of each kind."""
    one, long = render(dialect, calls=[ONE], lang="en"), render(dialect, calls=[LONG], lang="en")
    yield _case(dialect, "good", one, (ONE,), "canonical")
    gap = " " if any(one.startswith(opener.literal) for opener in DIALECTS[dialect].openers) else "\n\n"
    yield _case(dialect, "prose", f"Let me weigh it.{gap}{one}", (ONE,), "a sentence in front")
    yield _case(dialect, "parallel", render(dialect, calls=TWO, lang="en"), TWO, "several calls in one turn")
    yield _case(dialect, "cut", long[: long.index("upright")], (), "cut inside a text value", answer=None, cut=True)
    yield _case(dialect, "malformed", "…", (ONE,), "…")
    yield _case(dialect, "lookalike", "…", (), "…")


def _case(dialect: str, kind: str, text: str, calls: tuple[Call, ...], why: str, **expect: Any) -> dict[str, Any]:
    reads_as = DIALECTS[dialect].reads_as
    wanted = [{"name": call.name, "arguments": call.arguments, "dialect": reads_as} for call in calls]
    return {
        "id": f"{dialect}:{kind}",
        "dialect": dialect,
        "kind": kind,
        "tools": "depot",
        "text": text,
        "expect": {"calls": wanted, **expect},
        "why": why,
        "source": "format",
    }


if __name__ == "__main__":
    for case in drafts(sys.argv[1]):
        print(json.dumps(case, ensure_ascii=False))
