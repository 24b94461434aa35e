"""Bodies made of labelled lines between marks: the name behind one label, the arguments behind another.

    name: f⏎arguments: {"k": "v"}
    Action: f⏎Action Input: {"k": "v"}
    name: f⏎arguments:⏎  k: v⏎  n: 1

The arguments are one JSON value, or text that `forms` reads: pairs on lines, or the only parameter.
"""

from __future__ import annotations

import re

from react_agent.parsing.dialects.telling import told
from react_agent.parsing.settle import Written
from react_agent.repair.reader import OPENING, Unreadable, read

from .body import Body, Found

_HEAD = re.compile(
    r"(?:(?:tool|function|action)[_ ]?(?:name)?|name)[ \t]{0,8}[:：][ \t]{0,8}"
    r"[\"'`]?(?P<name>[^\s\"'`{}\[\]<>]{1,128})[\"'`]?[ \t]*\n\s{0,16}"
    r"(?:(?:tool|function|action)[_ ])?(?:arguments|args|parameters|params|input)[ \t]{0,8}[:：]\s{0,16}",
    re.I,
)


def starts_lines(text: str, index: int) -> bool:
    """Do the labels of a name and of its arguments stand at `index`?"""
    return _HEAD.match(text, index) is not None


def read_lines(body: Body) -> list[Found]:
    """The call of the body."""
    head = _HEAD.match(body.text, body.start, body.end)
    if head is None:
        return []
    name, dialect = head["name"], told(body.dialect, "name")
    rest = body.text[head.end() : body.end].strip()
    if not rest.startswith(OPENING):
        return [Written(name, rest, body.start, body.end, dialect, cut=not body.bounded, typeless=True)]
    try:
        value = read(body.text[: body.end], head.end(), bounded=body.bounded)
    except Unreadable:
        return [Written(name, rest, body.start, body.end, dialect, cut=not body.bounded)]
    return [Written(name, value.value, body.start, value.end, dialect, value.fixes, value.cut)]
