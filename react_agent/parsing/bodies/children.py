"""Bodies with the name and the arguments in tags of their own.

    <name>f</name><arguments>{"k": "v"}</arguments>
    <tool_name>f</tool_name><parameters><k>v</k></parameters>
    <tool>f</tool><tool_input>v</tool_input>

The arguments are a JSON object, tags that are named like the parameters, read as in `tags`, or text.  Without a closing
tag the value in it is cut.
"""

from __future__ import annotations

import re

from react_agent.parsing.dialects.telling import told
from react_agent.parsing.settle import Written
from react_agent.repair.reader import Unreadable, read

from .body import Body, Found
from .tags import keyed_tags, raw_value

_HEAD = re.compile(
    r"\s*<(?P<tag>(?:tool_|function_)?name|tool|function|action)>\s*(?P<name>[^<>\n]{1,128}?)\s*</(?P=tag)>\s*"
    r"<(?P<inside>arguments|parameters|args|params|input|(?:tool|action)_(?:input|arguments|args))>"
)
_MAX_CALLS = 64


def starts_children(text: str, index: int) -> bool:
    """Does a name in tags stand at `index`, and a tag for its arguments behind it?"""
    return _HEAD.match(text, index) is not None


def read_children(body: Body) -> list[Found]:
    """The calls that follow each other from the start of the body."""
    found: list[Found] = []
    index = body.start
    while (head := _HEAD.match(body.text, index, body.end)) is not None and len(found) < _MAX_CALLS:
        closer = f"</{head['inside']}>"
        close = body.text.find(closer, head.end(), body.end)
        until = close if close >= 0 else body.end
        index = until + len(closer) if close >= 0 else body.end
        found.append(_call(body, head, until, index, cut=close < 0))
    return found


def _call(body: Body, head: re.Match[str], until: int, end: int, *, cut: bool) -> Written:
    name, dialect = head["name"], told(body.dialect, "children")
    start = head.start("tag") - 1
    if not body.text[head.end() : until].lstrip().startswith("{"):
        arguments = keyed_tags(body, name, head.end(), until) or raw_value(body.text[head.end() : until])
        return Written(name, arguments, start, end, dialect, cut=cut, typeless=True)
    try:
        value = read(body.text[:until], head.end(), bounded=not cut)
    except Unreadable:
        return Written(name, body.text[head.end() : until], start, end, dialect, cut=cut)
    return Written(name, value.value, start, end, dialect, value.fixes, cut or value.cut)
