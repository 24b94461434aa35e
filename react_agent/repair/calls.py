"""Python-like calls: `name(1, 'a', key=[True])`.  Only literals are read; nothing is evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .characters import CALL_NAME, KEYWORD
from .containers import each, value
from .cursor import Cursor, Read, Unreadable


@dataclass(frozen=True, slots=True)
class CallText:
    """`name(positional, key=value)` as written."""

    name: str
    positional: tuple[Any, ...]
    keywords: dict[str, Any]
    read: Read


def call(c: Cursor) -> CallText:
    """The call at the position.

    Raises:
        Unreadable: no `name(` stands there, or its arguments are not literals.
    """
    name = c.match(CALL_NAME, c.pos)
    if name is None:
        raise Unreadable("no name")
    c.pos = name.end()
    if c.blanks() != "(":
        raise Unreadable("no bracket")
    c.pos += 1
    positional, keywords = _arguments(c)
    return CallText(name.group(), tuple(positional), keywords, c.done(None))


def _arguments(c: Cursor) -> tuple[list[Any], dict[str, Any]]:
    """What stands in the brackets of a call; the closing one is passed."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}

    def argument() -> None:
        key = _keyword(c)
        if key is None:
            positional.append(value(c, "("))
        else:
            keywords[key] = value(c, "(")

    c.stack.append(")")
    each(c, ")", argument)
    c.stack.pop()
    return positional, keywords


def _keyword(c: Cursor) -> str | None:
    match = c.match(KEYWORD, c.pos)
    if match is None:
        return None
    c.pos = match.end()
    c.cut = c.cut or not c.blanks()
    return match.group(1).replace("\\_", "_")
