"""Bodies made of Python-like calls: `f(x=1)`, `[f(x=1), g()]`, lines of calls, `print(f(...))`, `x = f(...)`.

Only literals are read; nothing is evaluated.
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.parsing.buffer import Marks
from react_agent.parsing.settle import Arguments, Written
from react_agent.repair.reader import CallText, Unreadable, read, read_call

from .body import Body, Found

_BETWEEN = re.compile(r"[\s,;\[\]()]*(?:#[^\n]*\n\s*)?")
_BEFORE = re.compile(r"(?:[^\W\d]\w*\s*(?::\s*\w+\s*)?=\s*)?(?:(?:print|await|return)\s*\(?\s*)?")
_MAX_CALLS = 64
CALL_START = Marks(r"\[?\s*[\"'`]?(?:[^\W\d]\w*\s*=\s*)?(?:print\s*\(\s*)?[^\W\d](?:[\w.\-]|\\_)*\s*\(")
"""Something like `name(` or `[name(`."""


def read_python(body: Body) -> list[Found]:
    """The calls that follow each other from the start of the body."""
    found: list[Found] = []
    text = body.text[: body.end]
    index = body.start
    while len(found) < _MAX_CALLS:
        index = _BETWEEN.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text
        before = _BEFORE.match(text, index)
        start = before.end() if before else index
        try:
            call = read_call(text, start, bounded=body.bounded)
        except Unreadable:
            break
        found.append(written(call, body, start))
        index = call.read.end
    return found


_QUOTED_LIST = re.compile(r"\s*\[\s*[\"'“‘`]")


def read_quoted(body: Body) -> list[Found]:
    """The calls in a list of strings: `["f(x=1)", "g()"]`; none when the body is anything else."""
    if _QUOTED_LIST.match(body.text, body.start, body.end) is None:
        return []
    try:
        value = read(body.source, bounded=body.bounded)
    except Unreadable:
        return []
    items = value.value if isinstance(value.value, list) else []
    if value.cut or not items or not all(isinstance(item, str) and CALL_START.pattern.match(item) for item in items):
        return []
    found: list[Found] = []
    for item in items[:_MAX_CALLS]:
        calls = read_python(Body(item, 0, len(item), body.names, body.dialect))
        found += [replace(call, start=body.start, end=body.start + value.end) for call in calls]
    return found


def written(call: CallText, body: Body, start: int) -> Written:
    """A call as read, told apart from `f.call(...)` and `tool_call(...)` by the names."""
    name = call.name
    if name.endswith(".call") and body.names.find(name) is None:
        name = name[:-5]
    fixes = tuple(fix for fix in call.read.fixes if fix.name not in ("other_quotes", "python_literal", "triple_quotes"))
    raw = Arguments(call.positional, call.keywords)
    dialect = "pythonic" if body.dialect in ("", "label") else body.dialect
    return Written(name, raw, start, call.read.end, dialect, fixes, call.read.cut)
