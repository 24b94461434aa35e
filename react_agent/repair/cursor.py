"""Where a reading stands: the position, what is open around it, the fixes so far, and whether the end of the text decided.

Every look at the text goes through `at`, `match`, `find` and `skip`, which remember when a look reached the end: only so can a
reading say that more text would not change it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from react_agent.messages import Fix

from .characters import BLANK, Pattern

_JSON_BLANKS = " \t\r\n"
MAX_DEPTH = 100
MAX_STEPS = 50_000
"""So many members, separators and quotes are looked at in one value that is no valid JSON, which bounds the time."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: `value` ends before `end`.

    `cut` says that the text ends inside a string, number, word or key, so the value is not known; `stable` that the reading
    did not depend on where the text happened to end, so more text would not change it.
    """

    value: Any
    end: int
    fixes: tuple[Fix, ...] = ()
    cut: bool = False
    stable: bool = True


class Unreadable(Exception):  # noqa: N818  a verdict on text, never shown to a user
    """No value stands here; `stable` is True when more text would not change that, `position` is how far was read."""

    stable = False
    position = 0


class Cursor:
    """The state of one reading.

    `bounded` says that the end of the text is a real border; `names` are the keys that objects may have, None when any.
    `stack` holds the closers of the containers that are open, `key_quotes` how keys were quoted so far ("" for bare ones).
    """

    __slots__ = (
        "_found", "_skipped", "_steps", "bounded", "cut", "fixes", "key_quotes", "names", "pos", "size", "stack", "text",
        "touched_end",
    )  # fmt: skip

    def __init__(self, text: str, pos: int, bounded: bool = False, names: Collection[str] | None = None) -> None:
        self.text = text
        self.pos = pos
        self.size = len(text)
        self.bounded = bounded
        self.names = names
        self.stack: list[str] = []
        self.key_quotes: set[str] = set()
        self.fixes: dict[str, Fix] = {}
        self.cut = False
        self.touched_end = False
        self._found: dict[str, tuple[int, int]] = {}
        self._skipped: dict[int, int] = {}
        self._steps = 0

    def step(self) -> None:
        """Count a part of the value.

        Raises:
            Unreadable: it has more than `MAX_STEPS`.
        """
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Unreadable("too many parts")

    def fix(self, name: str, index: int = -1) -> None:
        """Name a liberty taken at `index`, -1 for the position; each is told once, where it was first taken."""
        if name not in self.fixes:
            self.fixes[name] = Fix(name, note=f"at character {self.pos if index < 0 else index}")

    def done(self, value: Any) -> Read:
        """The verdict: `value` was read up to the position."""
        return Read(value, self.pos, tuple(self.fixes.values()), self.cut, not self.touched_end)

    def at(self, index: int) -> str:
        """The character at `index`, "" behind the end."""
        if index < self.size:
            return self.text[index]
        self.touched_end = True
        return ""

    def peek(self) -> str:
        """The character at the position, "" at the end."""
        return self.at(self.pos)

    def match(self, pattern: Pattern, index: int) -> re.Match[str] | None:
        """The match at `index`."""
        match = pattern.match(self.text, index)
        seen = index if match is None else match.end()
        if not self.touched_end and seen + pattern.reach >= self.size and pattern.hangs_on_the_end(self.text, index):
            self.touched_end = True
        return match

    def find(self, mark: str, index: int) -> int:
        """Where `mark` stands next, -1 when nowhere; no stretch of the text is searched twice."""
        since, found = self._found.get(mark, (self.size + 1, -1))
        if index < since or -1 < found < index:
            found = self.text.find(mark, index)
            self._found[mark] = (index, found)
        self.touched_end = self.touched_end or found < 0
        return found

    def blanks(self) -> str:
        """Go behind blanks and comments; the next character, "" at the end."""
        start = self.pos
        self.pos = BLANK.match(self.text, start).end()  # type: ignore[union-attr]  # matches the empty text
        if self.text[start : self.pos].strip(_JSON_BLANKS):
            self.fix("other_blanks", start)
        char = self.peek()
        if char in ("/", "#") and (behind := self.skip(self.pos)) > self.pos:
            self.fix("comment")
            self.pos = behind
            return self.peek()
        return char

    def skip(self, index: int) -> int:
        """The index behind blanks and comments; what lies behind a comment is worked out once."""
        passed = []
        while index not in self._skipped:
            index = BLANK.match(self.text, index).end()  # type: ignore[union-attr]  # matches the empty text
            end = self._comment_end(index)
            if end < 0:
                break
            passed.append(end)
            index = end
        index = self._skipped.get(index, index)
        self._skipped.update(dict.fromkeys(passed, index))
        return index

    def _comment_end(self, index: int) -> int:
        """The index behind the comment at `index`, -1 when none stands there."""
        char = self.at(index)
        if char == "#" or (char == "/" and self.at(index + 1) == "/"):
            end = self.find("\n", index)
            return self.size if end < 0 else end
        if char == "/" and self.at(index + 1) == "*":
            end = self.find("*/", index + 2)
            return end if end < 0 else end + 2
        return -1
