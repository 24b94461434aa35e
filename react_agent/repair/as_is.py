"""Arguments that fit their schema as they are: one look at each of them, by a table made once for the schema.

In: the schema of a tool's arguments.  Out: a test that is true of an object of which nothing has to be bent and with which
nothing is wrong, false where only `fit` and the validator can tell.  The rule: where it is true, `fit` gives the object back
without a fix, and the validator has no problem with it.  It knows scalars and lists of scalars, and leaves all else to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from react_agent.messages import Json

Test = Callable[[Json], bool]
_Test = Callable[[Any], bool]

_NOTES = frozenset(("description", "default", "title", "examples"))
_ROOT = _NOTES | {"type", "properties", "required", "additionalProperties"}
_MEMBER = _NOTES | {"type"}
_KINDS: dict[str, frozenset[type]] = {
    "string": frozenset((str,)),
    "integer": frozenset((int,)),
    "number": frozenset((int, float)),
    "boolean": frozenset((bool,)),
}
"""The Python types of a value, itself and no subclass, by the type that is asked for."""


def as_is(schema: Mapping[str, Any]) -> Test:
    """The function that tells whether arguments fit this schema as they are."""
    required = schema.get("required", ())
    declared = schema.get("properties", {})
    if schema.get("type") != "object" or not schema.keys() <= _ROOT or not isinstance(declared, dict):
        return lambda _: False
    tests = {name: test for name, member in declared.items() if (test := _test(member)) is not None}

    def fits(arguments: Json) -> bool:
        for key, value in arguments.items():
            if key not in tests or not tests[key](value):
                return False
        for name in required:  # noqa: SIM110  a generator would take half of the time
            if name not in arguments:
                return False
        return True

    return fits


def _test(member: Any) -> _Test | None:
    """The test of one parameter; None for a schema that asks for more."""
    if not isinstance(member, dict) or not isinstance(kind := member.get("type"), str):
        return None
    if kind == "array" and member.keys() <= _MEMBER | {"items"}:
        return _list_test(member.get("items"))
    if kind == "string" and member.keys() <= _MEMBER | {"enum"} and "enum" in member:
        choices = member["enum"]
        return lambda value: type(value) is str and isinstance(choices, list) and value in choices
    types = _KINDS.get(kind) if member.keys() <= _MEMBER else None
    return None if types is None else lambda value: type(value) in types


def _list_test(items: Any) -> _Test | None:
    types = _KINDS.get(str(items.get("type"))) if isinstance(items, dict) and items.keys() <= _MEMBER else None
    return None if types is None else lambda value: type(value) is list and types.issuperset(map(type, value))
