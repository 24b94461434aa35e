"""Bodies made of tags: a tag that names the function, tags that name the parameters, raw text between them.

    <function=f><parameter=k>v</parameter></function>                      Qwen3-Coder, Seed, Nemotron
    <invoke name="f"><parameter name="k">v</parameter></invoke>            Claude-style, MiniMax, DSML with any prefix
    <function name="f"><param name="k">v</param></function>                MiniCPM
    <f><k>v</k></f>                                                        Cline: the names of tools and keys are the tags
    <|open|>call tool="f"<|sep|><|open|>argument key="k" type="string"<|sep|>v<|close|>argument<|sep|>     Kimi K3

A value is no XML: no entities, inner blanks kept, one line break on each side removed.  It ends at the last closing tag before
the next parameter, so closing tags may be data; where there is none, at a closing tag that is misspelt or named like the
parameter.  A function tag in a value that is closed behind it is data, and so is a whole call in one.  All values are text; the
schema decides their type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from react_agent.parsing.dialects.telling import told
from react_agent.parsing.names import Declared
from react_agent.parsing.settle import Written
from react_agent.repair.reader import Unreadable, read, strict
from react_agent.repair.views import Views

from .body import Body, Found

_WRITTEN = r"[^\s\"'<>](?:[^\"'<>\n]{0,126}?[^\s\"'<>])??"
"""A name: no blank begins or ends it, so that blanks around it can be read in one way only."""
_FUNCTION = re.compile(
    r"<(?:[\w｜|‖]+[:｜|‖])?(?:function\s*=\s*|(?:invoke|function|tool|tool_call|call)\s+(?:name|tool)\s*=\s*)"
    rf"[\"']?\s{{0,4}}(?P<name>{_WRITTEN})[\"']?(?:\s*/?>|\s{{0,4}}\(?\s{{0,4}}(?=\{{))"
    r"|<\|open\|>call\s+tool=\"(?P<kimi>[^\"\n]{1,128})\"[^\n<]{0,80}<\|sep\|>"
    r"(?:\s{0,8}<\|open\|>json[^\n<]{0,80}<\|sep\|>)?"
)
_PARAMETER = re.compile(
    r"<(?:[\w｜|‖]+[:｜|‖])?(?P<tag>parameter|param|argument|arg)(?:\s*=\s*|\s+(?:name|key)\s*=\s*)"
    rf"[\"']?\s{{0,4}}(?P<key>{_WRITTEN})[\"']?(?:\s+(?P<attributes>[^\s<>][^<>\n]{{0,79}}))?\s*>"
    r"|<\|open\|>argument\s+key=\"(?P<kimi>[^\"\n]{1,128})\"[^\n<]{0,80}<\|sep\|>"
)
_FUNCTION_END = re.compile(r"</(?:[\w｜|‖]+[:｜|‖])?(?:invoke|function|tool|call)\s*>|<\|close\|>call<\|sep\|>")
_PARAMETER_END = re.compile(r"</(?:[\w｜|‖]+[:｜|‖])?(?:parameter|param|argument|arg)\s*>|<\|close\|>argument<\|sep\|>")
_MISSPELT_END = r"</(?:[\w｜|‖]+[:｜|‖])?(?:(?:parameter|param|argument|arg)[\w/]{0,24}|%s)\s{0,4}>?\s*\Z"
BEGUN_END = re.compile(r"\s*(?:(?:</|<\|close\|>)[^<>]{0,60}(?:<[^<>]{0,8})?)?")
"""Nothing, or the beginning of a closing mark: no further argument was begun."""
_LONGEST_END = 200
_MAX_CALLS = 64
_CDATA = re.compile(r"\s*<!\[CDATA\[(?P<text>.*)\]\]>\s*", re.S)
_XTML = ("<|open|>", "<|close|>")
_LAYOUT = 16
"""Blanks that may stand between a function tag and its JSON."""
_OPENS, _IS_FUNCTION = 1, 2
Spans = Sequence[tuple[int, int]]
_ENTITY = {"&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&"}


def starts_tags(text: str, index: int) -> bool:
    """Does a function tag stand at `index`?"""
    return _FUNCTION.match(text, index) is not None


def read_tags(body: Body) -> list[Found]:
    """The function tags of the body, each with its parameters."""
    found: list[Found] = []
    around = _around_calls(body)
    head = _FUNCTION.search(body.text, body.start, body.end)
    while head is not None and len(found) < _MAX_CALLS:
        data = _data_end(body, head.end())
        heads = _outside(around, _same_kind(_FUNCTION.finditer(body.text, data, body.end), head))
        following = next(_outside_values(body, heads, data), None)
        found.append(_function(body, head, data, following.start() if following else body.end, around))
        head = following
    return found


def _outside_values(body: Body, heads: Iterable[re.Match[str]], start: int) -> Iterator[re.Match[str]]:
    """Of these function tags behind `start` those that are no data: not in a value that is closed behind them."""
    close = _PARAMETER_END.search(body.text, start, body.end)
    value_end = start
    for head in heads:
        while close is not None and close.end() <= head.start():
            start, close = close.end(), _PARAMETER_END.search(body.text, close.end(), body.end)
        opened = close is not None and (head.start() < value_end or _PARAMETER.search(body.text, start, head.start()))
        if (
            close is None
            or not opened
            or (head.start() >= value_end and _PARAMETER.search(body.text, head.end(), close.start()))
        ):
            yield head
        else:
            value_end = close.start()


def _around_calls(body: Body) -> Spans:
    """The values, as spans between their tags, that hold whole calls: the tags of parameters in them pair up."""
    tags = sorted(
        (match.start(), match.end(), kind)
        for kind, pattern in enumerate((_PARAMETER_END, _PARAMETER, _FUNCTION))
        for match in pattern.finditer(body.text, body.start, body.end)
    )
    spans: list[tuple[int, int]] = []
    open_values: list[tuple[int, int]] = []
    functions = 0
    for start, end, kind in tags:
        if kind == _IS_FUNCTION:
            functions += 1
        elif kind == _OPENS:
            open_values.append((end, functions))
        elif open_values:
            inner, before = open_values.pop()
            if functions > before:
                while spans and spans[-1][0] > inner:
                    spans.pop()
                spans.append((inner, start))
    return spans


def _outside(spans: Spans, tags: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Of these tags, which come in order, those that are in none of the spans."""
    rest = iter(spans)
    span = next(rest, None)
    for tag in tags:
        while span is not None and span[1] <= tag.start():
            span = next(rest, None)
        if span is None or tag.start() < span[0]:
            yield tag


def _name(head: re.Match[str]) -> str:
    return (head["name"] or _entities(head["kimi"])).strip()


def _data_end(body: Body, start: int) -> int:
    """Behind the valid JSON object at `start`, whose strings may hold tags; `start` when there is none."""
    at = start + len(body.text[start : start + _LAYOUT]) - len(body.text[start : start + _LAYOUT].lstrip())
    value = strict(body.text, at) if body.text.startswith("{", at) else None
    return value.end if value and value.end <= body.end else start


def _function(body: Body, head: re.Match[str], data: int, limit: int, around: Spans) -> Written:
    name = _name(head)
    end, closed = limit, False
    for match in _same_kind(_FUNCTION_END.finditer(body.text, data, limit), head):
        end, closed = match.start(), True
    after = end if not closed else _FUNCTION_END.match(body.text, end).end()  # type: ignore[union-attr]  # found above
    inner = body.text[head.end() : end]
    if data > head.end() or (inner.lstrip().startswith(("{", "｛", '"')) and not _PARAMETER.search(inner)):
        return _json_arguments(body, name, head.start(), head.end(), end, after)
    arguments, cut = _parameters(body, head, end, closed, around)
    dialect = told(body.dialect, _grammar(head.group()))
    if not arguments and (keyed := keyed_tags(body, name, head.end(), end)) is not None:
        return Written(name, keyed, head.start(), after, dialect, cut=cut, typeless=True)
    return Written(name, arguments, head.start(), after, dialect, cut=cut, typeless=True)


def _json_arguments(body: Body, name: str, start: int, inner: int, end: int, after: int) -> Written:
    dialect = told(body.dialect, "json_in_tag")
    try:
        value = read(body.text[:end], inner, bounded=body.bounded)
    except Unreadable:
        return Written(name, body.text[inner:end], start, after, dialect)
    return Written(name, value.value, start, after, dialect, value.fixes, value.cut)


def _grammar(head: str) -> str:
    """The name of the grammar that a function tag begins, as `telling` knows it."""
    if "DSML" in head:
        return "dsml"
    if head.startswith("<steptml"):
        return "steptml"
    if "invoke" in head:
        return "invoke"
    return "parameters" if "=" in head.split("name")[0] else "function"


def _same_kind(tags: Iterable[re.Match[str]], head: re.Match[str]) -> Iterator[re.Match[str]]:
    """Of these tags those that are written as `head` is: with control tokens, or in angle brackets."""
    return (tag for tag in tags if tag.group().startswith(_XTML) == head.group().startswith(_XTML))


def _parameters(body: Body, function: re.Match[str], end: int, closed: bool, around: Spans) -> tuple[dict[str, object], bool]:
    """The parameters by key, and whether what follows the last whole one was cut."""
    heads = list(_outside(around, _same_kind(_PARAMETER.finditer(body.text, function.end(), end), function)))
    arguments: dict[str, object] = {}
    bounded = closed or body.bounded or end < body.end
    cut, known = False, function.end()
    for index, head in enumerate(heads):
        key = (head["key"] or _entities(head["kimi"] or "")).strip()
        limit = heads[index + 1].start() if index + 1 < len(heads) else end
        stops = list(_same_kind(_PARAMETER_END.finditer(body.text, head.end(), limit), head))
        stop = stops[-1].start() if stops else _misspelt_end(body.text, head.end(), limit, key)
        known = stops[-1].end() if stops else limit
        cut = cut or not (stops or bounded or index + 1 < len(heads) or stop < limit)
        value = raw_value(body.text[head.end() : stop])
        if (head["attributes"] or "").strip() == 'string="false"' or key not in arguments:
            arguments[key] = value
    return arguments, cut or not (bounded or (arguments and BEGUN_END.fullmatch(body.text, known, end)))


def _misspelt_end(text: str, start: int, limit: int, key: str) -> int:
    """Where a value ends whose closing tag is misspelt or named `key`, `limit` when no such tag ends text[start:limit]."""
    from_here = max(start, limit - _LONGEST_END)
    match = re.search(_MISSPELT_END % re.escape(key), text[from_here:limit])
    if match is None or f"<{key}" in text[start:limit]:
        return limit
    return from_here + match.start()


def keyed_tags(body: Body, name: str, start: int, end: int) -> dict[str, object] | None:
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
    uneven: set[str] = set()
    while (match := _TAG.search(text, index)) is not None:
        key = match.group(1)
        index = match.end()
        if key not in tool.properties:
            continue
        close = text.find(f"</{key}>", index)
        if close < 0:
            break
        even = _even_close(text, index, key) if key not in uneven else -1
        if even < 0:
            uneven.add(key)
        close = max(close, even)
        found[key] = _value(text[index:close], tool.properties[key], views)
        index = end = close + len(key) + 3
    return found, end


def _even_close(text: str, index: int, key: str) -> int:
    """Where the closing tag of the tag before `index` stands, where tags of `key` pair up, else -1."""
    depth = 1
    for tag in re.compile(rf"<(/?){re.escape(key)}>").finditer(text, index):
        depth += -1 if tag.group(1) else 1
        if depth == 0:
            return tag.start()
    return -1


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
