"""The numbers that were said in a run: each text is read once, however often they are asked for.

In: the history, which only grows, and what stands before it.  Out: `Numbers`.  Numbers in words («twenty», «四十») are not
worked out; that there are any is noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from react_agent.messages import Message, ToolSpec

from .words import chinese, either, english

NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"\w+")
_THOUSANDS = re.compile(r"[,，' ](?<=\d.)(?=\d{3}(?!\d))")
_SUM = re.compile(r"(?=.*\d\s*[-+*/÷×^%])[\d\s.,()+*/÷×^%-]+")
_IN_CHINESE = either(chinese.NUMBERS)


@dataclass(slots=True)
class Numbers:
    """`known` are those in digits, `in_words` says whether there are others."""

    known: set[float] = field(default_factory=set)
    in_words: bool = False

    def read(self, text: str) -> None:
        """Take in those of a text."""
        self.in_words = self.in_words or _has_words(text)
        self.known.update(map(float, NUMBER.findall(text)))
        if _THOUSANDS.search(text) is not None:
            self.known.update(map(float, NUMBER.findall(_THOUSANDS.sub("", text))))


def _has_words(text: str) -> bool:
    """Whether a number of the text is written in words."""
    if not english.NUMBERS.isdisjoint(_WORD.findall(text.casefold())):
        return True
    return not text.isascii() and _IN_CHINESE.search(text) is not None


class Said:
    """What one run has said so far: its instructions and conversation, and the schemas of its tools."""

    def __init__(self, instructions: str = "") -> None:
        self._conversation = numbers_of(instructions)
        self._upto = 0
        self._schemas: dict[str, Numbers] = {}

    def conversation(self, history: Sequence[Message]) -> Numbers:
        """The numbers of the instructions and a history, which is the one asked about before, or has grown since."""
        for message in history[self._upto :]:
            self._conversation.read(message.result.content if message.result else message.content)
        self._upto = len(history)
        return self._conversation

    def schema(self, spec: ToolSpec) -> Numbers:
        """The numbers in the schema of a tool."""
        if spec.name not in self._schemas:
            self._schemas[spec.name] = numbers_of(json.dumps(spec.parameters, ensure_ascii=False))
        return self._schemas[spec.name]


def numbers_of(text: str) -> Numbers:
    """The numbers of a text.

    >>> sorted(numbers_of("3 of 1,024, or two dozen").known), numbers_of("two dozen").in_words
    ([1.0, 3.0, 24.0, 1024.0], True)
    """
    numbers = Numbers()
    numbers.read(text)
    return numbers


def is_sum(value: object) -> bool:
    """Whether a value is text that reckons with numbers and holds nothing else.

    >>> is_sum("(37 + 58) * 46"), is_sum("37"), is_sum("sum(a)"), is_sum(37)
    (True, False, False, False)
    """
    return isinstance(value, str) and _SUM.fullmatch(value) is not None
