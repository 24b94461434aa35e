"""Reads fields of a JSON body that anybody may have sent.

In: an object and the name of a field.  Out: its value with the type that is wanted, or a `Refusal` that names the field, what
was expected and what came.  A field that is absent or null is the default.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from react_agent.messages import Json
from react_agent.prompting.reading import kind

from .refusal import Refusal

MAX_DEPTH = 64


def parsed(raw: bytes) -> Json:
    """The object that a body is.

    Raises:
        Refusal: it is none.
    """
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refusal("the body is not valid JSON") from None
    if not isinstance(body, dict):
        raise Refusal(f"the body must be a JSON object, but {kind(body)} came")
    return body


def bounded(value: object, depth: int = MAX_DEPTH) -> None:
    """Refuse what is nested deeper than anything sensible is, before anything recursive works on it.

    Raises:
        Refusal: it is.
    """
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise Refusal(f"the body is nested more than {depth} levels deep")


def text(body: Mapping[str, Any], name: str, default: str = "") -> str:
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise wrong(name, "a string", value)
    return default if value is None else value


def needed(body: Mapping[str, Any], name: str) -> str:
    """A text that must be there and not be empty."""
    value = text(body, name)
    if not value:
        raise Refusal(f"'{name}' is required", param=name)
    return value


def flag(body: Mapping[str, Any], name: str, default: bool) -> bool:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise wrong(name, "true or false", value)
    return default if value is None else value


def whole(body: Mapping[str, Any], name: str, default: int | None = None, *, most: int = 2**31) -> int | None:
    """A whole number from 1 to `most`."""
    value = body.get(name)
    if value is None:
        return default
    if type(value) is not int or not 1 <= value <= most:
        raise wrong(name, f"a whole number from 1 to {most}", value)
    return value


def number(body: Mapping[str, Any], name: str, most: float) -> float | None:
    """A number from 0 to `most`."""
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise wrong(name, f"a number from 0 to {most:g}", value)
    return float(value)


def objects(body: Mapping[str, Any], name: str) -> list[Json]:
    """A list of objects."""
    value = body.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong(name, "a list", value)
    for place, item in enumerate(value):
        if not isinstance(item, dict):
            raise wrong(f"{name}[{place}]", "an object", item)
    return value


def mapping(body: Mapping[str, Any], name: str) -> Json:
    """An object."""
    value = body.get(name)
    if value is not None and not isinstance(value, dict):
        raise wrong(name, "an object", value)
    return value or {}


def texts(body: Mapping[str, Any], name: str, most: int) -> tuple[str, ...]:
    """A text, or a list of at most `most` texts."""
    value = body.get(name)
    items = [value] if isinstance(value, str) else value or []
    if not isinstance(items, list) or len(items) > most or not all(isinstance(item, str) for item in items):
        raise wrong(name, f"a string or a list of at most {most} strings", value)
    return tuple(item for item in items if item)


def wrong(name: str, expected: str, came: object) -> Refusal:
    """The refusal for a field that is not what it must be."""
    return Refusal(f"'{name}' must be {expected}, but {kind(came)} came", param=name)
