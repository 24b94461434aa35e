"""Steps through valid JSON that is still being written.

In: a buffer, where to start, and marks that end the text.  Out: a base for readers, each step a generator that waits for text.
`told` is given the stretches that were marked for telling, as far as the position has come.  Whatever is not valid raises
`UnknownForm`, so a reader stops at the same place for every cut of a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from .buffer import Buffer, Marks, Reading
from .growing import GrowingJson

_IN_STRING = re.compile(r'(?:[^"\\\x00-\x1f]+|\\[^\x00-\x1f])*')
_SPACE = re.compile(r"\s*")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class UnknownForm(Exception):  # noqa: N818  ends a reading, never seen outside
    """Something stands here that the reader does not know."""


class Steps:
    """A position in a growing text, and the steps it can take."""

    def __init__(self, buffer: Buffer, start: int, closers: Marks, told: Callable[[int, int], None]) -> None:
        self._buffer = buffer
        self._closers = closers
        self._telling = told
        self._start = self._at = self._searched = self._limit = start
        self._end: int | None = None
        self._told = -1

    @property
    def position(self) -> int:
        """Up to where the text was read."""
        return self._at

    @property
    def open(self) -> bool:
        """No closing mark was found so far."""
        return self._end is None

    def _certain(self) -> int:
        """Up to where the text surely belongs to the body."""
        if self._end is None:
            self._search_end(self._buffer.text)
        return self._searched if self._end is None else self._end

    def _search_end(self, text: str) -> None:
        at = self._closers.next_place(text, self._searched)
        if at == len(text):
            self._searched = at
        elif (found := self._buffer.first(self._closers, at)) is not None:
            self._end = found.start()
        else:
            near = max(at, len(text) - self._closers.reach)
            self._searched = len(text) if self._buffer.closed else self._closers.unsure_from(text, near)

    def _char(self) -> Reading[str]:
        """The character at the position, once it is there."""
        while self._at >= self._limit:
            self._flush()
            yield
        return self._buffer.text[self._at]

    def _solid(self) -> Reading[str]:
        """The next character that is no blank."""
        while True:
            match = _SPACE.match(self._buffer.text, self._at, self._limit)
            self._at = match.end() if match else self._at
            if self._at < self._limit:
                return self._buffer.text[self._at]
            self._flush()
            yield

    def _expect(self, char: str) -> Reading[None]:
        if (yield from self._solid()) != char:
            raise UnknownForm
        self._at += 1

    def _flush(self) -> None:
        """Tell the arguments up to the position."""
        if 0 <= self._told < self._at:
            self._telling(self._told, self._at)
            self._told = self._at

    # --- values -------------------------------------------------------------------------------------------------------

    def _value(self) -> Reading[int]:
        """Step over a value that is valid but for what its backslashes stand for; its end."""
        yield from self._solid()
        growing = GrowingJson(self._at, any_escape=True)
        while True:
            growth = growing.advance(self._buffer.text, self._limit)
            self._at = growing.at
            match growth:
                case "ended":
                    return self._at
                case "broken":
                    raise UnknownForm
            self._flush()
            yield

    def _pass_string(self) -> Reading[None]:
        self._at += 1
        while True:
            match = _IN_STRING.match(self._buffer.text, self._at, self._limit)
            self._at = match.end() if match else self._at
            char = yield from self._char()
            if char == '"':
                self._at += 1
                return
            if (char if char != "\\" else (yield from self._ahead(2))[1]) < " ":
                raise UnknownForm

    def _string(self) -> Reading[str]:
        """A short string, decoded."""
        start = self._at
        if self._buffer.text[start] != '"':
            raise UnknownForm
        yield from self._pass_string()
        written = self._buffer.text[start : self._at]
        if "\\" not in written:
            return written[1:-1]
        try:
            return str(json.loads(written))
        except ValueError:
            raise UnknownForm from None

    def _escape(self) -> Reading[str]:
        char = (yield from self._ahead(2))[1]
        if char != "u":
            self._at += 2
            if char not in _ESCAPES:
                raise UnknownForm
            return _ESCAPES[char]
        code = _hex((yield from self._ahead(6))[2:])
        if not 0xD800 <= code < 0xE000:
            self._at += 6
            return chr(code)
        pair = yield from self._ahead(12)
        low = _hex(pair[8:]) if pair[6:8] == "\\u" else 0
        if code >= 0xDC00 or not 0xDC00 <= low < 0xE000:
            raise UnknownForm
        self._at += 12
        return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))

    def _ahead(self, count: int) -> Reading[str]:
        """The next `count` characters."""
        while self._at + count > self._limit:
            self._flush()
            yield
        return self._buffer.text[self._at : self._at + count]


def _hex(digits: str) -> int:
    if re.fullmatch(r"[0-9a-fA-F]{4}", digits) is None:
        raise UnknownForm
    return int(digits, 16)
