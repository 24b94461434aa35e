"""Bodies made of tags: a tag that names the function, tags that name the parameters, raw text between them.

    <function=f><parameter=k>v</parameter></function>                      Qwen3-Coder, Seed, Nemotron
    <invoke name="f"><parameter name="k">v</parameter></invoke>            Claude-style, MiniMax, DSML with any prefix
    <function name="f"><param name="k">v</param></function>                MiniCPM
    <f><k>v</k></f>                                                        Cline: the names of tools and keys are the tags
    <|open|>call tool="f"<|sep|><|open|>argument key="k" type="string"<|sep|>v<|close|>argument<|sep|>     Kimi K3

A value is no XML: no entities, inner blanks kept, one line break on each side removed.  It ends at the last closing tag before
the next parameter, so closing tags may be data.  All values are text; the schema decides their type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from react_agent.parsing.names import Declared
from react_agent.parsing.settle import Written
from react_agent.repair.reader import Unreadable, read
from react_agent.repair.views import Views

from .body import Body, Found

_FUNCTION = re.compile(
    r"<(?:[\w｜|‖]+[:｜|‖])?(?:function\s*=\s*|(?:invoke|function|tool|tool_call|call)\s+(?:name|tool)\s*=\s*)"
    r"[\"']?(?P<name>[^\"'<>\n]{1,128}?)[\"']?\s*/?>"
    r"|<\|open\|>call\s+tool=\"(?P<kimi>[^\"\n]{1,128})\"[^\n<]{0,80}<\|sep\|>"
)
_PARAMETER = re.compile(
    r"<(?:[\w｜|‖]+[:｜|‖])?(?P<tag>parameter|param|argument|arg)(?:\s*=\s*|\s+(?:name|key)\s*=\s*)"
    r"[\"']?(?P<key>[^\"'<>\n]{1,128}?)[\"']?(?:\s+(?P<attributes>[^<>\n]{0,80}))?\s*>"
    r"|<\|open\|>argument\s+key=\"(?P<kimi>[^\"\n]{1,128})\"[^\n<]{0,80}<\|sep\|>"
)
_FUNCTION_END = re.compile(r"</(?:[\w｜|‖]+[:｜|‖])?(?:invoke|function|tool|call)\s*>|<\|close\|>call<\|sep\|>")
_PARAMETER_END = re.compile(r"</(?:[\w｜|‖]+[:｜|‖])?(?:parameter|param|argument|arg)\s*>|<\|close\|>argument<\|sep\|>")
_MAX_CALLS = 64
_CDATA = re.compile(r"\s*<!\[CDATA\[(?P<text>.*)\]\]>\s*", re.S)
_ENTITY = {"&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&"}


def starts_tags(text: str, index: int) -> bool:
    """Does a function tag stand at `index`?"""
    return _FUNCTION.match(text, index) is not None


def read_tags(body: Body) -> list[Found]:
    """The function tags of the body, each with its parameters."""
    heads = list(islice(_FUNCTION.finditer(body.text, body.start, body.end), _MAX_CALLS + 1))
    found: list[Found] = []
    for index, head in enumerate(heads[:_MAX_CALLS]):
        if found and head.start() < found[-1].end:
            continue
        limit = heads[index + 1].start() if index + 1 < len(heads) else body.end
        found.append(_function(body, head, limit))
    return found


def _function(body: Body, head: re.Match[str], limit: int) -> Written:
    name = (head["name"] or _entities(head["kimi"])).strip()
    end, closed = limit, False
    for match in _FUNCTION_END.finditer(body.text, head.end(), limit):
        end, closed = match.start(), True
    after = end if not closed else _FUNCTION_END.match(body.text, end).end()  # type: ignore[union-attr]  # found above
    inner = body.text[head.end() : end]
    if inner.lstrip().startswith("{") and not _PARAMETER.search(inner):
        return _json_arguments(body, name, head.start(), head.end(), end, after)
    arguments, cut = _parameters(body, head.end(), end, closed)
    dialect = body.dialect or "qwen3_coder"
    if not arguments and (keyed := _keyed_tags(body, name, head.end(), end)) is not None:
        return Written(name, keyed, head.start(), after, dialect, cut=cut, typeless=True)
    return Written(name, arguments, head.start(), after, dialect, cut=cut, typeless=True)


def _json_arguments(body: Body, name: str, start: int, inner: int, end: int, after: int) -> Written:
    try:
        value = read(body.text[:end], inner, bounded=body.bounded)
    except Unreadable:
        return Written(name, body.text[inner:end], start, after, body.dialect or "llama3_func_tag")
    return Written(name, value.value, start, after, body.dialect or "llama3_func_tag", value.fixes, value.cut)


def _parameters(body: Body, start: int, end: int, closed: bool) -> tuple[dict[str, object], bool]:
    """The parameters by key, and whether what follows the last whole one was cut."""
    heads = list(_PARAMETER.finditer(body.text, start, end))
    arguments: dict[str, object] = {}
    bounded = closed or body.bounded or end < body.end
    cut, known = False, start
    for index, head in enumerate(heads):
        key = (head["key"] or _entities(head["kimi"] or "")).strip()
        limit = heads[index + 1].start() if index + 1 < len(heads) else end
        stops = list(_PARAMETER_END.finditer(body.text, head.end(), limit))
        stop = stops[-1].start() if stops else limit
        known = stops[-1].end() if stops else limit
        cut = cut or not (stops or bounded or index + 1 < len(heads))
        value = raw_value(body.text[head.end() : stop])
        if (head["attributes"] or "").strip() == 'string="false"' or key not in arguments:
            arguments[key] = value
    return arguments, cut or not (bounded or (arguments and not body.text[known:end].strip()))


def _keyed_tags(body: Body, name: str, start: int, end: int) -> dict[str, object] | None:
    """`<city>Riga</city>`: parameters named by their tags, nested for objects, `<item>` for lists."""
    known = body.names.find(name)
    if known is None:
        return None
    return _by_key(body.text[start:end], known[0])[0] or None


def read_tool_tag(body: Body, tool: Declared, alone: bool) -> Written | None:
    """The call in the inside of a tag that is named like `tool`: parameters in tags, or the raw text of the only one.

    A tag is ordinary markup too: without parameters in it, it is a call only where it stands `alone` on its lines.
    """
    arguments, end = _by_key(body.source, tool)
    rest = body.source[end:].strip()
    if arguments:
        return Written(tool.name, arguments, 0, 0, "cline_xml", cut=bool(rest) and not body.bounded, typeless=True)
    if not alone or (rest and not tool.required):
        return None
    return Written(tool.name, rest or {}, 0, 0, "cline_xml", cut=not body.bounded, typeless=True)


_TAG = re.compile(r"<([^\W\d][\w\-]*)>")
_WHOLE_TAG = re.compile(r"\s*<([^\W\d][\w\-]*)>(.*?)</\1>\s*", re.S)


def _by_key(text: str, tool: Declared) -> tuple[dict[str, object], int]:
    """The parameters of the tool that are written as `<key>value</key>`, and where the last whole one ends."""
    views = Views(tool.schema)
    found: dict[str, object] = {}
    index = end = 0
    while (match := _TAG.search(text, index)) is not None:
        key = match.group(1)
        index = match.end()
        if key not in tool.properties:
            continue
        close = text.find(f"</{key}>", index)
        if close < 0:
            break
        found[key] = _value(text[index:close], tool.properties[key], views)
        index = end = close + len(key) + 3
    return found, end


def _value(text: str, schema: Any, views: Views, depth: int = 0) -> object:
    """What stands between the tags of a key.  Where no container may stand it is text, whatever it looks like; elsewhere tags
    in it are the members of an object, or the `<item>`s of a list."""
    if not views.nests(schema) or depth >= 8 or len(text) >= 20_000:
        return raw_value(text)
    view = views.of(schema)
    properties: Mapping[str, Any] = view.get("properties") or {}
    items: list[tuple[str, object]] = []
    index = 0
    while (match := _WHOLE_TAG.match(text, index)) is not None:
        key = match.group(1)
        inner = view.get("items") if key == "item" else properties.get(key)
        items.append((key, _value(match.group(2), {} if inner is None else inner, views, depth + 1)))
        index = match.end()
    if not items or text[index:].strip():
        return raw_value(text)
    return [value for _, value in items] if all(key == "item" for key, _ in items) else dict(items)


def raw_value(text: str) -> str:
    """A raw value: one line break on each side is layout, CDATA is a wrapper."""
    match = _CDATA.fullmatch(text) if "<![CDATA[" in text else None
    if match is not None:
        return match["text"]
    text = text[1:] if text.startswith("\n") else text[2:] if text.startswith("\r\n") else text
    return text[:-2] if text.endswith("\r\n") else text[:-1] if text.endswith("\n") else text


def _entities(text: str) -> str:
    for entity, char in _ENTITY.items():
        text = text.replace(entity, char)
    return text
