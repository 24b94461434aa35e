"""The parts of a reply, as the scanner finds them: where they stand, not yet what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from react_agent.repair.reader import Read

SegmentKind = Literal[
    "text",  # prose
    "doc",  # a quotation, a table row, inline code
    "think",  # reasoning between its marks
    "unthink",  # a closing mark without an opener: all before it was reasoning
    "label",  # a ReAct label; its content is what follows, up to the next label
    "call",  # a wrapper around a body
    "fence",  # a code fence
    "value",  # a JSON-like value at the start of a line or behind a label
    "python",  # `name(` or `[name(` at the start of a line
    "observe",  # the mark of a tool's result
    "answer",  # the mark of the answer
    "end",  # the turn is over
    "noise",  # a token without meaning
]


@dataclass(frozen=True, slots=True)
class Segment:
    """text[start:end], with text[inner:until] between its marks; `closed` when its closing mark was there.

    `dialect` is the opener's; `word` the kind of a label or the name in a header; `strong` whether a label counts anywhere;
    `read` the value of a "value".
    """

    kind: SegmentKind
    start: int
    end: int
    inner: int = 0
    until: int = 0
    closed: bool = True
    dialect: str = ""
    word: str = ""
    strong: bool = True
    read: Read | None = None
