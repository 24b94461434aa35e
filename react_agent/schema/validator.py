"""The `jsonschema` validator, with the places closed where a schema or a value could make it work without end.

In: a schema that is plain JSON.  Out: functions that give jsonschema's errors.  Changed against Draft202012Validator:

* patterns are matched within a time limit (`texts`);
* `required` and `additionalProperties` report each name by itself, at its own path, so that it can be named to the model;
* `uniqueItems` compares canonical texts, in linear time;
* following a `$ref` is counted, as `a = allOf[b, b]`, `b = allOf[c, c]` … is exponential, and ends before the stack does;
* `format` is asserted for the few formats that have one meaning (`texts`); nothing is ever retrieved.

This module imports `jsonschema` (slow), so it is itself imported only where `common` cannot tell, and to say what is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import regex
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry

from .canonical_json import canonical
from .texts import FORMATS, matches

MAX_REFERENCES = 20_000
_FRAMES_BETWEEN_REFERENCES = 300  # more than a schema of the greatest depth needs

_references: ContextVar[list[None]] = ContextVar("_references")
_Errors = Iterator[ValidationError]


def schema_errors(schema: Any) -> _Errors:
    """The errors of `schema` itself."""
    errors: _Errors = Draft202012Validator(Draft202012Validator.META_SCHEMA, format_checker=_schema_formats).iter_errors(schema)
    return errors


def errors_of(schema: Mapping[str, Any]) -> Callable[[Any], Iterable[ValidationError]]:
    """The function that gives the errors of a value; it raises RecursionError when the work has no end."""
    validator = _Bounded(schema, format_checker=_value_formats, registry=Registry())

    def errors(value: Any) -> Iterable[ValidationError]:
        _references.set([])
        found: _Errors = validator.iter_errors(value)
        return found

    return errors


def _reference(validator: Validator, ref: str, value: Any, schema: Mapping[str, Any]) -> _Errors:
    followed = _references.get()
    followed.append(None)
    if len(followed) > MAX_REFERENCES or _stack_is_nearly_full():
        raise RecursionError("too many references")
    yield from Draft202012Validator.VALIDATORS["$ref"](validator, ref, value, schema)


def _stack_is_nearly_full() -> bool:
    """Only references can go on without end, and the interpreter's own limit may strike inside compiled code, as a panic."""
    try:
        sys._getframe(sys.getrecursionlimit() - _FRAMES_BETWEEN_REFERENCES)
    except ValueError:
        return False
    return True


def _required(_validator: Validator, names: list[str], value: Any, _schema: Mapping[str, Any]) -> _Errors:
    if isinstance(value, Mapping):
        yield from (ValidationError("missing", path=(name,)) for name in names if name not in value)


def _pattern(_validator: Validator, pattern: str, value: Any, _schema: Mapping[str, Any]) -> _Errors:
    if isinstance(value, str) and not matches(pattern, value):
        yield ValidationError("does not match")


def _pattern_properties(_validator: Any, patterns: Mapping[str, Any], value: Any, _schema: Mapping[str, Any]) -> _Errors:
    if not isinstance(value, Mapping):
        return
    for pattern, inner in patterns.items():
        for name in [name for name in value if matches(pattern, name)]:
            yield from _validator.descend(value[name], inner, path=name, schema_path=pattern)


def _additional(validator: Any, inner: Any, value: Any, schema: Mapping[str, Any]) -> _Errors:
    if not isinstance(value, Mapping):
        return
    patterns = schema.get("patternProperties", {})
    for name, item in value.items():
        if name in schema.get("properties", {}) or any(matches(pattern, name) for pattern in patterns):
            continue
        if inner is False:
            yield ValidationError("not allowed", path=(name,), instance=item)
        else:
            yield from validator.descend(item, inner, path=name)


def _unique_items(_validator: Validator, wanted: bool, value: Any, _schema: Mapping[str, Any]) -> _Errors:
    if wanted and isinstance(value, list) and len({canonical(item) for item in value}) < len(value):
        yield ValidationError("repeated items")


_Bounded = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "$ref": _reference,
        "required": _required,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional,
        "uniqueItems": _unique_items,
    },
)


def _formats(readers: Mapping[str, Callable[[str], object]]) -> FormatChecker:
    formats = FormatChecker(formats=())
    for name, read in readers.items():
        formats.checks(name, raises=(ValueError, regex.error))(_only_text(read))
    return formats


def _only_text(read: Callable[[str], object]) -> Callable[[object], bool]:
    def check(value: object) -> bool:
        if isinstance(value, str):
            read(value)
        return True

    return check


_value_formats = _formats(FORMATS)
_schema_formats = _formats({"regex": regex.compile})
