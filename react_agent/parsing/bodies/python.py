"""Bodies made of Python-like calls, as models really write them.

    f(x=1)    [f(x=1), g()]    lines of calls    print(f(...))    x, y = f(...)    f(...) + g(...)    [f(...)][0]["key"]
    ["f(x=1)", 'g(y=2)']       calls as text in lists       ['f'(x=1)]      [{'f(x=1)'}]
    ['f', x=1, y=2]            a call as a list of its name and its arguments

Only literals are read and nothing is evaluated.  What stands between two calls does not matter; a call inside another one comes
first, and the outer one cannot be made before its result is known.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import regex

from react_agent.parsing.buffer import Marks
from react_agent.parsing.dialects.telling import told
from react_agent.parsing.forms import Arguments
from react_agent.parsing.settle import Written
from react_agent.repair.characters import BLANK
from react_agent.repair.reader import CallText, Unreadable, read, read_call, read_items

from .body import Body, Found

GAP = regex.compile(
    r"""(?:[\s,;(){}"'`“”+*|/\\-]|\[(?:\d{1,4}|'[^'\n\[\]]{0,60}'|"[^"\n\[\]]{0,60}")\]|[\[\]]|\b(?:or|and)\b|\#[^\n]*)*+"""
)
"""What may stand between two calls: separators, brackets, quotes, operators, subscripts, comments."""
_TARGETS = r"[^\W\d]\w{0,40}(?:,[ ]?[^\W\d]\w{0,40}){0,4}"
_BEFORE = re.compile(rf"(?:{_TARGETS}\s*(?::\s*\w+\s*)?=\s*)?(?:(?:print|await|return)\b\s*\(?\s*)?")
_ASSIGNED = re.compile(rf"{_TARGETS}(?=\s*(?::\s*\w+\s*)?=)")
_VARIABLE = re.compile(r"\w+")
_NEXT = regex.compile(r"""(?:[,;+|\n]|\[)[\s"'`\[{(]{0,16}(?=(?P<name>[^\W\d](?:[\w.\-]|\\_){0,127})["'`]?\()""")
_TYPES = frozenset(
    ("str", "string", "int", "integer", "float", "number", "bool", "boolean", "list", "array", "dict", "object", "any", "none")
)
_LISTED = re.compile(r"""(?P<name>[^\W\d](?:[\w.\-]|\\_)*)["'`]?\s*,\s*(?=[^\W\d](?:\w|\\_)*\s*=(?!=))""")
_QUOTED_LIST = re.compile(r"\s*\[\s*[\"'“‘`]")
_BETWEEN = re.compile(r"[\s,;]*")
_NOTATION = ("other_quotes", "python_literal", "triple_quotes")
_MAX_CALLS = 64
_MAX_UNREADABLE = 16
_CALLED = r"[^\W\d](?:[\w.\-]|\\_)*"
CALL_START = Marks(
    rf"(?:\[[\s\[]{{0,40}})?[\"'`]?(?:{_TARGETS}\s*=\s*|return[ \t]{{1,4}})?(?:print\s*\(\s*)?{_CALLED}(?:[\"'`]\(|\s*\()"
    rf"|\[\s{{0,8}}\{{\s{{0,8}}[\"'`]{_CALLED}\("
)
"""Something like `name(`, `[name(`, `['name'(` or `[{'name(`."""


def is_gap(text: str, start: int, end: int) -> bool:
    """Does text[start:end] hold nothing that matters behind a call?"""
    return GAP.match(text, start, end).end() >= len(text[:end].rstrip(" \t\r\n.。"))  # type: ignore[union-attr]


def is_code(text: str, start: int, end: int) -> bool:
    """Does text[start:end] begin with a call?"""
    return CALL_START.pattern.match(text, BLANK.match(text, start).end(), end) is not None  # type: ignore[union-attr]


def read_python(body: Body) -> list[Found]:
    """The calls that follow each other from the start of the body; one that cannot be read is left out."""
    text = body.text[: body.end]
    found: list[Written] = []
    assigned: set[str] = set()
    index, unreadable = body.start, 0
    while len(found) < _MAX_CALLS:
        index = GAP.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text
        if index >= len(text):
            break
        start = _BEFORE.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text
        try:
            call = read_call(text, start, bounded=body.bounded)
        except Unreadable:
            index = _next_known(body, text, start)
            unreadable += 1
            if index < 0 or unreadable > _MAX_UNREADABLE:
                break
            continue
        found += with_inner(call, body, start, assigned, found)
        variable = _ASSIGNED.match(text, index, start)
        if variable is not None:
            assigned.update(_VARIABLE.findall(variable.group()))
        index = call.read.end
    return list(found)


def _next_known(body: Body, text: str, index: int) -> int:
    """Where the next call of a declared tool starts behind one that cannot be read; -1 when there is none."""
    if CALL_START.pattern.match(text, index) is None:
        return -1
    for match in _NEXT.finditer(text, index):
        if body.names.find(match["name"]) is not None:
            return int(match.end())
    return -1


def with_inner(call: CallText, body: Body, start: int, assigned: set[str], before: list[Written]) -> list[Written]:
    """The calls of declared tools inside a call, but for those that were made before, and then the call itself."""
    inner = [item for a, b in call.inner for item in read_python(body.at(a, b)) if isinstance(item, Written)]
    made = [(item.name, item.raw) for item in before]
    known = [item for item in inner if body.names.find(item.name) and (item.name, item.raw) not in made]
    return [*known, *(written(item, body, start) for item in _each(_without_variables(call, assigned), body))]


def _each(call: CallText, body: Body) -> list[CallText]:
    """`f({"x": 1}, {"x": 2})`: several sets of arguments are several calls."""
    known = body.names.find(call.name)
    sets = call.positional
    if known is None or call.keywords or len(sets) < 2:
        return [call]
    if not all(isinstance(item, dict) and item and item.keys() <= known[0].properties.keys() for item in sets):
        return [call]
    return [replace(call, positional=(item,)) for item in sets]


def _without_variables(call: CallText, assigned: set[str]) -> CallText:
    """A name is no value: a variable that was assigned before, the parameter itself, a type."""
    hollow = {key: f"<{value}>" for key in call.unquoted if key and _is_hollow(key, value := call.keywords[key], assigned)}
    return replace(call, keywords={**call.keywords, **hollow}) if hollow else call


def _is_hollow(key: str, value: str, assigned: set[str]) -> bool:
    return value == key or value.lower() in _TYPES or re.split(r"\W", value, maxsplit=1)[0] in assigned


def read_quoted(body: Body) -> list[Found]:
    """The calls in lists of strings that follow each other: `["f(x=1)", "g()"], ["h()"]`; none when one cannot be read."""
    found: list[Found] = []
    text, index = body.text[: body.end], body.start
    while _QUOTED_LIST.match(text, index) is not None and len(found) < _MAX_CALLS:
        try:
            value = read(text, index, bounded=body.bounded)
        except Unreadable:
            return []
        items = value.value if isinstance(value.value, list) and not value.cut else []
        calls = read_strings(items, body.at(index, value.end))
        if not calls:
            return []
        found += calls
        index = _BETWEEN.match(text, value.end).end()  # type: ignore[union-attr]  # matches the empty text
    return found


def read_strings(items: list[Any], body: Body) -> list[Found]:
    """The calls in a list of strings that fills the body; none when it holds anything else."""
    if not all(isinstance(item, str) and CALL_START.pattern.match(item) for item in items):
        return []
    found: list[Found] = []
    for item in items[:_MAX_CALLS]:
        calls = read_python(Body(item, 0, len(item), body.names, body.dialect))
        if not calls or any(call.cut for call in calls):
            return []
        found += [replace(call, start=body.start, end=body.end) for call in calls]
    return found


def read_listed(body: Body) -> list[Found]:
    """The calls written as lists of a declared name and its arguments: `['f', x=1], ['g', y=2]`."""
    found: list[Found] = []
    text = body.text[: body.end]
    index = body.start
    while len(found) < _MAX_CALLS:
        index = GAP.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text
        head = _LISTED.match(text, index)
        if head is None or body.names.find(head["name"]) is None:
            break
        try:
            call = read_items(text, head.end(), head["name"], bounded=body.bounded)
        except Unreadable:
            break
        found.append(written(call, body, head.start()))
        index = call.read.end
    return found


def written(call: CallText, body: Body, start: int) -> Written:
    """A call as read, told apart from `f.call(...)` and `tool_call(...)` by the names."""
    name = call.name
    if name.endswith(".call") and body.names.find(name) is None:
        name = name[:-5]
    fixes = tuple(fix for fix in call.read.fixes if fix.name not in _NOTATION)
    raw = Arguments(call.positional, call.keywords)
    return Written(name, raw, start, call.read.end, told(body.dialect, "python"), fixes, call.read.cut)
