"""Valid JSON that is still being written: how far it goes, and where it ends.

In: the text so far, again and again.  Out: whether the value that began at a position is still open, has ended, or is no valid
JSON, and up to where it goes.  What was stepped over is not looked at again, and a stretch of plain members takes one match.
Where a value ends or breaks is a function of the text alone.  No value is made: that is left to the standard parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from react_agent.repair.reader import MAX_DEPTH

Growth = Literal["open", "ended", "broken"]

_BLANKS = r"[ \t\n\r]*"
_STRING = r'"[^"\\\x00-\x1f]*"'
_SCALAR = r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)"
_ITEM = rf"(?:{_STRING}|{_SCALAR}){_BLANKS},{_BLANKS}"
_FEW = "{1,64}"
"""So much is matched at once: `re` keeps a note on each repetition of a group."""

_SOLID = re.compile(r"[^ \t\n\r]")
_ITEMS = re.compile(rf"(?:{_ITEM}){_FEW}")
_KEY = re.compile(rf"{_STRING}{_BLANKS}:")
_MEMBERS = re.compile(rf"(?:{_STRING}{_BLANKS}:{_BLANKS}{_ITEM}){_FEW}")
_WORD = re.compile(r"[\w+\-.]*")
_WHOLE_SCALAR = re.compile(_SCALAR)
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_ESCAPES = re.compile(rf'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}})[^"\\\x00-\x1f]*){_FEW}')
_ANY_ESCAPES = re.compile(rf'(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*){_FEW}')


class GrowingJson:
    """A value from its first character on: `advance` whenever there is more text.

    All before `at` is a part of the value.  `deep`: it is no valid JSON because it is nested deeper than `MAX_DEPTH`.
    """

    def __init__(self, start: int, *, any_escape: bool = False) -> None:
        """`any_escape`: a backslash may stand before any character."""
        self.at = start
        self.deep = False
        self._escapes, self._longest_escape = (_ANY_ESCAPES, 2) if any_escape else (_ESCAPES, 6)
        self._growth: Growth = "open"
        self._closers: list[str] = []
        self._step: _Step = GrowingJson._value
        self._behind_string: _Step = GrowingJson._next

    def advance(self, text: str, limit: int) -> Growth:
        """Step on in `text`, which is known up to `limit`."""
        while self._growth == "open" and self._step(self, text, limit):
            pass
        return self._growth

    # --- steps: False when more text is needed, or nothing is left to do ---------------------------------------------

    def _first_item(self, text: str, limit: int) -> bool:
        return self._closes() if self._solid(text, limit) == "]" else self._value(text, limit)

    def _value(self, text: str, limit: int) -> bool:
        match self._solid(text, limit):
            case "":
                return False
            case "{":
                return self._opens("}", GrowingJson._first_key)
            case "[":
                return self._opens("]", GrowingJson._first_item)
        if self._closers and self._closers[-1] == "]" and self._passes(_ITEMS, text, limit):
            return self._goes_on(GrowingJson._value)
        if text[self.at] == '"':
            return self._begins_string(GrowingJson._next)
        return self._scalar(text, limit)

    def _first_key(self, text: str, limit: int) -> bool:
        return self._closes() if self._solid(text, limit) == "}" else self._key(text, limit)

    def _key(self, text: str, limit: int) -> bool:
        char = self._solid(text, limit)
        if char != '"':
            return bool(char) and self._breaks()
        if self._passes(_MEMBERS, text, limit):
            return self._goes_on(GrowingJson._key)
        if self._passes(_KEY, text, limit):
            return self._goes_on(GrowingJson._value)
        return self._begins_string(GrowingJson._colon)

    def _colon(self, text: str, limit: int) -> bool:
        char = self._solid(text, limit)
        if char != ":":
            return bool(char) and self._breaks()
        self.at += 1
        return self._goes_on(GrowingJson._value)

    def _next(self, text: str, limit: int) -> bool:
        if not self._closers:
            self._growth = "ended"
            return False
        char, closer = self._solid(text, limit), self._closers[-1]
        if char == closer:
            return self._closes()
        if char != ",":
            return bool(char) and self._breaks()
        self.at += 1
        return self._goes_on(GrowingJson._key if closer == "}" else GrowingJson._value)

    def _string(self, text: str, limit: int) -> bool:
        self._passes(_PLAIN, text, limit)
        if self.at >= limit:
            return False
        if text[self.at] == '"':
            self.at += 1
            return self._goes_on(self._behind_string)
        if text[self.at] == "\\" and self._passes(self._escapes, text, limit):
            return True
        return (text[self.at] != "\\" or limit - self.at >= self._longest_escape) and self._breaks()

    def _scalar(self, text: str, limit: int) -> bool:
        word = _WORD.match(text, self.at, limit)
        end = word.end() if word else self.at
        if end == limit:
            return False
        if _WHOLE_SCALAR.fullmatch(text, self.at, end) is None:
            return self._breaks()
        self.at = end
        return self._goes_on(GrowingJson._next)

    # --- what steps do ------------------------------------------------------------------------------------------------

    def _solid(self, text: str, limit: int) -> str:
        """The next character that is no blank, "" when there is none yet."""
        match = _SOLID.search(text, self.at, limit)
        self.at = match.start() if match else max(self.at, limit)
        return match.group() if match else ""

    def _passes(self, pattern: re.Pattern[str], text: str, limit: int) -> bool:
        match = pattern.match(text, self.at, limit)
        if match is not None:
            self.at = match.end()
        return match is not None

    def _goes_on(self, step: _Step) -> bool:
        self._step = step
        return True

    def _begins_string(self, behind: _Step) -> bool:
        self.at += 1
        self._behind_string = behind
        return self._goes_on(GrowingJson._string)

    def _opens(self, closer: str, step: _Step) -> bool:
        if len(self._closers) >= MAX_DEPTH:
            self.deep = True
            return self._breaks()
        self.at += 1
        self._closers.append(closer)
        return self._goes_on(step)

    def _closes(self) -> bool:
        self.at += 1
        self._closers.pop()
        return self._goes_on(GrowingJson._next)

    def _breaks(self) -> bool:
        self._growth = "broken"
        return False


_Step = Callable[[GrowingJson, str, int], bool]
