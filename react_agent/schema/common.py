"""The schemas that tools really have, judged without `jsonschema`: a fortieth of its time, the same verdicts.

In: a schema that is plain JSON.  Out: `surely_valid` (it is a valid schema) and `predicate` (a function that tells whether a
value fits).  Both know the common keywords only and say False or None for any other, which leaves the schema to `jsonschema`:
a wrong schema is explained there, and rare keywords are judged there.  The rule: where this module speaks, `jsonschema` as
set up in `validator` says the same; `tests/schema/test_common.py` compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from typing import Any

import regex

from react_agent.messages import Json

from .canonical_json import canonical

Test = Callable[[Any], bool]


class _RareError(Exception):
    """A keyword stands there that is left to `jsonschema`."""


# --- is it a schema? -------------------------------------------------------------------------------------------------


def surely_valid(schema: Any) -> bool:
    """True for a valid schema of common keywords; False when only `jsonschema` can tell."""
    if isinstance(schema, bool):
        return True
    return isinstance(schema, dict) and all(key in _VALID and _VALID[key](value) for key, value in schema.items())


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value)) and len(set(value)) == len(value)


def _is_type(value: Any) -> bool:
    return (_is_text(value) and value in _IS) or (_are_names(value) and bool(value) and set(value) <= _IS.keys())


def _are_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(surely_valid, value))


def _are_named_schemas(value: Any) -> bool:
    return isinstance(value, dict) and all(map(surely_valid, value.values()))


def _is_pattern(value: Any) -> bool:
    try:
        return _is_text(value) and bool(regex.compile(value))
    except regex.error:
        return False


_VALID: Mapping[str, Test] = {
    **dict.fromkeys(("title", "description", "$comment", "$schema", "$ref", "format"), _is_text),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), _is_boolean),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("items", "additionalProperties", "not"), surely_valid),
    **dict.fromkeys(("anyOf", "oneOf", "allOf"), _are_schemas),
    **dict.fromkeys(("properties", "$defs", "definitions"), _are_named_schemas),
    **dict.fromkeys(("examples", "enum"), _is_list),
    **dict.fromkeys(("default", "const"), lambda _: True),
    "type": lambda value: _is_type(value),
    "required": _are_names,
    "pattern": _is_pattern,
}

# --- does a value fit? -----------------------------------------------------------------------------------------------


def predicate(schema: Any) -> Test | None:
    """What tells whether a value fits `schema`, a valid schema; None when only `jsonschema` can tell."""
    try:
        return _test(schema)
    except _RareError:
        return None


def _test(schema: Any) -> Test:
    if isinstance(schema, bool):
        return lambda _: schema
    tests = [test for key, value in schema.items() if (test := _keyword(key, value, schema)) is not None]
    return tests[0] if len(tests) == 1 else _every(tests)


def _every(tests: list[Test]) -> Test:
    def every(value: Any) -> bool:
        for test in tests:  # noqa: SIM110  a generator would take half of the time
            if not test(value):
                return False
        return True

    return every


def _keyword(key: str, value: Any, schema: Json) -> Test | None:
    """The test that one keyword asks for; None when it asks for nothing."""
    if key in _NOTES:
        return None
    if key not in _TESTS:
        raise _RareError(key)
    return _TESTS[key](value, schema)


def _type(kinds: Any, _: Json) -> Test:
    if isinstance(kinds, str):
        return _IS[kinds]
    tests = [_IS[kind] for kind in kinds]
    return lambda value: any(test(value) for test in tests)


def _properties(members: Any, _: Json) -> Test:
    tests = {name: _test(inner) for name, inner in members.items()}

    def fits(value: Any) -> bool:
        if isinstance(value, dict):
            for name, item in value.items():
                if name in tests and not tests[name](item):
                    return False
        return True

    return fits


def _additional(inner: Any, schema: Json) -> Test:
    known, test = frozenset(schema.get("properties", ())), _test(inner)
    return lambda value: not isinstance(value, dict) or all(name in known or test(item) for name, item in value.items())


def _required(names: Any, _: Json) -> Test:
    needed = frozenset(names)
    return lambda value: not isinstance(value, dict) or needed <= value.keys()


def _items(inner: Any, _: Json) -> Test:
    test = _test(inner)
    return lambda value: not isinstance(value, list) or all(map(test, value))


def _enum(members: Any, _: Json) -> Test:
    """Only of scalars: `True` is not 1, but 1 is 1.0."""
    if not all(isinstance(member, _SCALARS) for member in members):
        raise _RareError("enum")
    wanted = {(isinstance(member, bool), member) for member in members}
    return lambda value: isinstance(value, _SCALARS) and (isinstance(value, bool), value) in wanted


def _unique(wanted: Any, _: Json) -> Test | None:
    if not wanted:
        return None
    return lambda value: not isinstance(value, list) or len({canonical(item) for item in value}) == len(value)


def _pattern(pattern: Any, _: Json) -> Test:
    from .texts import matches

    return lambda value: not isinstance(value, str) or matches(pattern, value)


def _format(name: Any, _: Json) -> Test:
    from .texts import in_format

    return lambda value: not isinstance(value, str) or in_format(name, value)


def _any(branches: Any, _: Json) -> Test:
    tests = [_test(branch) for branch in branches]
    return lambda value: any(test(value) for test in tests)


def _one(branches: Any, _: Json) -> Test:
    tests = [_test(branch) for branch in branches]
    return lambda value: sum(test(value) for test in tests) == 1


def _all(branches: Any, _: Json) -> Test:
    return _every([_test(branch) for branch in branches])


def _length(kind: type[Sized], least: bool) -> Callable[[Any, Json], Test]:
    if least:
        return lambda limit, _: lambda value: not isinstance(value, kind) or len(value) >= limit
    return lambda limit, _: lambda value: not isinstance(value, kind) or len(value) <= limit


_SCALARS = (str, int, float, type(None))
_NOTES = frozenset(
    ("title", "description", "$comment", "$schema", "deprecated", "readOnly", "writeOnly", "examples", "default", "$defs",
     "definitions")
)  # fmt: skip
_IS: Mapping[str, Test] = {
    "string": _is_text,
    "boolean": _is_boolean,
    "number": _is_number,
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "null": lambda value: value is None,
    "array": _is_list,
    "object": lambda value: isinstance(value, dict),
}
_TESTS: Mapping[str, Callable[[Any, Json], Test | None]] = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": _required,
    "items": _items,
    "enum": _enum,
    "uniqueItems": _unique,
    "pattern": _pattern,
    "format": _format,
    "anyOf": _any,
    "oneOf": _one,
    "allOf": _all,
    "minimum": lambda limit, _: lambda value: not (_is_number(value) and value < limit),
    "maximum": lambda limit, _: lambda value: not (_is_number(value) and value > limit),
    "exclusiveMinimum": lambda limit, _: lambda value: not (_is_number(value) and value <= limit),
    "exclusiveMaximum": lambda limit, _: lambda value: not (_is_number(value) and value >= limit),
    "minLength": _length(str, least=True),
    "maxLength": _length(str, least=False),
    "minItems": _length(list, least=True),
    "maxItems": _length(list, least=False),
    "minProperties": _length(dict, least=True),
    "maxProperties": _length(dict, least=False),
}
