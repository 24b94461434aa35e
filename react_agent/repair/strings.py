"""Strings as models write them: where does a quote end one, and what does a backslash mean?

A quote ends a string only where something fitting follows: a closer that is real, or a comma or colon that starts a new key
or value.  That is a look-ahead over blanks, comments and at most one key; text is never read twice.
"""

from __future__ import annotations

import re

from .characters import (
    ALSO_CLOSING,
    BLANK,
    CLOSERS,
    CLOSING,
    COLON,
    COMMA,
    DRIVE,
    ESCAPES,
    KEY,
    NEXT_ARGUMENT,
    STOP,
    TOKEN_QUOTE,
)
from .cursor import Cursor

MAX_KEY = 120


class Strings(Cursor):
    """Reads strings at the position of its cursor."""

    def string(self, inside: str, raw: bool = False) -> str:
        quote = self.peek()
        if self.text.startswith(quote * 3, self.pos) and quote in "\"'":
            return self.triple(quote * 3)
        if quote != '"':
            self.fix("other_quotes" if quote in ("'", "`", TOKEN_QUOTE) else "fullwidth_punctuation")
        self.pos += 1
        stop, closers = STOP[quote], ALSO_CLOSING.get(quote, CLOSING[quote])
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
        match = DRIVE.match(self.text, self.pos)
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
        if char in ESCAPES:
            return ESCAPES[char]
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
        index = BLANK.match(self.text, self.pos).end()  # type: ignore[union-attr]  # matches the empty text
        if index >= self.size:
            self.touched_end = True
            self.cut = self.cut or ("unescaped_quote" in self.fixes and not self.bounded)
            return True
        char = self.text[index]
        if self.text[self.pos - 1] == TOKEN_QUOTE:
            return True
        if inside == "key":
            return char in COLON or char == "=" or char in "\"'{[" or char.isdigit()
        if not inside:
            return True
        if char in CLOSERS and (char != ")" or inside != "{"):
            return self._closer_is_real(index)
        if char in COMMA:
            return self._item_follows(index + 1, inside)
        if char in "#/":
            return True
        return (
            inside == "{" and index > self.pos and (char in '"“' or "\n" in self.text[self.pos : index]) and self._is_key(index)
        )

    def _closer_is_real(self, index: int) -> bool:
        """A bracket behind a quote closes something, unless more string follows it: `"{"a": "b"}"`, `f({"a": "b"}, c=1)"`."""
        while index < self.size and self.text[index] in CLOSERS:
            index += 1
        if index >= self.size:
            self.touched_end = True
            return True
        char = self.text[index]
        if char in COMMA:
            following = self.skip(index + 1)
            if self.in_call and following < self.size and NEXT_ARGUMENT.match(self.text, following):
                return True
            return following >= self.size or self.text[following] in "\"'“‘{[}])｛［｝］#/-" or self.text[following].isdigit()
        return char not in "\"'“”.:" and not (char.isalnum() and char.isascii())

    def _item_follows(self, index: int, inside: str) -> bool:
        start = self.skip(index)
        if start >= self.size:
            return True
        char = self.text[start]
        if char in CLOSERS:
            return True
        if inside == "{" or (inside == "(" and (char.isalpha() or char == "_")):
            return self._is_key(start)
        return char in "\"'“‘{[｛［(-tfnTFN#/" or char.isdigit()

    def _is_key(self, index: int) -> bool:
        match = KEY.match(self.text, index)
        if match is None and self.size - index < MAX_KEY + 4:
            self.touched_end = True
        return match is not None
