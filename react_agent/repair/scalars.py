"""What stands without quotes: numbers, words, and text that should have been quoted."""

from __future__ import annotations

from .characters import (
    BARE_END,
    BARE_KEY,
    BLANK,
    JSON_NUMBER,
    LITERALS,
    NUMBER,
    NUMBER_FOLLOWS,
    OTHER_LITERALS,
    STRING_PREFIXES,
    WORD,
)
from .cursor import Cursor, Unreadable
from .numerals import numeral
from .quoting import Open, ends
from .strings import string

_BEHIND_A_NUMBER = ",，、;；}])｝］）#"
_LEFT_OUT = ("...", "…", "……")


def number(c: Cursor, inside: str) -> int | float | None:
    """The number at the position; None when it is none, or glued to more text: 2024-01-31, 3px, 007."""
    match = c.match(NUMBER, c.pos)
    if match is None or not _ends_number(c, match.end(), inside):
        return None
    value = _value(match.group())
    if value is None:
        return None
    if JSON_NUMBER.fullmatch(match.group()) is None:
        c.fix("number_spelling")
    c.pos = match.end()
    c.cut = c.cut or (c.pos >= c.size and not c.bounded)
    return value


def word(c: Cursor, inside: str) -> object:
    """A literal, a string with a prefix, or text without quotes.

    Raises:
        Unreadable: neither stands here; bare text is taken in objects and arrays only.
    """
    match = c.match(WORD, c.pos)
    written = match.group() if match is not None else ""
    if written in LITERALS or written in OTHER_LITERALS:
        return _literal(c, written)
    if written.lower() in STRING_PREFIXES and c.at(c.pos + len(written)) in ('"', "'"):
        c.pos += len(written)
        c.fix("python_literal")
        return string(c, inside, raw="r" in written.lower())
    if inside not in ("{", "["):
        raise Unreadable("no value")
    return bare(c, inside)


def bare(c: Cursor, inside: str) -> str:
    """Text without quotes, up to the next separator; or up to its closing quote, when only the opening one is missing.

    Raises:
        Unreadable: there is none, or dots say that it was left out.
    """
    end = BARE_END.search(c.text, c.pos)
    stop = c.size if end is None else end.start()
    if (quoted := _unopened(c, inside, stop)) is not None:
        return quoted
    c.touched_end = c.touched_end or end is None
    c.cut = c.cut or end is None
    written = c.text[c.pos : stop].strip()
    if not written or written in _LEFT_OUT:
        raise Unreadable("no value")
    c.pos = stop
    c.fix("bare_string")
    return written


def _unopened(c: Cursor, inside: str, stop: int) -> str | None:
    """`{"a": x", "b": 1}`: the text before the next quote when that quote ends a string; the position is then behind it."""
    start = c.pos
    quote = c.text.find('"', start, max(stop, start) + 1)
    if quote < 0:
        return None
    c.pos = quote + 1
    if ends(c, Open('"', inside, start)):
        c.fix("missing_quote")
        return c.text[start:quote].strip()
    c.pos = start
    return None


def _literal(c: Cursor, written: str) -> bool | None:
    c.pos += len(written)
    if written in LITERALS:
        return LITERALS[written]
    c.fix("python_literal")
    return OTHER_LITERALS[written]


def _value(written: str) -> int | float | None:
    """The number, None when it is too large or has a zero in front that must mean something."""
    sign_free = written.lstrip("+-")
    if sign_free[:2] in ("0x", "0X"):
        return int(written, 16) if len(written) < 40 else None
    if len(sign_free) > 1 and sign_free[0] == "0" and sign_free[1].isdigit():
        return None
    plain = written.replace("_", "")
    try:
        return int(plain) if plain.lstrip("+-").isdigit() else numeral(plain)
    except ValueError:
        return None


def _ends_number(c: Cursor, index: int, inside: str) -> bool:
    """May a number end at `index`: before a separator, a closer, a comment, or blanks and what may stand next?"""
    if not inside:
        return True
    behind = BLANK.match(c.text, index).end()  # type: ignore[union-attr]  # matches the empty text
    char = c.at(behind)
    if not char or char in _BEHIND_A_NUMBER or c.skip(behind) > behind:
        return True
    if behind == index:
        return False
    return char in "\"'“" or "\n" in c.text[index:behind] or _comma_is_missing(c, inside, behind)


def _comma_is_missing(c: Cursor, inside: str, index: int) -> bool:
    """`[1 2]` and `{a: 1 b: 2}`."""
    if inside == "[":
        return c.match(NUMBER_FOLLOWS, index) is not None
    return inside == "{" and c.match(BARE_KEY, index) is not None
