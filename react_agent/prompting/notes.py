"""Words for what a model is shown no more: the notice, the lines of an extract, the order to write a summary.

In: facts taken from the history, which are data.  Out: text in which nothing can be taken for protocol.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Literal

from . import files
from .defang import defang

Gist = Literal["asked", "answered", "done"]
MAX_RECALLED = 300
"""Characters of an earlier task or answer."""


@functools.lru_cache(maxsize=64)
def truncated(lang: str, dropped: int, summary: str = "") -> str:
    """Stands where `dropped` messages of an over-long history were left out, with what is known from them."""
    return files.fill(lang, "truncated", dropped=dropped, summary=defang(summary))


def gist(lang: str, kind: Gist, text: str, call: str = "") -> str:
    """One line of notes: what the user asked, what was answered, or what a call gave."""
    return files.fill(lang, "gist", kind=kind, text=text, call=call)


def summary_order(lang: str, lines: int) -> str:
    """Tells a model to write a summary of at most `lines` lines."""
    return files.fill(lang, "summary", lines=lines)


def left_out(lang: str, count: int, handle: str, pages: int) -> str:
    """Stands in a result where `count` characters were left out, which can be read under `handle`."""
    return f"\n{files.fill(lang, 'left_out', count=count, handle=handle, pages=pages).strip()}\n"


def recalled(lang: str, hits: Iterable[tuple[str, str]]) -> str:
    """What earlier runs have to say on a task: (task, answer) pairs, each on one line of bounded length."""
    shown = [{"task": _clipped(task), "answer": _clipped(answer)} for task, answer in hits]
    return files.fill(lang, "recalled", hits=shown) if shown else ""


def _clipped(text: str) -> str:
    text = defang(" ".join(text.split()))
    return text if len(text) <= MAX_RECALLED else text[: MAX_RECALLED - 1] + "…"
