"""Python-like calls as models really write them: `name(1, 'a', key=[True])`.

Only literals are read, and nothing is evaluated.  Where a keyword has no literal, these stand for its value:

    city=New York, days=2     text without quotes, up to the comma before the next keyword or the bracket that ends the call
    rate=5 / 100              the same: whether it is arithmetic, the schema decides (`fit`)
    rows=sort(rows)           an inner call is no value: `inner` says where it stands, and `<result of sort>` stands for it
    order=lambda x: x[1]      text, for a parameter that wants a function

Text without quotes is taken for a keyword alone: `f(city, days)` is a signature and no call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .characters import (
    CALL_NAME,
    CALLED,
    CLOSERS,
    CLOSING,
    COMMA,
    ESCAPED_QUOTE,
    KEYWORD,
    LITERAL,
    PAIR,
    STRING_PREFIX,
    UNQUOTED_MARK,
)
from .containers import each, value
from .cursor import Cursor, Read, Unreadable
from .plain import plain_arguments
from .scalars import number

MAX_UNQUOTED = 2000
MAX_INNER = 6
_OPERATORS = frozenset("+-*/%|.[(")


@dataclass(frozen=True, slots=True)
class CallText:
    """`name(positional, key=value)` as written.

    `unquoted` are the keywords whose text had no quotes, `inner` the places of expressions that hold calls.
    """

    name: str
    positional: tuple[Any, ...]
    keywords: dict[str, Any]
    read: Read
    unquoted: tuple[str, ...] = ()
    inner: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class _Arguments:
    """The arguments so far."""

    positional: list[Any] = field(default_factory=list)
    keywords: dict[str, Any] = field(default_factory=dict)
    unquoted: dict[str, None] = field(default_factory=dict)
    inner: list[tuple[int, int]] = field(default_factory=list)


def call(c: Cursor) -> CallText:
    """The call at the position; a quote may stand between its name and the bracket.

    Raises:
        Unreadable: no `name(` stands there, or something in it is neither a value nor one of the above.
    """
    name = c.match(CALL_NAME, c.pos)
    if name is None:
        raise Unreadable("no name")
    c.pos = name.end()
    if c.peek() in ('"', "'", "`") and c.at(c.pos + 1) == "(":
        c.pos += 1
    if c.blanks() != "(":
        raise Unreadable("no bracket")
    c.pos += 1
    return listed(c, name.group(), ")")


def listed(c: Cursor, name: str, closer: str) -> CallText:
    """The call of `name` whose arguments start at the position and end with `closer`, which is passed.

    Raises:
        Unreadable: as for `call`.
    """
    a = _Arguments()
    c.stack.append(closer)
    if closer == ")":
        a.keywords, c.pos = plain_arguments(c.text, c.pos, c.fix)
    each(c, closer, lambda: _argument(c, a))
    c.stack.pop()
    return CallText(name, tuple(a.positional), a.keywords, c.done(None), tuple(a.unquoted), tuple(a.inner))


def _argument(c: Cursor, a: _Arguments) -> None:
    match = c.match(KEYWORD, c.pos)
    if match is not None:
        c.pos = match.end()
        key = match["key"].replace("\\_", "_")
        a.unquoted.pop(key, None)  # a keyword that comes again has its last value
        a.keywords[key] = _value_of(c, key, a)
    elif c.peek() == "*" and c.at(c.pos + 1) == "*" and c.at(c.pos + 2) == "{":
        c.pos += 2
        a.positional.append(value(c, "("))
    elif c.match(CALLED, c.pos) is not None:
        a.positional.append(_without_quotes(c, "", a))
    else:
        a.positional.append(value(c, "("))


def _value_of(c: Cursor, key: str, a: _Arguments) -> Any:
    """The value of a keyword: a literal, when nothing but a separator follows it."""
    char, start = c.blanks(), c.pos
    if not char:
        c.cut = True
        return None
    if char in CLOSERS or char in COMMA:
        raise Unreadable("a key without a value")
    fixes, cut = dict(c.fixes), c.cut
    if _is_literal(c, char):
        found = value(c, "(")
        if c.cut or not _operator_follows(c):
            return found
    c.pos, c.fixes, c.cut = start, fixes, cut
    return _without_quotes(c, key, a)


def _is_literal(c: Cursor, char: str) -> bool:
    if char in CLOSING or char in "{[｛［":
        return True
    if char in "(（":
        return "," in c.text[c.pos : c.pos + MAX_UNQUOTED].partition(")")[0]
    if char in "-+." or char.isdigit():
        start, fixes, cut = c.pos, dict(c.fixes), c.cut
        found = number(c, "(")
        c.pos, c.fixes, c.cut = start, fixes, cut
        return found is not None
    return any(c.match(pattern, c.pos) is not None for pattern in (ESCAPED_QUOTE, LITERAL, STRING_PREFIX))


def _operator_follows(c: Cursor) -> bool:
    """Does the literal just read belong to an expression?  Blanks before the operator do not count, a line break does."""
    index = c.pos
    while c.at(index) in (" ", "\t"):
        index += 1
    return c.at(index) in _OPERATORS


def _without_quotes(c: Cursor, key: str, a: _Arguments) -> str:
    """Text without quotes for `key` ("" for none), or what stands for an inner call."""
    start, stop = c.pos, _stop(c, key)
    written = c.text[start:stop].strip()
    c.pos = stop
    if not written:
        raise Unreadable("no value")
    called = None if written.startswith("lambda") else CALLED.search(written)
    if called is not None:
        a.inner.append((start, stop))
        return f"<result of {called['name']}>"
    c.fix("bare_string")
    a.unquoted[key] = None
    return written


def _stop(c: Cursor, key: str) -> int:
    """Where text without quotes ends: brackets inside it are closed, strings inside it are stepped over."""
    depth, index, limit = 0, c.pos, c.pos + MAX_UNQUOTED
    while (mark := UNQUOTED_MARK.search(c.text, index, limit)) is not None:
        char = mark.group()
        if char in "([{":
            depth += 1
            if depth > MAX_INNER:
                c.pos = mark.end()  # how far was looked in vain
                raise Unreadable("nested too deep")
        elif char in ")]}":
            if depth == 0:
                return mark.start()
            depth -= 1
        elif depth == 0 and (char == "\n" or (char == "," and (not key or _argument_follows(c, mark.end())))):
            return mark.start()
        index = mark.end()
    if limit < c.size:
        c.pos = limit
        raise Unreadable("text without quotes and without an end")
    c.touched_end = c.cut = True
    return c.size


def _argument_follows(c: Cursor, index: int) -> bool:
    """Behind a comma: a keyword, or the end of the call."""
    start = c.skip(index)
    return c.at(start) in CLOSERS or c.match(PAIR, start) is not None
