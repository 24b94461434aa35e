"""Loops that describe nothing are refused; loops that describe trees are not."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.errors import SchemaError
from react_agent.schema import checker, clean

A = {"$ref": "#/properties/a"}


def of(a: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": a, **more}}


@pytest.mark.parametrize(
    "schema",
    [
        of(A),
        of({"description": "A thing.", **A}),
        of({"allOf": [A]}),
        of({"anyOf": [{"type": "string"}, A]}),
        of({"oneOf": [{"not": A}]}),
        of({"if": {"type": "string"}, "then": A}),
        of({"dependentSchemas": {"x": A}}),
        of({"$ref": "#/properties/b"}, b=A),
        of({"$ref": "#/$defs/x"}) | {"$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"allOf": [{"$ref": "#/$defs/x"}]}}},
        {"type": "object", "$ref": "#"},
        {"type": "object", "$defs": {"x": {"$ref": "#/$defs/x"}}},
        of({"$ref": "#/else/where"}) | {"else": {"where": {"$ref": "#/else/where"}}},
    ],
    ids=str,
)
def test_what_is_defined_only_by_itself_is_refused(schema: dict[str, Any]) -> None:
    for make in (checker, clean):
        with pytest.raises(SchemaError, match=r"^\"\$ref\": '#.*' leads only back to itself"):
            make(schema)


@pytest.mark.parametrize(
    "schema",
    [
        of({"type": "object", "properties": {"a": A}}),
        of({"anyOf": [{"type": "null"}, {"type": "array", "items": A}]}),
        of({"type": "object", "additionalProperties": A}),
        of(A | {"$ref": "#/properties/b"}, b={"type": "object", "properties": {"a": A}}),
        of({"allOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/x"}]}) | {"$defs": {"x": {"type": "object"}}},
        {"type": "object", "properties": {"inner": {"$ref": "#"}}},
        of({"type": "string", "default": A, "enum": ["x"]}),
    ],
    ids=str,
)
def test_what_describes_a_tree_is_welcome(schema: dict[str, Any]) -> None:
    assert checker(schema).ok({})
    assert checker(clean(schema)).ok({})


def test_a_long_chain_of_references_is_no_loop() -> None:
    chain = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(2_000)}
    schema = of({"$ref": "#/$defs/d0"}) | {"$defs": {**chain, "d2000": {"type": "string"}}}
    assert checker(schema).ok({})
