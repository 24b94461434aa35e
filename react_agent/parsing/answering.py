"""An answer in a value behind an action label: where does it begin, and what of it is certain?

Action: {"type": "final_answer", "content": "It opens…

In: a reply and where the value starts.  Out: `Begun`, read by the same `Opening` that tells such an answer while it is being
written.  So what was shown of an answer is always the beginning of the answer, also where the value breaks off, writes a key
twice, or holds marks that would mean something elsewhere.  How the whole value reads is left to `bodies`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .bodies import Found, WrittenAnswer
from .buffer import Buffer
from .names import ToolNames
from .opening import Opening
from .places import LABELLED_LINE
from .shapes import ANSWER_WORD_KEYS, is_answer_word
from .words import any_of

_HEAD = 2_000
"""So far behind the label the word stands that makes a value an answer."""
_WORD = re.compile(rf'"{any_of(ANSWER_WORD_KEYS)}"\s*:\s*"([^"\\\n]{{1,40}})"')
_CLOSED = re.compile(r'"(?:\s{0,40}[,}]|[^"\n]*(?:\n|\Z))')
"""A quotation mark that ends the answer: the value goes on behind it, or no other one follows on its line."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The text of an answer in text[start:end], up to the first quotation mark, line break or end; `closed` when that quotation
    mark ends it."""

    text: str
    start: int
    end: int
    closed: bool

    def among(self, written: list[Found]) -> WrittenAnswer:
        """The answer as the whole value reads, where that goes on from here, else what is certain of it."""
        first = written[0] if written else None
        if isinstance(first, WrittenAnswer) and not first.cut and first.text.strip().startswith(self.text.strip()):
            return first
        return WrittenAnswer(self.text, self.start, self.end, cut=not self.closed)


class _Listener:
    """Hears what `Opening` tells of an answer."""

    full = False

    def __init__(self) -> None:
        self.heard: list[str] = []

    def started(self, name: str, at: int) -> None:
        pass

    def arguments(self, start: int, end: int) -> None:
        pass

    def answered(self, text: str) -> None:
        self.heard.append(text)


def begun_answer(text: str, start: int, names: ToolNames) -> Begun | None:
    """The answer that begins in the value at `start`, None when none does."""
    if not any(is_answer_word(match[1]) for match in _WORD.finditer(text, start, start + _HEAD)):
        return None
    listener = _Listener()
    opening = Opening(Buffer.whole(text), start, names, listener, LABELLED_LINE)
    opening.read_body(answers=True)
    opening.advance()
    if not listener.heard:
        return None
    return Begun("".join(listener.heard), start, opening.position, _CLOSED.match(text, opening.position) is not None)
