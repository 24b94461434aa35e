"""The dialects: a small file each, and this table.

`DIALECTS` lists those that can be written (asked of a model, and shown to it in examples); `OPENERS` is every literal that
opens something, from all files.  `for_model` guesses from the name of a model.
"""

from __future__ import annotations

from collections.abc import Sequence

from react_agent.errors import UsageError
from react_agent.messages import Call

from . import action_json, fenced_json, hermes, react, wrappers, zh_json_steps
from .dialect import Dialect, Opener
from .models import for_model

__all__ = ["ALL", "DIALECTS", "OPENERS", "Dialect", "Opener", "for_model", "render"]

ALL: tuple[Dialect, ...] = (
    zh_json_steps.DIALECT,
    action_json.DIALECT,
    react.DIALECT,
    hermes.DIALECT,
    fenced_json.DIALECT,
    wrappers.DIALECT,
)

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in ALL if dialect.call is not None}

OPENERS: dict[str, Opener] = {opener.literal: opener for dialect in ALL for opener in dialect.openers}


def render(dialect: str, *, thought: str = "", calls: Sequence[Call] = (), answer: str | None = None, lang: str = "zh") -> str:
    """A turn as a model of this dialect would write it; what `parse` reads back.

    Raises:
        UsageError: no dialect of that name can be written.
    """
    known = DIALECTS.get(dialect)
    if known is None or known.call is None or known.answer is None or known.thought is None:
        raise UsageError(f"no dialect {dialect!r} to write; expected one of {', '.join(DIALECTS)}")
    parts = [known.thought(thought, lang)] if thought else []
    if len(calls) > 1 and known.many is not None:
        parts.append(known.many(list(calls), lang))
    else:
        parts.append("\n".join(known.call(call, lang) for call in calls))
    if answer is not None:
        parts.append(known.answer(answer, lang))
    return "".join(parts)
