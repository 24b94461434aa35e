"""The body grammars, chosen by the first characters, whatever the opener was.

| first characters            | grammar                                              |
|-----------------------------|------------------------------------------------------|
| code fence                  | the inside of the fence                              |
| function tag                | `tags`                                               |
| `call:name{`                | `braces`                                             |
| `[name(` or `name(`         | `python`                                             |
| `['name', key=`             | `python`, when no values are read                    |
| `{` or `[`                  | `values`                                             |
| a name                      | `named`                                              |
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.repair.reader import OPENING

from .body import Body, Found, WrittenAnswer
from .braces import read_braces, starts_braces
from .named import read_arguments, read_named
from .python import CALL_START, is_code, is_gap, read_listed, read_python, read_quoted
from .tags import read_tags, read_tool_tag, starts_tags
from .values import read_values, written_in

__all__ = [
    "CALL_START",
    "Body",
    "Found",
    "WrittenAnswer",
    "is_code",
    "is_gap",
    "read_arguments",
    "read_body",
    "read_python",
    "read_tool_tag",
    "read_values",
    "written_in",
]

_FENCE = re.compile(r"\s*(```+|~~~+)[^\n`]*\n?")
_PREFIX = re.compile(
    r"(?:[\s\ufeff\u200b]|<tool_call(?::\w{1,16})?>|<\|tool_call\|>|json\s*(?=[{\[])|[:：]|<[｜|]tool[▁_ ]call[▁_ ]begin[｜|]>|"
    r"(?:function)?<[｜|]tool[▁_ ]sep[｜|]>(?=\s*<))*"
)
_MARKER = "]<]minimax[>["


def read_body(body: Body) -> list[Found]:
    """The calls and answers of a body, in order; an empty list when it holds none."""
    if _MARKER in body.text[body.start : body.start + 4096] or _MARKER in body.text[max(0, body.start - 20) : body.start]:
        return _without_marker(body)
    start = _PREFIX.match(body.text, body.start, body.end).end()  # type: ignore[union-attr]  # matches the empty text
    fence = _FENCE.match(body.text, start, body.end)
    if fence is not None:
        close = body.text.find(fence.group(1), fence.end(), body.end)
        return read_body(body.at(fence.end(), close if close >= 0 else body.end))
    if starts_tags(body.text, start):
        return read_tags(body.at(start))
    if starts_braces(body.text, start):
        return read_braces(body.at(start))
    called = CALL_START.pattern.match(body.text, start, body.end)
    if called is not None and (found := read_quoted(body.at(start)) or read_python(body.at(start))):
        return found
    if body.text.startswith(OPENING, start):
        return read_values(body.at(start)) or read_listed(body.at(start))
    if called is not None:
        return []
    return read_named(body.at(start))


def _without_marker(body: Body) -> list[Found]:
    """MiniMax-M3 puts a token before every tag; without it the body is an ordinary one (spans then cover the whole body)."""
    plain = body.source.replace(_MARKER, "")
    inner = Body(plain, 0, len(plain), body.names, body.dialect, body.bounded)
    found = read_tags(inner) or read_body(inner)
    return [_placed(item, body) for item in found]


def _placed(item: Found, body: Body) -> Found:
    return replace(item, start=body.start, end=body.end)
