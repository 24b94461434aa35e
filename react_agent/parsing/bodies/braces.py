"""Gemma's braces: `call:f{k:<escape>v<escape>,n:1}` and `call:f{k:<|"|>v<|"|>,o:{n:5}}`.

The quote token is turned into a private character that the reader knows as a quote nobody types, so that whatever stands
between two of them is text.
"""

from __future__ import annotations

import re

from react_agent.parsing.dialects.telling import told
from react_agent.parsing.settle import Written
from react_agent.repair.characters import TOKEN_QUOTE
from react_agent.repair.reader import Unreadable, read, read_call

from .body import Body, Found
from .python import written

_HEAD = re.compile(r"\s*call\s*[:\s]\s*(?P<name>[^\s{}()<>]{1,128})\s*(?=[{(])")
_QUOTE = re.compile(r'<escape>|<\|"\|>')


def starts_braces(text: str, index: int) -> bool:
    """Does `call:name{` stand at `index`?"""
    return _HEAD.match(text, index) is not None


def read_braces(body: Body) -> list[Found]:
    """The calls of the body."""
    found: list[Found] = []
    index = body.start
    while (head := _HEAD.match(body.text, index, body.end)) is not None and len(found) < 64:
        plain = _QUOTE.sub(TOKEN_QUOTE, body.text[head.end() : body.end])
        try:
            if plain.startswith("("):
                call = read_call(head["name"] + plain, bounded=body.bounded)
                found.append(written(call, body, head.start()))
                return found
            value = read(plain, bounded=body.bounded)
        except Unreadable:
            return found
        end = _end_in_source(body, head.end(), plain, value.end)
        fixes = tuple(fix for fix in value.fixes if fix.name not in ("bare_key", "other_quotes"))
        found.append(Written(head["name"], value.value, head.start(), end, told(body.dialect, "braces"), fixes, value.cut))
        index = end
    return found


def _end_in_source(body: Body, start: int, plain: str, end: int) -> int:
    """Where plain[:end] ends in the source: each private character stood for a longer token."""
    index = start
    tokens = plain.count(TOKEN_QUOTE, 0, end)
    for match in list(_QUOTE.finditer(body.text, start, body.end))[:tokens]:
        index += len(match.group()) - 1
    return index + end
