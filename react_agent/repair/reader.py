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

Container = TypeVar("Container", dict[str, Any], list[Any])
MAX_DEPTH = 100
OPENING = ("{", "[", "｛", "［")
"""What a container starts with."""
_MAX_KEY = 120


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
    start = _BLANK.match(text, start).end()  # type: ignore[union-attr]  # the pattern matches the empty text
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
_BLANK = re.compile(r"[\s\ufeff\u200b]*")
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][-+]?\d+)?)")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?\Z")
_WORD = re.compile(r"[^\W\d][\w$]*(?:[.\-][\w$]+)*")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_CALL_NAME = re.compile(r"[^\W\d][\w\-]*(?:\.[\w\-]+)*")
_LITERALS = {"true": True, "false": False, "null": None}
_PYTHON = {"True": True, "False": False, "None": None, "TRUE": True, "FALSE": False, "NULL": None, "nil": None}
TOKEN_QUOTE = "\ue000"
"""Stands for a special token that quotes, such as Gemma's: whatever is between two of them is text."""

_CLOSING = {
    TOKEN_QUOTE: TOKEN_QUOTE,
    '"': '"',
    "'": "'",
    "“": "”",
    "‘": "’",
    "「": "」",
    "＂": "＂",
    "`": "`",
    "”": "”",
    "’": "’",
}
_ALSO_CLOSING = {"“": '”"“', "”": '”"', "‘": "’'", "’": "’'", '"': '"', "'": "'"}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_STOP = {quote: re.compile("[\\\\\n\r" + "".join(_ALSO_CLOSING.get(quote, close)) + "]") for quote, close in _CLOSING.items()}
_COLON = ":："
_COMMA = ",，、"
_CLOSERS = "}])｝］"
_KEY = re.compile(
    r"""\s*(?:"(?:[^"\\\n]|\\.){0,120}"|'[^'\n]{0,120}'|“[^”\n]{0,120}”|[^\W\d]\w{0,60})\s*[:：=]""",
)
_NEXT_ARGUMENT = re.compile(r"[^\W\d]\w*\s*[=(]")
_KEYWORD = re.compile(r"""["']?([^\W\d][\w\-]*)["']?\s*[=:](?!=)\s*""")
_DRIVE = re.compile(r"[A-Za-z]:(\\[^\\\"'/\n]+)+")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
_BARE_END = re.compile(r"[,，}\]｝］\n]")


class Scanner:
    """The state of one reading: position, fixes, and how far it has looked."""

    def __init__(self, text: str, pos: int, bounded: bool = False) -> None:
        self.text = text
        self.bounded = bounded
        self.pos = pos
        self.size = len(text)
        self.fixes: dict[str, Fix] = {}
        self.cut = False
        self.touched_end = False
        self.in_call = False

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
        name = _CALL_NAME.match(self.text, self.pos)
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

    # --- small steps --------------------------------------------------------------------------------------------------

    def fix(self, name: str) -> None:
        if name not in self.fixes:
            self.fixes[name] = Fix(name, note=f"at character {self.pos}")

    def peek(self, ahead: int = 0) -> str:
        index = self.pos + ahead
        if index < self.size:
            return self.text[index]
        self.touched_end = True
        return ""

    def blanks(self) -> str:
        """Skip blanks and comments; the next character, "" at the end."""
        while True:
            self.pos = _BLANK.match(self.text, self.pos).end()  # type: ignore[union-attr]  # matches the empty text
            char = self.peek()
            if char not in "/#" or not char:
                return char
            comment = _COMMENT.match(self.text, self.pos)
            if comment is None:
                return char
            self.fix("comment")
            self.pos = comment.end()

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
        if char in _CLOSING and char:
            return self.string(inside)
        if char and (char in "-+." or char.isdigit()):
            number = _NUMBER.match(self.text, self.pos)
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
            following = _BLANK.match(self.text, index)
            end = following.end() if following else index
            return not inside or end >= self.size or self.text[end] in ",，、}])｝］#/\"'“" or "\n" in self.text[index:end]
        return rest in ",，、}])｝］#/"

    def number(self, match: re.Match[str]) -> Any:
        self.pos = match.end()
        if self.pos >= self.size:
            self.touched_end = True
            self.cut = not self.bounded
        written = match.group()
        if _JSON_NUMBER.match(written) is None:
            self.fix("number_spelling")
        try:
            if written.lower().lstrip("+-").startswith("0x"):
                return int(written, 16)
            plain = written.replace("_", "")
            return int(plain) if plain.lstrip("+-").isdigit() else float(plain)
        except ValueError as problem:
            raise Unreadable("not a number") from problem

    def word(self, inside: str, char: str) -> Any:
        match = _WORD.match(self.text, self.pos)
        if match is not None:
            word = match.group()
            if match.end() >= self.size:
                self.touched_end = True
            if word in _LITERALS or word in _PYTHON:
                self.pos = match.end()
                if word in _PYTHON:
                    self.fix("python_literal")
                return _LITERALS[word] if word in _LITERALS else _PYTHON[word]
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
        end = _BARE_END.search(self.text, self.pos)
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
        if written[-1] in "\"'”" and _CLOSING.get(written[-1]) and written.count(written[-1]) == 1:
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
            if char in _COMMA:
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
        following = _BLANK.match(self.text, self.pos + 1)
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
        if self.blanks() in _CLOSERS and self.peek():
            self.fix("trailing_comma")

    def _separator(self, closer: str) -> None:
        """After an item: a comma, the closer, or a missing comma."""
        char = self.blanks()
        if not char or char == closer or char in _CLOSERS:
            return
        if char in _COMMA:
            self._comma(char)
            return
        if char in ";；":
            self.fix("fullwidth_punctuation")
            self.pos += 1
            return
        self.fix("missing_comma")

    def key(self) -> str:
        char = self.peek()
        if char in _CLOSING:
            return self.string("key")
        match = _IDENTIFIER.match(self.text, self.pos)
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
        if char and char in _COLON:
            if char != ":":
                self.fix("fullwidth_punctuation")
            self.pos += 1
        elif char == "=":
            self.fix("missing_colon")
            self.pos += 2 if self.text.startswith("=>", self.pos) else 1
        elif not char:
            self.cut = True
        elif char in _CLOSING or char in "{[｛［" or char.isdigit():
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
            if char in _CLOSERS:
                return self._wrong_closer(found)
            if char in _COMMA:
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
            if char in _COMMA:
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
        match = _KEYWORD.match(self.text, self.pos)
        if match is None:
            return None
        self.pos = match.end()
        if not self.peek():
            self.cut = True
        return match.group(1)

    # --- strings ------------------------------------------------------------------------------------------------------

    def string(self, inside: str, raw: bool = False) -> str:
        quote = self.peek()
        if self.text.startswith(quote * 3, self.pos) and quote in "\"'":
            return self.triple(quote * 3)
        if quote != '"':
            self.fix("other_quotes" if quote in ("'", "`", TOKEN_QUOTE) else "fullwidth_punctuation")
        self.pos += 1
        stop, closers = _STOP[quote], _ALSO_CLOSING.get(quote, _CLOSING[quote])
        literal = raw or self._looks_like_path()
        parts: list[str] = []
        while True:
            match = stop.search(self.text, self.pos)
            if match is None:
                parts.append(self.text[self.pos :])
                self.pos = self.size
                self.touched_end = self.cut = True
                return "".join(parts)
            parts.append(self.text[self.pos : match.start()])
            self.pos = match.end()
            char = match.group()
            if char == "\\":
                parts.append(self.escape(literal))
            elif char in closers:
                if self._closes(inside):
                    return "".join(parts)
                self.fix("unescaped_quote")
                parts.append(char)
            else:
                self.fix("raw_newline")
                parts.append(char)

    def triple(self, quotes: str) -> str:
        self.fix("triple_quotes")
        start = self.pos + 3
        end = self.text.find(quotes, start)
        if end < 0:
            self.touched_end = self.cut = True
            self.pos = self.size
            return self.text[start:]
        self.pos = end + 3
        return self.text[start:end]

    def _looks_like_path(self) -> bool:
        """A Windows path whose backslashes were not escaped: every one of them stands for itself."""
        match = _DRIVE.match(self.text, self.pos)
        return match is not None and re.search(r"\\[^\"\\/bfnrtu]", match.group()) is not None

    def escape(self, literal: bool) -> str:
        char = self.peek()
        if not char:
            self.cut = True
            return ""
        self.pos += 1
        if literal and char not in "\"'":
            self.fix("bad_escape")
            if char == "\\":
                return "\\"
            self.pos -= 1
            return "\\"
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char == "u":
            return self._unicode()
        self.fix("bad_escape")
        if char in "_'\n“”":
            return char if char != "\n" else ""
        return "\\" + char

    def _unicode(self) -> str:
        digits = self.text[self.pos : self.pos + 4]
        if len(digits) < 4:
            self.touched_end = True
        if len(digits) < 4 or not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.fix("bad_escape")
            return "\\u"
        self.pos += 4
        code = int(digits, 16)
        if 0xD800 <= code < 0xDC00 and self.text.startswith("\\u", self.pos):
            low = self.text[self.pos + 2 : self.pos + 6]
            if re.fullmatch(r"[dD][c-fC-F][0-9a-fA-F]{2}", low):
                self.pos += 6
                return chr(0x10000 + ((code - 0xD800) << 10) + (int(low, 16) - 0xDC00))
        return chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"

    def _closes(self, inside: str) -> bool:
        """Does the quote just passed end the string?  Look at what follows it."""
        index = _BLANK.match(self.text, self.pos).end()  # type: ignore[union-attr]  # matches the empty text
        if index >= self.size:
            self.touched_end = True
            return True
        char = self.text[index]
        if self.text[self.pos - 1] == TOKEN_QUOTE:
            return True
        if inside == "key":
            return char in _COLON or char == "=" or char in "\"'{[" or char.isdigit()
        if not inside:
            return True
        if char in _CLOSERS and (char != ")" or inside != "{"):
            return self._closer_is_real(index)
        if char in _COMMA:
            return self._item_follows(index + 1, inside)
        if char in "#/":
            return True
        return (
            inside == "{" and index > self.pos and (char in '"“' or "\n" in self.text[self.pos : index]) and self._is_key(index)
        )

    def _closer_is_real(self, index: int) -> bool:
        """A bracket behind a quote closes something, unless more string follows it: `"{"a": "b"}"`, `f({"a": "b"}, c=1)"`."""
        while index < self.size and self.text[index] in _CLOSERS:
            index += 1
        if index >= self.size:
            self.touched_end = True
            return True
        char = self.text[index]
        if char in _COMMA:
            following = self._skip(index + 1)
            if self.in_call and following < self.size and _NEXT_ARGUMENT.match(self.text, following):
                return True
            return following >= self.size or self.text[following] in "\"'“‘{[}])｛［｝］#/-" or self.text[following].isdigit()
        return char not in "\"'“”.:" and not (char.isalnum() and char.isascii())

    def _skip(self, index: int) -> int:
        """The index behind blanks and comments."""
        while True:
            index = _BLANK.match(self.text, index).end()  # type: ignore[union-attr]  # matches the empty text
            comment = _COMMENT.match(self.text, index)
            if index >= self.size or (comment is not None and comment.end() >= self.size):
                self.touched_end = True
            if comment is None:
                return index
            index = comment.end()

    def _item_follows(self, index: int, inside: str) -> bool:
        start = self._skip(index)
        if start >= self.size:
            return True
        char = self.text[start]
        if char in _CLOSERS:
            return True
        if inside == "{" or (inside == "(" and (char.isalpha() or char == "_")):
            return self._is_key(start)
        return char in "\"'“‘{[｛［(-tfnTFN#/" or char.isdigit()

    def _is_key(self, index: int) -> bool:
        match = _KEY.match(self.text, index)
        if match is None and self.size - index < _MAX_KEY + 4:
            self.touched_end = True
        return match is not None
