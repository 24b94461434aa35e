"""Python-like calls that leave nothing to decide: every argument is a keyword with a scalar, or a list of scalars, as written.

    f()    f(x=1, y="a", z=[1, 2.5], w=True)

In: text and a place in it.  Out: what `calls` reads there too, by one match for each argument.  The rule: what is read here is
read alike there; anything else is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .characters import LITERALS, OTHER_LITERALS
from .numerals import numeral

Note = Callable[[str, int], None]

_SCALAR = (
    r"""(?:"(?P<text>[^"\\\x00-\x1f()\[\]{}]*)"|'(?P<quoted>[^'\\\x00-\x1f()\[\]{}]*)'"""
    r"""|(?P<number>-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?)|(?P<literal>True|False|None|true|false|null))"""
)
_ITEM = re.sub(r"\?P<\w+>", "?:", _SCALAR)
_ITEMS = re.compile(rf"{_SCALAR},?\s*")
_ARGUMENT = re.compile(
    rf"(?P<key>[^\W\d]\w{{0,60}})=(?:{_SCALAR}|\[(?P<items>(?:{_ITEM}(?:,\s*{_ITEM})*)?)\])"
    r"(?:(?=\s*\))|,\s*(?=[^\W\d]\w{0,60}=[^=\s]))"
)
"""A keyword and its value, scalars without brackets and escapes in them, and behind it the end or the next keyword."""
_HEAD = re.compile(r"(?P<name>[^\W\d](?:[\w\-]|\\_)*(?:\.(?:[\w\-]|\\_)+)*)\([ \t\r\n]*")
_END = re.compile(r"[ \t\r\n]*\)")


def plain_call(text: str, start: int) -> tuple[str, dict[str, Any], int] | None:
    """The name and the keywords of the call that starts exactly at `start`, and where it ends; None when it is not plain."""
    head = _HEAD.match(text, start)
    if head is None:
        return None
    keywords, index = plain_arguments(text, head.end(), _unnoted)
    end = _END.match(text, index)
    return None if end is None else (head["name"], keywords, end.end())


def plain_arguments(text: str, start: int, note: Note) -> tuple[dict[str, Any], int]:
    """The plain arguments in front, and where they end; `note(fix, index)` is told of every liberty."""
    keywords: dict[str, Any] = {}
    while (match := _ARGUMENT.match(text, start)) is not None:
        keywords[match["key"]] = _value(match, note)
        start = match.end()
    return keywords, start


def _value(match: re.Match[str], note: Note) -> Any:
    kind = match.lastgroup or ""
    written = match[kind]
    if kind == "items":
        return [_value(item, note) for item in _ITEMS.finditer(match.string, *match.span(kind))]
    if kind == "number":
        return numeral(written) if "." in written else int(written)
    if kind == "quoted":
        note("other_quotes", match.start(kind) - 1)
    elif kind == "literal":
        if written in LITERALS:
            return LITERALS[written]
        note("python_literal", match.end(kind))
        return OTHER_LITERALS[written]
    return written


def _unnoted(fix: str, index: int) -> None:
    """Nobody asked."""
