"""Value to schema: bends a value as little as its schema asks for, and names every bend.

In: a value and a JSON Schema.  Out: the value and the fixes.  The schema decides the type, never the looks of the value:
`007` stays text where a string is wanted and `"7"` becomes 7 where an integer is.  What cannot be bent stays as it is; the
validator, not this stage, says what is wrong.  A value that fits comes back untouched with no fix.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from react_agent.messages import Fix, Json

from .arithmetic import computed
from .reader import MAX_DEPTH, Unreadable, read

Fixes = tuple[Fix, ...]
_INTEGER = re.compile(r"[-+]?\d{1,18}(?:\.0+)?")
_NUMBER = re.compile(r"[-+]?(?:\d{1,18}(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_TRUE = {"true", "yes", "on", "是", "1"}
_FALSE = {"false", "no", "off", "否", "0"}


def fit(value: Any, schema: Mapping[str, Any], path: str = "", depth: int = 0) -> tuple[Any, Fixes]:
    """`value` bent to `schema`, and what was bent; `path` is where it stands, for the fixes."""
    if depth > MAX_DEPTH:
        return value, ()
    branches = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(branches, list):
        return _fit_union(value, [b for b in branches if isinstance(b, Mapping)], path, depth)
    kinds = _kinds(schema)
    if "enum" in schema or "const" in schema:
        return _fit_choice(value, schema, path)
    if isinstance(value, dict) and "object" not in kinds and (inner := _unwrapped(value)) is not None:
        fitted, fixes = fit(inner[0], schema, path, depth + 1)
        return fitted, (Fix("unwrapped", path), *fixes)
    for kind in kinds:
        if _is(value, kind):
            return _fit_inside(value, schema, path, depth)
    for kind in kinds:
        bent = _CONVERSIONS[kind](value, schema, path, depth) if kind in _CONVERSIONS else None
        if bent is not None:
            return bent
    return value, ()


def fit_object(value: Json, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Json, Fixes]:
    """The members of an object, each bent to its schema; absent optionals given as null go, undeclared members go."""
    declared = schema.get("properties")
    if not isinstance(declared, Mapping):
        return value, ()
    required = schema.get("required", ())
    closed = schema.get("additionalProperties") is False
    fitted: Json = {}
    fixes: list[Fix] = []
    for key, item in value.items():
        name, spelling = _declared_name(key, declared, value)
        where = f"{path}.{name or key}" if path else (name or key)
        if name is None:
            if closed:
                fixes.append(Fix("extra_dropped", where, note=short(item)))
            else:
                fitted[key] = item
            continue
        if spelling:
            fixes.append(Fix("key_spelling", where, note=key))
        bent, more = fit(item, declared[name], where, depth + 1)
        if bent is None and name not in required and not _allows_null(declared[name]):
            fixes.append(Fix("null_dropped", where))
            continue
        fitted[name] = bent
        fixes.extend(more)
    return fitted, tuple(fixes)


def _kinds(schema: Mapping[str, Any]) -> tuple[str, ...]:
    kind = schema.get("type")
    if isinstance(kind, str):
        return (kind,)
    if isinstance(kind, list):
        return tuple(sorted((k for k in kind if isinstance(k, str)), key=lambda k: k == "string"))
    if "properties" in schema:
        return ("object",)
    return ("array",) if "items" in schema else ()


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return False


def _fit_inside(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes]:
    if isinstance(value, dict):
        return fit_object(value, schema, path, depth)
    items = schema.get("items")
    if not isinstance(value, list) or not isinstance(items, Mapping):
        return value, ()
    fitted = [fit(item, items, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    return [item for item, _ in fitted], tuple(fix for _, fixes in fitted for fix in fixes)


def _fit_union(value: Any, branches: list[Mapping[str, Any]], path: str, depth: int) -> tuple[Any, Fixes]:
    """The branch that takes the value as it is; else the first that it can be bent to, strings last."""
    for branch in branches:
        if any(_is(value, kind) for kind in _kinds(branch)) and _choice_ok(value, branch):
            return fit(value, branch, path, depth + 1)
    for branch in sorted(branches, key=lambda b: "string" in _kinds(b)):
        bent, fixes = fit(value, branch, path, depth + 1)
        if fixes:
            return bent, fixes
    return value, ()


def _choice_ok(value: Any, schema: Mapping[str, Any]) -> bool:
    return "enum" not in schema or value in schema["enum"]


def _fit_choice(value: Any, schema: Mapping[str, Any], path: str) -> tuple[Any, Fixes]:
    """An enum member that is spelt the same but for case, blanks, `-` and `_`, or written in another type."""
    choices = schema.get("enum", [schema.get("const")])
    if any(type(value) is type(choice) and value == choice for choice in choices):
        return value, ()
    if isinstance(value, (dict, list)):
        if isinstance(value, list) and len(value) == 1:
            fitted, fixes = _fit_choice(value[0], schema, path)
            return fitted, (Fix("array_to_single", path), *fixes)
        return value, ()
    folded = _folded(str(value))
    same = [choice for choice in choices if choice is not None and folded and _folded(str(choice)) == folded]
    if len(same) != 1:
        return value, ()
    return same[0], (Fix("enum_spelling", path, note=short(value)),)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _unwrapped(value: Json) -> tuple[Any] | None:
    """`{"type": "string", "value": x}`: a schema echoed with the value in it."""
    if "value" in value and set(value) <= {"type", "value", "description", "title"}:
        return (value["value"],)
    return None


def _to_string(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    if isinstance(value, bool):
        return ("true" if value else "false"), (Fix("value_to_text", path),)
    if isinstance(value, (int, float)):
        return json.dumps(value), (Fix("number_to_text", path),)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0], (Fix("array_to_single", path),)
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False), (Fix("value_to_text", path),)
    return None


def _to_number(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    if isinstance(value, list) and len(value) == 1:
        inner = _to_number(value[0], schema, path, depth) or ((value[0], ()) if _is(value[0], "number") else None)
        return None if inner is None else (inner[0], (Fix("array_to_single", path), *inner[1]))
    if not isinstance(value, str):
        return None
    written = value.strip()
    if _GROUPED.fullmatch(written):
        written = written.replace(",", "")
    if not _NUMBER.fullmatch(written):
        result = computed(written)
        return None if result is None else (result, (Fix("arithmetic", path, note=short(value)),))
    number = int(written) if written.lstrip("+-").isdigit() else float(written)
    return number, (Fix("text_to_number", path, note=short(value)),)


def _to_integer(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value), (Fix("float_to_integer", path),)
    if isinstance(value, list) and len(value) == 1:
        inner = _to_integer(value[0], schema, path, depth) or ((value[0], ()) if _is(value[0], "integer") else None)
        return None if inner is None else (inner[0], (Fix("array_to_single", path), *inner[1]))
    if isinstance(value, str):
        written = value.strip()
        if _GROUPED.fullmatch(written):
            written = written.replace(",", "")
        if _INTEGER.fullmatch(written):
            return int(written.split(".")[0]), (Fix("text_to_number", path, note=short(value)),)
        result = computed(written)
        if result is not None and float(result).is_integer():
            return int(result), (Fix("arithmetic", path, note=short(value)),)
    return None


def _to_boolean(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    if isinstance(value, int) and value in (0, 1):
        return bool(value), (Fix("number_to_boolean", path),)
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE, (Fix("text_to_boolean", path, note=short(value)),)
    return None


def _to_array(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    decoded = _decoded(value, "[", list)
    if decoded is not None:
        fitted, fixes = _fit_inside(decoded[0], schema, path, depth)
        return fitted, (Fix("text_to_value", path), *decoded[1], *fixes)
    if value is None or value == "":
        return None
    fitted, fixes = _fit_inside([value], schema, path, depth)
    return fitted, (Fix("single_to_array", path), *fixes)


def _to_object(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    decoded = _decoded(value, "{", dict)
    if decoded is None:
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            fitted, fixes = fit_object(value[0], schema, path, depth)
            return fitted, (Fix("array_to_single", path), *fixes)
        return None
    fitted, fixes = _fit_inside(decoded[0], schema, path, depth)
    return fitted, (Fix("text_to_value", path), *decoded[1], *fixes)


def _to_null(value: Any, schema: Mapping[str, Any], path: str, depth: int) -> tuple[Any, Fixes] | None:
    if isinstance(value, str) and value.strip().lower() in ("null", "none"):
        return None, (Fix("text_to_value", path),)
    return None


_CONVERSIONS = {
    "string": _to_string,
    "number": _to_number,
    "integer": _to_integer,
    "boolean": _to_boolean,
    "array": _to_array,
    "object": _to_object,
    "null": _to_null,
}


def _decoded(value: Any, opener: str, kind: type) -> tuple[Any, Fixes] | None:
    """A container that was written as text."""
    if not isinstance(value, str) or not value.lstrip().startswith(opener):
        return None
    try:
        found = read(value)
    except Unreadable:
        return None
    whole = isinstance(found.value, kind) and not found.cut and not value[found.end :].strip()
    return (found.value, found.fixes) if whole else None


def _declared_name(key: str, declared: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str | None, bool]:
    """The parameter that `key` means, and whether it was spelt otherwise (case, `_`, `-`, blanks, quotes only)."""
    if key in declared:
        return key, False
    same = [name for name in declared if name not in given and _folded(name) == _folded(key)]
    return (same[0], True) if len(same) == 1 else (None, False)


def _allows_null(schema: Mapping[str, Any]) -> bool:
    if "null" in _kinds(schema) or None in schema.get("enum", ()):
        return True
    branches = schema.get("anyOf") or schema.get("oneOf") or ()
    return not (schema.get("type") or branches or "enum" in schema) or any(_allows_null(b) for b in branches)


def short(value: Any) -> str:
    """The value as text of at most 60 characters, for notes."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"
