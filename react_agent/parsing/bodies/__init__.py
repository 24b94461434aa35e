"""The body grammars, chosen by the first characters, whatever the opener was.

| first characters            | grammar                                              |
|-----------------------------|------------------------------------------------------|
| code fence                  | the inside of the fence                              |
| MiniMax's token             | `marked`                                             |
| function tag                | `tags`                                               |
| `<name>f</name><arguments>` | `children`                                           |
| `name: f` above `arguments:`| `lines`                                              |
| a text in quotes            | what is encoded in it                                |
| comment lines               | what stands below them                               |
| `call:name{`                | `braces`                                             |
| `[name(` or `name(`         | `python`                                             |
| `['name', key=`             | `python`, when no values are read                    |
| `{` or `[`                  | `values`                                             |
| a name                      | `named`                                              |
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.parsing.announcing import announces_example
from react_agent.repair.reader import OPENING, strict

from .body import Body, Found, WrittenAnswer
from .braces import read_braces, starts_braces
from .children import read_children, starts_children
from .lines import read_lines, starts_lines
from .marked import read_marked, starts_marked
from .named import NAME_HEAD, read_arguments, read_named
from .python import CALL_START, is_code, is_gap, read_listed, read_python, read_quoted, with_inner
from .tags import read_tags, read_tool_tag, starts_tags
from .values import MAX_VALUES, read_values, written_in

__all__ = [
    "CALL_START",
    "MAX_VALUES",
    "NAME_HEAD",
    "Body",
    "Found",
    "WrittenAnswer",
    "is_bare_name",
    "is_code",
    "is_gap",
    "read_arguments",
    "read_body",
    "read_python",
    "read_quoted",
    "read_tool_tag",
    "read_values",
    "with_inner",
    "written_in",
]

_FENCE = re.compile(r"\s*(```+|~~~+)[^\n`]*\n?")
_COMMENT = re.compile(r"(?:(?://|\#)[^\n]*\n\s*)+")
_REMARK = re.compile(r"[^{}\[\]<>\n]{1,80}[:：]\s{0,16}(?=\{)")
_UNMARKED = ("", "label", "name_line", "tag")
"""Where no mark opened the body."""
_BLANKS = re.compile(r"\s*")
_OPENED = re.compile(r"[({\[<（｛【]")
_PREFIX = re.compile(
    r"(?:[\s\ufeff\u200b]|\\n(?=\s*[{\[])|<(?:ifm\|)?tool_call(?::\w{1,16})?>|<\|tool_call\|>|json\s*(?=[{\[])|[:：]|"
    r"<[｜|]tool[▁_ ]call[▁_ ]begin[｜|]>|"
    r"(?:function)?<[｜|]tool[▁_ ]sep[｜|]>(?=\s*<))*"
)


def is_bare_name(text: str, start: int, end: int) -> bool:
    """Is there nothing but words?  Where no mark opens a call, the name of a tool speaks of the tool."""
    return _OPENED.search(text, start, end) is None


def read_body(body: Body) -> list[Found]:
    """The calls and answers of a body, in order; an empty list when it holds none."""
    if body.text.startswith("{", body.start):  # a shorter way to what follows
        return read_values(body) or read_listed(body)
    start = _PREFIX.match(body.text, body.start, body.end).end()  # type: ignore[union-attr]  # matches the empty text
    fence = _FENCE.match(body.text, start, body.end)
    if fence is not None:
        return read_body(body.at(fence.end(), _fence_end(body, fence.group(1), fence.end())))
    remark = _COMMENT.match(body.text, start, body.end)
    if remark is not None and not announces_example(body.text, remark.end()):
        return read_body(body.at(remark.end()))
    if starts_marked(body.text, start):
        return read_marked(body.at(start))
    if starts_children(body.text, start):
        return read_children(body.at(start))
    if starts_tags(body.text, start):
        return read_tags(body.at(start))
    if body.dialect not in _UNMARKED and starts_lines(body.text, start):
        return read_lines(body.at(start))
    if body.dialect not in _UNMARKED and body.text.startswith('"', start):
        return _encoded(body.at(start))
    if starts_braces(body.text, start):
        return read_braces(body.at(start))
    called = CALL_START.pattern.match(body.text, start, body.end)
    if called is not None and (found := read_quoted(body.at(start)) or read_python(body.at(start))):
        return found
    if body.text.startswith(OPENING, start):
        return read_values(body.at(start)) or read_listed(body.at(start))
    if called is not None:
        return []
    return read_named(body.at(start)) or _behind_remark(body.at(start))


def _encoded(body: Body) -> list[Found]:
    """The calls of a value that is written as JSON text; all of them stand where that stands."""
    text = strict(body.text, body.start)
    if text is None or not isinstance(text.value, str) or not text.value.lstrip().startswith(OPENING):
        return []
    found = read_values(Body(text.value, 0, len(text.value), body.names, body.dialect, True))
    return [replace(item, start=body.start, end=text.end) for item in found]


def _behind_remark(body: Body) -> list[Found]:
    """`Here is the call: {…}` between marks."""
    remark = _REMARK.match(body.text, body.start, body.end) if body.dialect not in _UNMARKED else None
    if remark is None or announces_example(body.text, remark.end()):
        return []
    return read_values(body.at(remark.end()))


def _fence_end(body: Body, ticks: str, start: int) -> int:
    """Where the inside of a fence ends; the same characters in a string of valid JSON do not end it."""
    at = _BLANKS.match(body.text, start, body.end).end()  # type: ignore[union-attr]  # matches the empty text
    value = strict(body.text, at) if body.text.startswith(OPENING, at) else None
    close = body.text.find(ticks, value.end if value else start, body.end)
    return close if close >= 0 else body.end
