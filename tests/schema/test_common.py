"""Where `common` speaks, `jsonschema` says the same: over schemas that are nearly right and values that nearly fit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from react_agent.schema import clean
from react_agent.schema.common import predicate, surely_valid
from react_agent.schema.validator import errors_of, schema_errors

KINDS = ("string", "integer", "number", "boolean", "null", "array", "object")
NAMES = st.sampled_from(("a", "b", "c"))
NUMBERS = st.sampled_from((-1, 0, 1, 2, 1.0, 1.5, 1e300, float("inf"), True))
TEXTS = st.sampled_from(("", "a", "ab", "1", "2024-02-29", "10:30", "a@b", "::1", "北京"))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)
WRONG = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(NAMES, SCALARS, max_size=1))


def keywords(schemas: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    kinds = st.sampled_from(KINDS)
    return {
        "type": st.one_of(kinds, st.lists(kinds, min_size=1, max_size=3, unique=True)),
        "properties": st.dictionaries(NAMES, schemas, max_size=3),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": schemas,
        "items": schemas,
        "enum": st.lists(SCALARS, max_size=3),
        "const": SCALARS,
        "pattern": st.sampled_from(("^a", "b$", "(", r"\p{Han}")),
        "format": st.sampled_from(("date", "time", "email", "ipv6", "unheard-of")),
        "uniqueItems": st.booleans(),
        "description": st.sampled_from(("", "words")),
        "default": VALUES,
        "$ref": st.just("#"),
        **{name: st.lists(schemas, min_size=1, max_size=2) for name in ("anyOf", "oneOf", "allOf")},
        "not": schemas,
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS),
        **{f"{end}{what}": st.integers(-1, 2) for end in ("min", "max") for what in ("Length", "Items", "Properties")},
    }


def schemas_of(inner: st.SearchStrategy[Any], wrong: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Any]:
    table = {key: value if wrong is None else value | wrong for key, value in keywords(inner).items()}
    pairs = st.sampled_from(sorted(table)).flatmap(lambda key: st.tuples(st.just(key), table[key]))
    return st.lists(pairs, max_size=4).map(dict)


SCHEMAS = st.recursive(st.booleans() | schemas_of(st.booleans()), schemas_of, max_leaves=6)


@settings(max_examples=400)
@given(st.recursive(st.booleans(), lambda inner: schemas_of(inner, WRONG), max_leaves=4))
def test_a_schema_that_is_surely_valid_is_valid(schema: Any) -> None:
    if surely_valid(schema):
        assert not list(schema_errors(schema))


@settings(max_examples=200)
@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=6))
def test_the_verdicts_are_the_same(schema: Any, values: list[Any]) -> None:
    assume(isinstance(schema, dict) and surely_valid(schema))
    fits = predicate(schema)
    assume(fits is not None)
    assert fits is not None
    errors = errors_of(schema)
    for value in values:
        assert fits(value) == (next(iter(errors(value)), None) is None), f"{value!r} under {schema!r}"


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"enum": [1, "a", None]}, [1, 1.0, "a", None], [True, "1", [], {}]),
        ({"enum": [True]}, [True], [1, "true"]),
        ({"type": "integer"}, [3, 3.0], [True, 3.5, "3"]),
        ({"type": ["string", "null"]}, ["", None], [0]),
        ({"items": {"type": "string"}}, [[], ["a"], "a"], [["a", 1]]),
        ({"properties": {"a": {}}, "additionalProperties": False}, [{}, {"a": 1}], [{"b": 1}]),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, [1.5], [1]),
        ({"format": "date"}, ["2024-02-29", 5], ["2023-02-29"]),
    ],
)
def test_verdicts(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    fits = predicate(schema)
    assert fits is not None
    assert [value for value in good if not fits(value)] == []
    assert [value for value in bad if fits(value)] == []


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"const": {}}, {"patternProperties": {}}, {"enum": [[1]]}, {"if": True}])
def test_rare_keywords_are_left_to_jsonschema(schema: dict[str, Any]) -> None:
    assert predicate(schema) is None


def test_a_schema_of_a_common_tool_is_judged_here() -> None:
    schema = {
        "title": "Order",
        "properties": {
            "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}, "minItems": 1},
            "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
        },
        "$defs": {
            "Item": {"type": "object", "properties": {"count": {"type": "integer", "minimum": 1}}, "required": ["count"]}
        },
    }
    assert surely_valid(schema)
    assert predicate(clean(schema)) is not None
