"""Bodies made of JSON-like values: one object, a list, several side by side, lines, `; ` between them."""

from __future__ import annotations

import re

from react_agent.parsing.settle import Written
from react_agent.parsing.shapes import NAME_KEYS, AnswerShape, Shape, shapes
from react_agent.repair.reader import OPENING, Read, Unreadable, read

from .body import Body, Found, WrittenAnswer

_BETWEEN = re.compile(r"[\s,;，；]*")
_QUOTE = re.compile("[\"'”’]")
_MAX_VALUES = 64


def read_values(body: Body) -> list[Found]:
    """The calls in the values that follow each other from the start of the body."""
    found: list[Found] = []
    text = body.text[: body.end]
    index = _BETWEEN.match(text, body.start).end()  # type: ignore[union-attr]  # matches the empty text
    while text.startswith(OPENING, index) and len(found) < _MAX_VALUES:
        try:
            value = read(text, index, bounded=body.bounded)
        except Unreadable:
            break
        written = written_in(value, body, index)
        if written is None:
            break
        found.extend(written)
        index = _BETWEEN.match(text, value.end).end()  # type: ignore[union-attr]  # matches the empty text
    return found


def written_in(value: Read, body: Body, start: int) -> list[Found] | None:
    """The calls and answers that one value writes, None when it is data."""
    found = shapes(value.value, body.names) or _cut_name(value, body)
    if found is None:
        return None
    closed = not body.bounded and any(fix.name == "closed" for fix in value.fixes)
    written: list[Found] = []
    for index, shape in enumerate(found):
        cut = index == len(found) - 1 and (value.cut or (closed and isinstance(shape, Shape) and shape.raw is None))
        if isinstance(shape, AnswerShape):
            written.append(WrittenAnswer(shape.text, start, value.end, cut, shape.thought))
        else:
            dialect = shape.style if body.dialect in ("", "label") else body.dialect
            written.append(
                Written(
                    shape.name,
                    shape.raw,
                    start,
                    value.end,
                    dialect,
                    value.fixes,
                    cut,
                    explicit=shape.explicit,
                    thought=shape.thought,
                )
            )
    return written


def _cut_name(value: Read, body: Body) -> list[Shape] | None:
    """A value that ends inside the name of a call."""
    if not value.cut or not isinstance(value.value, dict) or not value.value:
        return None
    key, name = list(value.value.items())[-1]
    written = _QUOTE.split(name)[0] if isinstance(name, str) and key in NAME_KEYS else ""
    begun = written and any(known.startswith(written) for known in body.names.tools)
    return [Shape(written, None, "")] if begun else None
