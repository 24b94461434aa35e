"""Bodies made of JSON-like values: one object, a list, several side by side, lines, `; ` between them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from react_agent.parsing.dialects.telling import told
from react_agent.parsing.settle import Written
from react_agent.parsing.shapes import NAME_KEYS, WRAPPER_KEYS, AnswerShape, Shape, shapes
from react_agent.repair.reader import OPENING, Read, Unreadable, read

from .body import Body, Found, WrittenAnswer
from .python import read_strings
from .tags import raw_value

_CODE = re.compile(r"\s*<code>")
_BETWEEN = re.compile(r"[\s,;，；]*")
_NAMING = frozenset(NAME_KEYS)
_QUOTE = re.compile("[\"'”’]")
MAX_VALUES = 64
"""So many values that follow each other are read."""


def read_values(body: Body) -> list[Found]:
    """The calls in the values that follow each other from the start of the body."""
    found: list[Found] = []
    text = body.text[: body.end]
    index = _BETWEEN.match(text, body.start).end()  # type: ignore[union-attr]  # matches the empty text
    while text.startswith(OPENING, index) and len(found) < MAX_VALUES:
        try:
            value = read(text, index, bounded=body.bounded)
        except Unreadable:
            break
        written = written_in(value, body, index)
        if written is None:
            break
        end = _take_code(body, written, value.end)
        found.extend(written)
        index = _BETWEEN.match(text, end).end()  # type: ignore[union-attr]  # matches the empty text
    return found


def _take_code(body: Body, written: list[Found], end: int) -> int:
    """Qwen-Agent leaves the argument `code` empty in the JSON and puts it into a tag behind it; where that ends."""
    call = written[0] if len(written) == 1 else None
    opener = _CODE.match(body.text, end, body.end)
    if not isinstance(call, Written) or opener is None or not isinstance(call.raw, dict) or call.raw.get("code"):
        return end
    close = body.text.find("</code>", opener.end(), body.end)
    cut = close < 0 and not body.bounded
    code = raw_value(body.text[opener.end() : close if close >= 0 else body.end])
    written[0] = replace(call, raw={**call.raw, "code": code}, cut=call.cut or cut, dialect=told(body.dialect, "code"))
    return close + len("</code>") if close >= 0 else body.end


def written_in(value: Read, body: Body, start: int) -> list[Found] | None:
    """The calls and answers that one value writes, None when it is data."""
    found = _twice(value, body, start) or shapes(value.value, body.names) or _cut_name(value, body) or _cut_item(value, body)
    if found is None:
        return _in_strings(value, body, start) or None
    closed = not body.bounded and any(fix.name == "closed" for fix in value.fixes)
    written: list[Found] = []
    for index, shape in enumerate(found):
        cut = index == len(found) - 1 and (value.cut or (closed and isinstance(shape, Shape) and shape.raw is None))
        if isinstance(shape, AnswerShape):
            written.append(WrittenAnswer(shape.text, start, value.end, cut, shape.thought))
        else:
            written.append(
                Written(
                    shape.name,
                    shape.raw,
                    start,
                    value.end,
                    _dialect(value, body, shape.style),
                    value.fixes,
                    cut,
                    explicit=shape.explicit,
                    thought=shape.thought,
                )
            )
    return written


def _twice(value: Read, body: Body, start: int) -> list[Shape | AnswerShape]:
    """The calls of an object that writes the key of the name several times, nothing where it does not."""
    if value.cut or value.fixes or not isinstance(value.value, dict):
        return []
    source = body.text[start : value.end]
    if not any(source.count(f'"{key}"') > 1 for key in value.value.keys() & _NAMING):
        return []
    parts: list[dict[str, Any]] = [{}]
    for key, item in _members(source):
        if key in parts[-1]:
            parts.append({})
        parts[-1][key] = item
    found = [shapes(part, body.names) for part in parts] if len(parts) > 1 else []
    return [shape for part in found for shape in part or ()] if all(found) else []


def _members(source: str) -> list[tuple[str, Any]]:
    """The members of the object that valid JSON writes, repeated ones too."""
    objects: list[list[tuple[str, Any]]] = []

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        objects[:] = [pairs]
        return dict(pairs)

    json.loads(source, object_pairs_hook=note)  # the outermost object comes last
    return objects[0]


def _cut_name(value: Read, body: Body) -> list[Shape] | None:
    """A value that ends inside the name of a call."""
    if not value.cut or not isinstance(value.value, dict) or not value.value:
        return None
    key, name = list(value.value.items())[-1]
    written = _QUOTE.split(name)[0] if isinstance(name, str) and key in NAME_KEYS else ""
    begun = written and any(known.startswith(written) for known in body.names.tools)
    return [Shape(written, None, "")] if begun else None


def _cut_item(value: Read, body: Body) -> list[Shape | AnswerShape] | None:
    """The calls of a list that ends inside an item, of which nothing is known but that it is cut."""
    items = value.value
    if isinstance(items, dict):
        items = next((item for key, item in items.items() if key in WRAPPER_KEYS), None)
    if not value.cut or not isinstance(items, list) or len(items) < 2:
        return None
    whole = shapes(items[:-1], body.names)
    return [*whole, Shape("", None, "")] if whole and isinstance(items[-1], dict) else None


def _dialect(value: Read, body: Body, style: str) -> str:
    """Without a mark the keys tell the dialect, and for the usual keys the form of the value; with one the mark does."""
    is_list = isinstance(value.value, list)
    if body.dialect not in ("", "label"):
        return told(body.dialect, "list" if is_list else style)
    if style != "bare_json":
        return style
    if is_list:
        return "xlam"
    return "python_dict" if "other_quotes" in {fix.name for fix in value.fixes} else style


def _in_strings(value: Read, body: Body, start: int) -> list[Found]:
    """The calls written as text under the key of a wrapper: `{"tool_calls": ["f(x=1)"]}`."""
    if value.cut or not isinstance(value.value, dict) or len(value.value) != 1:
        return []
    key, items = next(iter(value.value.items()))
    return read_strings(items, body.at(start, value.end)) if key in WRAPPER_KEYS and isinstance(items, list) else []
