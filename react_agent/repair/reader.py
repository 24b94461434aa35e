"""Text to value: reads one JSON-like value as models really write them.

In: text and where the value starts.  Out: `Read`: the value, where it ends, the named fixes, and two verdicts: `cut` (the
text ends inside a string, number, word or key, so the value is not known) and `stable` (the reading did not depend on
where the text happened to end, so more text would not change it; a stream may use it at once).

Valid JSON never gets further than the standard parser.  Everything else is read by one left-to-right scanner without
backtracking: a quote ends a string only where something fitting follows (a closer, or a comma or colon that starts a new
key or value), which is a look-ahead over blanks and at most one key.  Nothing is normalised: full-width punctuation is
structure only where this scanner consumed it as structure.  Depth is bounded.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, TypeVar

from react_agent.messages import Fix

from .characters import (
    BARE_END,
    BLANK,
    CALL_NAME,
    CLOSERS,
    CLOSING,
    COLON,
    COMMA,
    IDENTIFIER,
    JSON_NUMBER,
    KEYWORD,
    LITERALS,
    NUMBER,
    PYTHON,
    WORD,
)
from .strings import Strings

Container = TypeVar("Container", dict[str, Any], list[Any])
MAX_DEPTH = 100
OPENING = ("{", "[", "｛", "［")
"""What a container starts with."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: text[start:end] is `value`."""

    value: Any
    end: int
    fixes: tuple[Fix, ...] = ()
    cut: bool = False
    stable: bool = True


class Unreadable(Exception):  # noqa: N818  a verdict on text, never shown to a user
    """No value stands here; `stable` is True when more text would not change that, `position` is how far was read."""

    stable = False
    position = 0


@dataclass(frozen=True, slots=True)
class CallText:
    """`name(positional, key=value)` as written."""

    name: str
    positional: tuple[Any, ...]
    keywords: dict[str, Any]
    read: Read


def read(text: str, start: int = 0, *, bounded: bool = False) -> Read:
    """The value that starts at `start` (leading blanks allowed).

    `bounded` says that the end of the text was a real border (a closing tag, a label): a number there is not cut.

    Raises:
        Unreadable: neither an object, array, string, number nor literal stands there, or it is nested too deep.
    """
    start = BLANK.match(text, start).end()  # type: ignore[union-attr]  # the pattern matches the empty text
    if text.startswith(("{", "[", '"'), start) and not text.startswith('"""', start):
        found = strict(text, start)
        if found is not None:
            return found
    return Scanner(text, start, bounded).whole()


def strict(text: str, start: int) -> Read | None:
    """The valid JSON value that starts exactly at `start`, by the standard parser; None when there is none."""
    try:
        value, end = _STRICT.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return Read(value, end)


def read_call(text: str, start: int = 0, *, bounded: bool = False) -> CallText:
    """The Python-like call that starts at `start`.

    Raises:
        Unreadable: no `name(` stands there, or its arguments are not literals.
    """
    return Scanner(text, start, bounded).call()


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_no_constant)


class Scanner(Strings):
    """Reads values: objects, arrays, numbers, words and calls, with the strings of its base."""

    def whole(self) -> Read:
        try:
            value = self.value("", 0)
        except Unreadable as problem:
            problem.stable = not self.touched_end
            problem.position = self.pos
            raise
        return Read(value, self.pos, tuple(self.fixes.values()), self.cut, not self.touched_end)

    def call(self) -> CallText:
        self.in_call = True
        name = CALL_NAME.match(self.text, self.pos)
        if name is None:
            raise Unreadable("no name")
        self.pos = name.end()
        self.blanks()
        if self.peek() != "(":
            raise Unreadable("no bracket")
        self.pos += 1
        try:
            positional, keywords = self.arguments()
        except Unreadable as problem:
            problem.stable = not self.touched_end
            raise
        done = Read(None, self.pos, tuple(self.fixes.values()), self.cut, not self.touched_end)
        return CallText(name.group(), tuple(positional), keywords, done)

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, inside: str, depth: int) -> Any:
        """One value; `inside` is what it stands in: "" (alone), "{", "[" or "("."""
        if depth > MAX_DEPTH:
            raise Unreadable("nested too deep")
        char = self.blanks()
        if char and char in "{｛":
            return self.object(depth)
        if char and char in "[［":
            return self.array("]", depth)
        if char == "(" and inside:
            self.fix("python_literal")
            return self.array(")", depth)
        if char in CLOSING and char:
            return self.string(inside)
        if char and (char in "-+." or char.isdigit()):
            number = NUMBER.match(self.text, self.pos)
            if number is not None and self._ends_value(number.end(), inside):
                return self.number(number)
        return self.word(inside, char)

    def _ends_value(self, index: int, inside: str) -> bool:
        """True when a number may end here: not glued to more text, such as 2024-01-01 or 3px."""
        rest = self.text[index : index + 1]
        if not rest:
            self.touched_end = True
            return True
        if rest.isspace() or not inside:
            following = BLANK.match(self.text, index)
            end = following.end() if following else index
            return not inside or end >= self.size or self.text[end] in ",，、}])｝］#/\"'“" or "\n" in self.text[index:end]
        return rest in ",，、}])｝］#/"

    def number(self, match: re.Match[str]) -> Any:
        self.pos = match.end()
        if self.pos >= self.size:
            self.touched_end = True
            self.cut = not self.bounded
        written = match.group()
        if JSON_NUMBER.match(written) is None:
            self.fix("number_spelling")
        try:
            if written.lower().lstrip("+-").startswith("0x"):
                return int(written, 16)
            plain = written.replace("_", "")
            return int(plain) if plain.lstrip("+-").isdigit() else float(plain)
        except ValueError as problem:
            raise Unreadable("not a number") from problem

    def word(self, inside: str, char: str) -> Any:
        match = WORD.match(self.text, self.pos)
        if match is not None:
            word = match.group()
            if match.end() >= self.size:
                self.touched_end = True
            if word in LITERALS or word in PYTHON:
                self.pos = match.end()
                if word in PYTHON:
                    self.fix("python_literal")
                return LITERALS[word] if word in LITERALS else PYTHON[word]
            following = self.text[match.end() : match.end() + 1]
            if word.lower() in ("r", "f", "b", "u", "rb", "br") and following in "\"'" and following:
                self.pos = match.end()
                self.fix("python_literal")
                return self.string(inside, raw="r" in word.lower())
        if inside != "{" and not (inside == "[" and char):
            raise Unreadable("no value")
        return self.bare()

    def bare(self) -> str:
        """Text without quotes, up to the next separator of its container."""
        end = BARE_END.search(self.text, self.pos)
        if end is None:
            self.touched_end = True
            self.cut = True
            stop = self.size
        else:
            stop = end.start()
        written = self.text[self.pos : stop].strip()
        if not written:
            raise Unreadable("no value")
        self.pos = stop
        if written[-1] in "\"'”" and CLOSING.get(written[-1]) and written.count(written[-1]) == 1:
            self.fix("missing_quote")
            return written[:-1]
        self.fix("bare_string")
        return written

    def object(self, depth: int) -> dict[str, Any]:
        self.pos += 1
        found: dict[str, Any] = {}
        if self.text[self.pos - 1] == "｛":
            self.fix("fullwidth_punctuation")
        if self.peek() == "{" and self._doubled():
            self.fix("doubled_braces")
            found = self.object(depth + 1)
            if self.blanks() == "}":
                self.pos += 1
            return found
        found.update(self.members(depth))
        return found

    def members(self, depth: int) -> dict[str, Any]:
        """What stands between the braces; the position ends behind the closing one."""
        found: dict[str, Any] = {}
        while True:
            char = self.blanks()
            if not char:
                self.fix("closed")
                return found
            if char in "}｝":
                self.pos += 1
                return found
            if char in "])］":
                return self._wrong_closer(found)
            if char in COMMA:
                self._comma(char)
                continue
            key = self.key()
            self.colon()
            if not self.peek() and self.blanks() == "":
                self.cut = True
                return found
            if self.blanks() in "},｝":
                raise Unreadable("a key without a value")
            found[key] = self.value("{", depth + 1)
            self._separator("}")

    def _doubled(self) -> bool:
        following = BLANK.match(self.text, self.pos + 1)
        index = following.end() if following else self.pos + 1
        if index >= self.size:
            self.touched_end = True
        return self.text[index : index + 1] in "\"'“"

    def _wrong_closer(self, found: Container) -> Container:
        self.fix("wrong_closer")
        self.pos += 1
        return found

    def _comma(self, char: str) -> None:
        if char != ",":
            self.fix("fullwidth_punctuation")
        self.pos += 1
        if self.blanks() in CLOSERS and self.peek():
            self.fix("trailing_comma")

    def _separator(self, closer: str) -> None:
        """After an item: a comma, the closer, or a missing comma."""
        char = self.blanks()
        if not char or char == closer or char in CLOSERS:
            return
        if char in COMMA:
            self._comma(char)
            return
        if char in ";；":
            self.fix("fullwidth_punctuation")
            self.pos += 1
            return
        self.fix("missing_comma")

    def key(self) -> str:
        char = self.peek()
        if char in CLOSING:
            return self.string("key")
        match = IDENTIFIER.match(self.text, self.pos)
        if match is None:
            raise Unreadable("no key")
        self.pos = match.end()
        if self.pos >= self.size:
            self.touched_end = True
            self.cut = True
        following = self.peek()
        if following in "\"'" and following:
            self.fix("missing_quote")
            self.pos += 1
        else:
            self.fix("bare_key")
        return match.group()

    def colon(self) -> None:
        char = self.blanks()
        if char and char in COLON:
            if char != ":":
                self.fix("fullwidth_punctuation")
            self.pos += 1
        elif char == "=":
            self.fix("missing_colon")
            self.pos += 2 if self.text.startswith("=>", self.pos) else 1
        elif not char:
            self.cut = True
        elif char in CLOSING or char in "{[｛［" or char.isdigit():
            self.fix("missing_colon")
        else:
            raise Unreadable("no colon")

    def array(self, closer: str, depth: int) -> list[Any]:
        if self.peek() == "［":
            self.fix("fullwidth_punctuation")
        self.pos += 1
        found: list[Any] = []
        while True:
            char = self.blanks()
            if not char:
                self.fix("closed")
                return found
            if char == closer or (char == "］" and closer == "]"):
                self.pos += 1
                return found
            if char in CLOSERS:
                return self._wrong_closer(found)
            if char in COMMA:
                self._comma(char)
                continue
            found.append(self.value("[", depth + 1))
            self._separator(closer)

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """What stands in the brackets of a call; the position ends behind `)`."""
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        while True:
            char = self.blanks()
            if not char:
                self.fix("closed")
                return positional, keywords
            if char in ")）":
                self.pos += 1
                return positional, keywords
            if char in "}]":
                self._wrong_closer(keywords)
                return positional, keywords
            if char in COMMA:
                self._comma(char)
                continue
            key = self._keyword()
            value = self.value("(", 1)
            if key is None:
                positional.append(value)
            else:
                keywords[key] = value
            self._separator(")")

    def _keyword(self) -> str | None:
        match = KEYWORD.match(self.text, self.pos)
        if match is None:
            return None
        self.pos = match.end()
        if not self.peek():
            self.cut = True
        return match.group(1).replace("\\_", "_")
