"""The type of a schema in a few characters, for signatures and sentences.

    string    integer 1..10    number >0    string date    "USD"|"EUR"    list[string]    object{a: string, b?: integer}

It says enough to write a valid value in most cases and never too much: what is longer than the limit loses its inner parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .problem import Lang, shorten, translate

MAX_CHARS = 200
_DEPTH = 3
_NAME = re.compile(r"[^\W\d][\w-]*")


def type_name(schema: Any, lang: Lang = "en") -> str:
    """A compact type of at most 200 characters: the fullest form that fits."""
    forms = (_name(schema, depth) for depth in range(_DEPTH, -1, -1))
    full = next((form for form in forms if len(form) <= MAX_CHARS), None)
    return translate(full or shorten(_name(schema, 0), MAX_CHARS), lang)


def _name(schema: Any, depth: int) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    if "const" in schema:
        return _json(schema["const"])
    if isinstance(schema.get("enum"), list):
        return "|".join(map(_json, schema["enum"]))
    for union in ("anyOf", "oneOf"):
        if isinstance(schema.get(union), list):
            return "|".join(dict.fromkeys(_name(branch, depth) for branch in schema[union]))
    return _by_type(schema, depth)


def _by_type(schema: Mapping[str, Any], depth: int) -> str:
    kind = schema.get("type") or ("object" if "properties" in schema else "any")
    if isinstance(kind, list):
        return "|".join(_by_type({**schema, "type": each}, depth) for each in kind)
    match kind:
        case "integer" | "number":
            return kind + _range(schema, "minimum", "maximum") + _exclusive(schema)
        case "string":
            return kind + _string_rule(schema)
        case "array":
            return _list(schema, depth) + _range(schema, "minItems", "maxItems")
        case "object":
            return _object(schema, depth)
    return str(kind)


def _range(schema: Mapping[str, Any], low: str, high: str) -> str:
    least, most = schema.get(low), schema.get(high)
    if least is not None and most is not None:
        return f" {_json(least)}..{_json(most)}"
    if least is not None:
        return f" >={_json(least)}"
    return "" if most is None else f" <={_json(most)}"


def _exclusive(schema: Mapping[str, Any]) -> str:
    signs = (("exclusiveMinimum", ">"), ("exclusiveMaximum", "<"))
    return "".join(f" {sign}{_json(schema[key])}" for key, sign in signs if key in schema)


def _string_rule(schema: Mapping[str, Any]) -> str:
    if "format" in schema:
        return f" {schema['format']}"
    if len(str(schema.get("pattern", ""))) in range(1, 31):
        return f" /{schema['pattern']}/"
    length = _range(schema, "minLength", "maxLength")
    return f"{length} chars" if length else ""


def _list(schema: Mapping[str, Any], depth: int) -> str:
    if depth and isinstance(schema.get("prefixItems"), list):
        return f"[{', '.join(_name(item, depth - 1) for item in schema['prefixItems'])}]"
    inner = _name(schema["items"], depth - 1) if depth and "items" in schema else "any"
    return "list" if inner == "any" else f"list[{inner}]"


def _object(schema: Mapping[str, Any], depth: int) -> str:
    properties, extra = schema.get("properties"), schema.get("additionalProperties")
    if depth and isinstance(properties, Mapping) and properties:
        required = schema.get("required", ())
        parts = (_key(name) + (": " if name in required else "?: ") + _name(properties[name], depth - 1) for name in properties)
        return f"object{{{', '.join(parts)}}}"
    return f"object{{*: {_name(extra, depth - 1)}}}" if depth and isinstance(extra, Mapping) and extra else "object"


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else _json(name)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
