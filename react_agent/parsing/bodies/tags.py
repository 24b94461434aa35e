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
_CDATA = re.compile(r"\s*<!\[CDATA\[(?P<text>.*)\]\]>\s*", re.S)
_ENTITY = {"&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&"}


def starts_tags(text: str, index: int) -> bool:
    """Does a function tag stand at `index`?"""
    return _FUNCTION.match(text, index) is not None


def read_tags(body: Body) -> list[Found]:
    """The function tags of the body, each with its parameters."""
    heads = list(_FUNCTION.finditer(body.text, body.start, body.end))
    found: list[Found] = []
    for index, head in enumerate(heads):
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
        return Written(name, keyed, head.start(), after, dialect, typeless=True)
    return Written(name, arguments, head.start(), after, dialect, cut=cut, typeless=True)


def _json_arguments(body: Body, name: str, start: int, inner: int, end: int, after: int) -> Written:
    try:
        value = read(body.text[:end], inner, bounded=body.bounded)
    except Unreadable:
        return Written(name, body.text[inner:end], start, after, body.dialect or "llama3_func_tag")
    return Written(name, value.value, start, after, body.dialect or "llama3_func_tag", value.fixes, value.cut)


def _parameters(body: Body, start: int, end: int, closed: bool) -> tuple[dict[str, object], bool]:
    heads = list(_PARAMETER.finditer(body.text, start, end))
    arguments: dict[str, object] = {}
    cut = False
    for index, head in enumerate(heads):
        key = (head["key"] or _entities(head["kimi"] or "")).strip()
        limit = heads[index + 1].start() if index + 1 < len(heads) else end
        stops = list(_PARAMETER_END.finditer(body.text, head.end(), limit))
        stop = stops[-1].start() if stops else limit
        cut = cut or not (stops or closed or body.bounded or index + 1 < len(heads))
        value = raw_value(body.text[head.end() : stop])
        if (head["attributes"] or "").strip() == 'string="false"' or key not in arguments:
            arguments[key] = value
    return arguments, cut


def _keyed_tags(body: Body, name: str, start: int, end: int) -> dict[str, object] | None:
    """`<city>Riga</city>`: parameters named by their tags, nested for objects, `<item>` for lists."""
    known = body.names.find(name)
    if known is None:
        return None
    return named_tags(body.text[start:end], known[0])


def named_tags(text: str, tool: Declared) -> dict[str, object] | None:
    """The parameters of the tool that are written as `<key>value</key>`, None when there are none.

    Tags inside a value are its members only where the schema wants members: elsewhere they are its text.
    """
    views = Views(tool.schema)
    found: dict[str, object] = {}
    index = 0
    while (match := _TAG.search(text, index)) is not None:
        key = match.group(1)
        if key not in tool.properties:
            index = match.end()
            continue
        close = text.find(f"</{key}>", match.end())
        if close < 0:
            return None
        inner = text[match.end() : close]
        found[key] = _nested(inner) if views.nests(tool.properties[key]) else raw_value(inner)
        index = close + len(key) + 3
    return found or None


_TAG = re.compile(r"<([^\W\d][\w\-]*)>")
_WHOLE_TAG = re.compile(r"\s*<([^\W\d][\w\-]*)>(.*?)</\1>\s*", re.S)


def _nested(text: str, depth: int = 0) -> object:
    """Tags inside a value: an object, or a list of `<item>`s; anything else is text."""
    items: list[tuple[str, object]] = []
    index = 0
    while depth < 8 and len(text) < 20_000 and (match := _WHOLE_TAG.match(text, index)) is not None:
        items.append((match.group(1), _nested(match.group(2), depth + 1)))
        index = match.end()
    if not items or text[index:].strip():
        return raw_value(text)
    if all(key == "item" for key, _ in items):
        return [value for _, value in items]
    return dict(items)


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
