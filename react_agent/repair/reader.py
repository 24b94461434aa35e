"""Text to value: reads one JSON-like value as models really write them.

In: text and where the value starts.  Out: `Read`: the value, where it ends, the named fixes, and two verdicts: `cut` (the text
ends inside a value, which is then not known) and `stable` (more text would not change the reading, so a stream may use it).

Valid JSON never gets further than the standard parser.  Everything else is read by one left-to-right pass without
backtracking: `containers`, `strings` and `scalars` take what stands there, `quoting` decides where a string ends, `escapes`
what its backslashes mean.  Nothing is normalised: full-width punctuation is structure only where it was consumed as that.
What comes out can be written as JSON again: no NaN, no infinity, no half of a surrogate pair, not deeper than `MAX_DEPTH`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from . import calls
from .calls import CallText
from .characters import BLANK, OPENING
from .containers import members_without_brace, value
from .cursor import MAX_DEPTH, Cursor, Read, Unreadable
from .escaped import ESCAPED, read_escaped
from .numerals import numeral

__all__ = [
    "MAX_DEPTH",
    "OPENING",
    "CallText",
    "Read",
    "Unreadable",
    "loose",
    "read",
    "read_call",
    "read_items",
    "read_members",
    "strict",
]

R = TypeVar("R")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read(text: str, start: int = 0, *, bounded: bool = False, names: Collection[str] | None = None) -> Read:
    """The value that starts at `start` (leading blanks allowed).

    `bounded` says that the end of the text was a real border (a closing tag, a label): a number there is not cut.  `names` are
    all keys that objects may have, when they are known: a quotation in broken JSON is then not taken for the next key.

    Raises:
        Unreadable: neither an object, array, string, number nor literal stands there, or it is nested too deep.
    """
    start = BLANK.match(text, start).end()  # type: ignore[union-attr]  # matches the empty text
    if (
        text.startswith(("{", "[", '"'), start)
        and not text.startswith('""', start)
        and (found := strict(text, start)) is not None
    ):
        return found
    return loose(text, start, bounded=bounded, names=names)


def loose(text: str, start: int, *, bounded: bool = False, names: Collection[str] | None = None) -> Read:
    """As `read`, for a value that starts exactly at `start` and is known not to be valid JSON.

    Raises:
        Unreadable: as `read`.
    """
    cursor = Cursor(text, start, bounded, names)
    if cursor.match(ESCAPED, start) is not None:
        return read_escaped(text, start, lambda meant: read(meant, bounded=bounded, names=names))
    return _verdict(cursor, lambda: cursor.done(value(cursor, "")))


def read_members(text: str, start: int = 0, *, names: Collection[str] | None = None) -> Read:
    """The object at `start` whose opening brace is missing; bare keys count when they are among `names`.

    Raises:
        Unreadable: no key stands there, or the members cannot be read.
    """
    cursor = Cursor(text, start, True, names)
    return _verdict(cursor, lambda: cursor.done(members_without_brace(cursor)))


def read_call(text: str, start: int = 0, *, bounded: bool = False) -> CallText:
    """The Python-like call that starts at `start`.

    Raises:
        Unreadable: no `name(` stands there, or something in it is neither a value nor what may stand for one.
    """
    cursor = Cursor(text, start, bounded)
    return _verdict(cursor, lambda: calls.call(cursor))


def read_items(text: str, start: int, name: str, *, bounded: bool = False) -> CallText:
    """The call of `name` whose arguments start at `start` as items of a list: `city="Oslo", days=2]`.

    Raises:
        Unreadable: as for `read_call`.
    """
    cursor = Cursor(text, start, bounded)
    return _verdict(cursor, lambda: calls.listed(cursor, name, "]"))


def strict(text: str, start: int) -> Read | None:
    """The valid JSON value that starts exactly at `start`, by the standard parser; None when there is none.

    Not taken, though valid: numbers that a float cannot hold, half of a surrogate pair, more than `MAX_DEPTH` levels.
    """
    try:
        found, end = _STRICT.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if _is_too_deep(found, text, start, end) or not _is_writable(found, text, start, end):
        return None
    return Read(found, end)


def _verdict(cursor: Cursor, reading: Callable[[], R]) -> R:
    try:
        return reading()
    except Unreadable as problem:
        problem.stable = not cursor.touched_end
        problem.position = cursor.pos
        raise


def _is_too_deep(found: Any, text: str, start: int, end: int) -> bool:
    if text.count("{", start, end) + text.count("[", start, end) <= MAX_DEPTH:
        return False
    level = [found]
    for _ in range(MAX_DEPTH):  # in place, with exact types: this is most of what valid JSON costs beyond the standard parser
        level = [
            item
            for outer in level
            for item in (outer.values() if type(outer) is dict else outer)
            if type(item) is dict or type(item) is list
        ]
        if not level:
            return False
    return True


def _is_writable(found: Any, text: str, start: int, end: int) -> bool:
    """False when an escape stands for half of a surrogate pair, which UTF-8 cannot hold."""
    if _SURROGATE.search(text, start, end) is None:
        return True
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_no_constant, parse_float=numeral)
