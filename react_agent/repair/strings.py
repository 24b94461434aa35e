"""Strings as models write them: in any quotes, with line breaks and quotes in them, with careless backslashes.

`quoting` says which quote ends a string, `escapes` what its backslashes mean; here the text is gone through once.
"""

from __future__ import annotations

from .characters import ALSO_CLOSING, CLOSING, CONTROL, ESCAPED_QUOTE, STOP, TOKEN_QUOTE
from .cursor import Cursor
from .escapes import is_path, meant
from .quoting import Open, ended_before, ends

_LONGEST_PATH = 300


def string(c: Cursor, inside: str, raw: bool = False) -> str:
    """The string at the position, which ends behind its closing quote; `raw` for Python's r"…"."""
    quote = c.peek()
    if quote in "\"'" and c.at(c.pos + 1) == quote and c.at(c.pos + 2) == quote:
        return _triple(c, quote * 3, raw)
    if quote != '"':
        c.fix("other_quotes" if quote in ("'", "`", TOKEN_QUOTE) else "fullwidth_punctuation")
    c.pos += 1
    s = Open(quote, inside, c.pos)
    written = c.text[s.start : _end(c, s)]
    if quote == TOKEN_QUOTE:
        return written
    if CONTROL.search(written):
        c.fix("raw_newline")
    text = written if raw else _read(c, written, quote)
    return text + _rest(c, inside) if inside in ("[", "{", "(") else text


def escaped(c: Cursor) -> str:
    """The string at the position, whose quotes are themselves escaped, as in text that was encoded twice: `\\"New York\\"`."""
    c.fix("bad_escape")
    match = c.match(ESCAPED_QUOTE, c.pos)
    quote = match.group() if match is not None else ""
    start = c.pos + len(quote)
    end = c.find(quote, start)
    if end < 0:
        c.cut = True
        c.pos = c.size
        return c.text[start:]
    c.pos = end + len(quote)
    return c.text[start:end]


def _end(c: Cursor, s: Open) -> int:
    """Where the text of the string ends; the position is then behind its quote."""
    stop, closers = STOP[s.quote], ALSO_CLOSING.get(s.quote, CLOSING[s.quote])
    while True:
        match = stop.search(c.text, c.pos)
        if match is None:
            c.pos = c.size
            c.touched_end = c.cut = True
            return c.size
        c.pos = match.end()
        if match.group() == "\\":
            if _path_ends(c, s):
                return c.pos - 1
            c.pos = min(c.pos + 1, c.size)
        elif match.group() in closers:
            c.step()
            if (end := ended_before(c, s)) >= 0:
                c.fix("missing_quote")
                c.pos = end
                return end
            if ends(c, s):
                return c.pos - 1
            c.fix("unescaped_quote")
            s.hold(c)


def _path_ends(c: Cursor, s: Open) -> bool:
    """`"C:\\new dir\\"`: the last backslash of a path that was not escaped seems to escape the quote that ends it."""
    if c.at(c.pos) != s.quote or c.pos - s.start > _LONGEST_PATH or not is_path(c.text[s.start : c.pos]):
        return False
    c.pos += 1
    if ends(c, s):
        return True
    c.pos -= 1
    return False


def _read(c: Cursor, written: str, quote: str) -> str:
    text, known = meant(written, quote)
    if not known:
        c.fix("bad_escape")
    return text


def _rest(c: Cursor, inside: str) -> str:
    """What is joined to a string: `"a" + "b"`, and in the brackets of Python code also `"a" "b"`."""
    parts = []
    while c.text[c.pos : c.pos + 1] not in (",", "}", "]", ")"):
        index = c.skip(c.pos)
        if c.at(index) == "+":
            index = c.skip(index + 1)
        elif inside != "(":
            break
        if c.at(index) not in CLOSING:
            break
        c.pos = index
        c.fix("joined_texts")
        parts.append(_one(c, inside))
    return "".join(parts)


def _one(c: Cursor, inside: str) -> str:
    quote = c.peek()
    c.pos += 1
    s = Open(quote, inside, c.pos)
    return _read(c, c.text[s.start : _end(c, s)], quote)


def _triple(c: Cursor, quotes: str, raw: bool) -> str:
    c.fix("triple_quotes")
    start = c.pos + 3
    end = c.find(quotes, start)
    if end < 0:
        c.cut = True
        c.pos = c.size
        return c.text[start:]
    c.pos = end + 3
    return c.text[start:end] if raw else _read(c, c.text[start:end], "'")
