"""Plausible arguments for a tool, to fill in an example of the call format.

In: a JSON Schema.  Out: a small value that satisfies it in all common cases, made of the schema's own constants, examples and
defaults first.  The rule: whoever copies the example does no harm and is seen at once; so free text is a word that says that
it is a sample.  Optional parameters are left out.  Not a general generator: `pattern` is not solved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from react_agent.messages import Json, ToolSpec

_DEPTH = 6
_MAX_SIZE = 100  # items of a list, characters of a text: schemas are not trusted
_FORMATS = {
    "date": "2000-01-31",
    "date-time": "2000-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "email": "sample@example.org",
    "uri": "https://example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_WORD = {"zh": "示例", "en": "sample"}


def sample_arguments(spec: ToolSpec, lang: str) -> Json:
    """The required arguments of `spec`."""
    return _object(spec.parameters, lang, 0)


def sample(schema: Any, lang: str, depth: int = 0) -> Any:
    """A value for `schema`; None where nothing is known or the nesting is too deep."""
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return None
    if "const" in schema:
        return schema["const"]
    for key in ("enum", "examples"):
        if isinstance(schema.get(key), list) and schema[key]:
            return schema[key][-1]
    if schema.get("default") is not None:
        return schema["default"]
    for union in ("anyOf", "oneOf"):
        if isinstance(schema.get(union), list) and schema[union]:
            return sample(schema[union][0], lang, depth + 1)
    return _by_type(schema, lang, depth)


def _by_type(schema: Mapping[str, Any], lang: str, depth: int) -> Any:
    kind = schema.get("type") or ("object" if "properties" in schema else "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "string":
            return _string(schema, lang)
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "array":
            return [sample(schema.get("items", {}), lang, depth + 1)] * _bounded(schema.get("minItems", 1))
        case "object":
            return _object(schema, lang, depth)
    return None


def _string(schema: Mapping[str, Any], lang: str) -> str:
    text = _FORMATS.get(schema.get("format", ""), _WORD[lang])
    text = text.ljust(_bounded(schema.get("minLength", 1)), "x")
    return text[: schema.get("maxLength", len(text))]


def _bounded(size: int) -> int:
    return min(max(size, 1), _MAX_SIZE)


def _number(schema: Mapping[str, Any]) -> Any:
    step = schema.get("multipleOf", 1)
    low = schema["exclusiveMinimum"] + step if "exclusiveMinimum" in schema else schema.get("minimum", step)
    high = schema["exclusiveMaximum"] - step if "exclusiveMaximum" in schema else schema.get("maximum", low)
    return min(low, high)


def _object(schema: Mapping[str, Any], lang: str, depth: int) -> Json:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    return {name: sample(properties.get(name), lang, depth + 1) for name in schema.get("required", ())}
