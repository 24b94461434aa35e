"""What a model puts around a value: the schema that it was shown, or the word for arguments.

    {"type": "string", "value": "Oslo"}                      the schema of a parameter with the value in it
    {"type": "object", "properties": {"city": "Oslo"}}       the schema of the arguments with the values in it
    {"name": "get_weather", "arguments": {"city": "Oslo"}}   the call, where its arguments should be

Never unwrapped is what the schema itself declares: a parameter may be called `value`, `type` or `input`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from react_agent.messages import Json

from .views import Schema, properties

_AROUND = ("arguments", "args", "parameters", "params", "input", "inputs", "kwargs", "properties", "参数", "输入")
_BESIDE = frozenset(
    (
        "name",
        "type",
        "tool",
        "tool_name",
        "function",
        "action",
        "id",
        "required",
        "title",
        "description",
        "additionalProperties",
    )
)
_ABOUT = frozenset(("type", "value", "description", "title"))
_KEYWORDS = _ABOUT | {
    "enum", "default", "items", "properties", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "pattern", "format", "examples", "additionalProperties",
}  # fmt: skip


def inside_leaf(value: Json) -> tuple[Any] | None:
    """The value inside an echoed schema of one parameter; None when there is none."""
    return (value["value"],) if "value" in value and value.keys() <= _ABOUT else None


def is_bare_schema(value: Any) -> bool:
    """An echoed schema without a value in it: `{"type": "string", "description": "…"}`."""
    return isinstance(value, dict) and isinstance(value.get("type"), (str, list)) and value.keys() <= _KEYWORDS - {"value"}


def inside_object(value: Json, view: Schema) -> tuple[str, Json] | None:
    """The key and the members inside a wrapper around them; None when the object is no wrapper."""
    declared = properties(view)
    if not declared or value.keys() & declared.keys():
        return None
    inner = [key for key in _AROUND if isinstance(value.get(key), Mapping)]
    if len(inner) != 1 or not value.keys() <= _BESIDE | {inner[0]}:
        return None
    members = value[inner[0]]
    return (inner[0], members) if members.keys() & declared.keys() and not _is_schema_of(members) else None


def _is_schema_of(members: Json) -> bool:
    return all(is_bare_schema(item) for item in members.values())
