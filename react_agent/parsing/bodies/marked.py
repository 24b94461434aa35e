"""MiniMax-M3's tags: a token before every tag, so that whatever stands between two tokens is text.

    ]<]minimax[>[<invoke name="f">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[</invoke>

Arguments are tags named after them, or `<parameter name="city">`; objects are nested tags, lists are `<item>`s.
"""

from __future__ import annotations

import re

from react_agent.parsing.settle import Written

from .body import Body, Found
from .tags import raw_value

MARKER = "]<]minimax[>["
_HEAD = re.compile(re.escape(MARKER) + r"<invoke\s+name=[\"']?(?P<name>[^\"'<>\n]{1,128})[\"']?\s*>")
_TAG = re.compile(
    re.escape(MARKER) + r"<(?P<end>/?)(?:parameter\s+name=[\"']?(?P<key>[^\"'<>\n]{1,128})[\"']?|(?P<tag>[^\s<>/]{1,128}))\s*>"
)
_MAX_CALLS = 64
_MAX_DEPTH = 16


def starts_marked(text: str, index: int) -> bool:
    """Does the token stand at `index`, before a tag?"""
    return text.startswith(f"{MARKER}<", index)


def read_marked(body: Body) -> list[Found]:
    """The calls of the body."""
    found: list[Found] = []
    index = body.start
    while len(found) < _MAX_CALLS and (head := _HEAD.search(body.text, index, body.end)) is not None:
        arguments, index, cut = _members(body, head.end(), 0)
        found.append(Written(head["name"], dict(arguments), head.start(), index, body.dialect, cut=cut, typeless=True))
    return found


def _members(body: Body, index: int, depth: int) -> tuple[list[tuple[str, object]], int, bool]:
    """The elements up to the tag that ends what they are in; where that is, and whether the text ended before."""
    members: list[tuple[str, object]] = []
    while (tag := _TAG.search(body.text, index, body.end)) is not None and not tag["end"]:
        value, index, cut = _value(body, tag.end(), depth + 1)
        if cut:
            return members, index, True
        members.append((tag["key"] or tag["tag"], value))
    cut = tag is None and not body.bounded and bool(body.text[index : body.end].strip())
    return members, tag.end() if tag else body.end, cut


def _value(body: Body, index: int, depth: int) -> tuple[object, int, bool]:
    """The text of an element, or its elements."""
    tag = _TAG.search(body.text, index, body.end)
    if tag is None or tag["end"] or depth > _MAX_DEPTH:
        stop = tag.start() if tag else body.end
        return raw_value(body.text[index:stop]), tag.end() if tag else body.end, tag is None and not body.bounded
    members, end, cut = _members(body, index, depth)
    if all(name == "item" for name, _ in members):
        return [value for _, value in members], end, cut
    return dict(members), end, cut
