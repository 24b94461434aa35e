"""Value to schema: what is bent, what is left alone."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.repair import COSTS
from react_agent.repair.fit import fit, short
from tests.vectors.judging import same

STRING, INTEGER, NUMBER, BOOLEAN = ({"type": kind} for kind in ("string", "integer", "number", "boolean"))
NULL: dict[str, Any] = {"type": "null"}
LIST = {"type": "array", "items": STRING}
NUMBERS = {"type": "array", "items": NUMBER}
PERSON = {"type": "object", "properties": {"name": STRING, "age": INTEGER}, "required": ["name"]}
CLOSED = {**PERSON, "additionalProperties": False}
COLOUR = {"type": "string", "enum": ["dark red", "light-blue", "RED"]}
LEVEL = {"enum": [1, 2, 3]}


def either(*branches: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": list(branches)}


BENT = [
    # text
    (STRING, 7, "7", "number_to_text"),
    (STRING, 1.50, "1.5", "number_to_text"),
    (STRING, True, "true", "value_to_text"),
    (STRING, ["a"], "a", "array_to_single"),
    (STRING, {"a": "甲"}, '{"a": "甲"}', "value_to_text"),
    (STRING, {"type": "string", "value": "a"}, "a", "unwrapped"),
    # numbers
    (INTEGER, "7", 7, "text_to_number"),
    (INTEGER, "2 * 12", 24, "arithmetic"),
    (NUMBER, "5/100", 0.05, "arithmetic"),
    (INTEGER, " -7 ", -7, "text_to_number"),
    (INTEGER, "1,250", 1250, "text_to_number"),
    (INTEGER, "7.0", 7, "text_to_number"),
    (INTEGER, 7.0, 7, "float_to_integer"),
    (INTEGER, ["7"], 7, "array_to_single text_to_number"),
    (NUMBER, "2.5", 2.5, "text_to_number"),
    (NUMBER, "1e3", 1000.0, "text_to_number"),
    (NUMBER, "3", 3, "text_to_number"),
    # booleans and null
    (BOOLEAN, "true", True, "text_to_boolean"),
    (BOOLEAN, "No", False, "text_to_boolean"),
    (BOOLEAN, "否", False, "text_to_boolean"),
    (BOOLEAN, 0, False, "number_to_boolean"),
    (NULL, "None", None, "text_to_value"),
    # lists and objects
    (LIST, "a", ["a"], "single_to_array"),
    (LIST, '["a", "b"]', ["a", "b"], "text_to_value"),
    (LIST, "['a', 'b']", ["a", "b"], "text_to_value other_quotes"),
    (LIST, [1, "b"], ["1", "b"], "number_to_text"),
    (NUMBERS, 3, [3], "single_to_array"),
    (NUMBERS, ["3", 4], [3, 4], "text_to_number"),
    (PERSON, '{"name": "A", "age": "4"}', {"name": "A", "age": 4}, "text_to_value text_to_number"),
    (PERSON, [{"name": "A"}], {"name": "A"}, "array_to_single"),
    (PERSON, {"Name": "A"}, {"name": "A"}, "key_spelling"),
    (PERSON, {"name": "A", "age": None}, {"name": "A"}, "null_dropped"),
    (CLOSED, {"name": "A", "x": 1}, {"name": "A"}, "extra_dropped"),
    (PERSON, {"name": "A", "age": None, "Age": "4"}, {"name": "A", "age": 4}, "null_dropped key_spelling text_to_number"),
    (PERSON, {"name": "A", "age": ""}, {"name": "A"}, "null_dropped"),
    (PERSON, {"arguments": {"name": "A"}}, {"name": "A"}, "unwrapped"),
    (NUMBERS, "1, 2.5", [1, 2.5], "text_to_items"),
    (
        {"allOf": [PERSON, {"properties": {"vip": BOOLEAN}}]},
        {"name": 1, "vip": "yes"},
        {"name": "1", "vip": True},
        "number_to_text text_to_boolean",
    ),
    ({"$defs": {"n": INTEGER}, "properties": {"a": {"$ref": "#/$defs/n"}}}, {"a": "7"}, {"a": 7}, "text_to_number"),
    # choices
    (COLOUR, "Dark Red", "dark red", "enum_spelling"),
    (COLOUR, "light blue", "light-blue", "enum_spelling"),
    (COLOUR, ["RED"], "RED", "array_to_single"),
    (LEVEL, "2", 2, "enum_spelling"),
    ({"const": "on"}, "ON", "on", "enum_spelling"),
    # unions
    (either(INTEGER, NULL), "7", 7, "text_to_number"),
    (either(LIST, NULL), "a", ["a"], "single_to_array"),
    (either(NUMBER, BOOLEAN), "2.5", 2.5, "text_to_number"),
    ({"type": ["integer", "null"]}, "7", 7, "text_to_number"),
    ({"type": "array", "items": either(INTEGER, NULL)}, ["7", None], [7, None], "text_to_number"),
]


@pytest.mark.parametrize(
    ("schema", "value", "expected", "fixes"), BENT, ids=[f"{value!r} to {schema}" for schema, value, *_ in BENT]
)
def test_bent(schema: dict[str, Any], value: Any, expected: Any, fixes: str) -> None:
    before = copy.deepcopy(value)
    fitted, taken = fit(value, schema)
    assert same(fitted, expected)
    assert {fix.name for fix in taken} == set(fixes.split())
    assert value == before, "the value of the caller is not changed"
    assert same(fit(fitted, schema)[0], fitted)
    assert fit(fitted, schema)[1] == ()


LEFT = [
    # a value that fits, however it looks
    (STRING, "007"),
    (STRING, "true"),
    (STRING, "null"),
    (STRING, '{"a": 1}'),
    (STRING, ""),
    (either(STRING, INTEGER), "7"),
    (either(INTEGER, STRING), "7"),
    (either(STRING, NULL), "null"),
    ({"type": ["string", "integer"]}, "7"),
    (LEVEL, 2),
    (BOOLEAN, True),
    (PERSON, {"name": "A", "x": 1}),
    ({}, {"a": [1, "2"]}),
    ({"type": "object"}, {"a": None}),
    # what cannot be bent stays, for the validator to name
    (INTEGER, "seven"),
    (INTEGER, "7 days"),
    (INTEGER, 7.5),
    (INTEGER, True),
    (INTEGER, "1,25"),
    (INTEGER, None),
    (NUMBER, "1.2.3"),
    (NUMBER, "NaN"),
    (NUMBER, "9" * 400),
    (BOOLEAN, "maybe"),
    (BOOLEAN, 2),
    (STRING, None),
    (STRING, ["a", "b", "c"][:0]),
    (LIST, None),
    (LIST, ""),
    (STRING, {"type": "string", "description": "a name"}),
    ({"properties": {"_": STRING}}, {"": "x"}),
    ({"$ref": "#/$defs/missing"}, "7"),
    ({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, "7"),
    (PERSON, "A"),
    (PERSON, '{"name": "A'),
    (PERSON, {"name": None}),
    (COLOUR, "blue"),
    (COLOUR, "dark"),
    (COLOUR, ""),
    (LEVEL, "4"),
]


@pytest.mark.parametrize(("schema", "value"), LEFT, ids=[f"{str(value)[:20]!r} to {schema}" for schema, value in LEFT])
def test_left(schema: dict[str, Any], value: Any) -> None:
    fitted, taken = fit(value, schema)
    if value == []:
        return  # a list of nothing may become the text of a list, but is no text of its own
    assert same(fitted, value)
    assert taken == ()


def test_a_fix_says_where() -> None:
    schema = {"type": "object", "properties": {"guests": {"type": "array", "items": PERSON}}}
    _, fixes = fit({"guests": [{"name": "A"}, {"name": "B", "age": "4"}]}, schema)
    assert [(fix.name, fix.path, fix.note) for fix in fixes] == [("text_to_number", "guests[1].age", "4")]


def test_two_keys_of_one_spelling_are_left() -> None:
    schema = {"type": "object", "properties": {"max_age": INTEGER, "maxAge": INTEGER}}
    assert fit({"MAXAGE": 3}, schema) == ({"MAXAGE": 3}, ())


def test_a_deep_value_is_left_at_the_bound() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    schema["properties"]["a"] = schema
    value: dict[str, Any] = {}
    for _ in range(300):
        value = {"a": value}
    assert same(fit(value, schema)[0], value)


def test_short() -> None:
    assert short("a" * 60) == "a" * 60
    assert short("a" * 61) == "a" * 57 + "…"
    assert short({"a": "甲"}) == '{"a": "甲"}'
    assert len(short(list(range(1000)))) <= 60


# --- any value -------------------------------------------------------------------------------------------------------


@st.composite
def schema_and_value(draw: st.DrawFn, depth: int = 0) -> tuple[dict[str, Any], Any]:
    """A schema and a value that satisfies it."""
    kinds = ["string", "integer", "number", "boolean", "null", "enum", *(("array", "object", "union") if depth < 2 else ())]
    match draw(st.sampled_from(kinds)):
        case "string":
            return STRING, draw(st.text(max_size=8))
        case "integer":
            return INTEGER, draw(st.integers(-(2**60), 2**60))
        case "number":
            return NUMBER, draw(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**9), 10**9))
        case "boolean":
            return BOOLEAN, draw(st.booleans())
        case "null":
            return NULL, None
        case "enum":
            kind, items = draw(st.sampled_from((("string", st.text(max_size=4)), ("integer", st.integers()))))
            choices = draw(st.lists(items, min_size=1, max_size=4, unique=True))
            return {"type": kind, "enum": choices}, draw(st.sampled_from(choices))
        case "array":
            schema, value = draw(schema_and_value(depth + 1))
            return {"type": "array", "items": schema}, [value] * draw(st.integers(0, 2))
        case "union":
            one, value = draw(schema_and_value(depth + 2))
            other, _ = draw(schema_and_value(depth + 2))
            return either(*draw(st.permutations([one, other]))), value
    members = draw(st.dictionaries(st.text("abcXYZ_-", min_size=1, max_size=4), schema_and_value(depth + 1), max_size=3))
    schema = {"type": "object", "properties": {key: inner for key, (inner, _) in members.items()}}
    return schema, {key: value for key, (_, value) in members.items()}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (either(either(INTEGER, NULL), STRING), 7),
        (either(LEVEL, STRING), 2),
        (either({"const": 3}, STRING), 3),
        (either({}, STRING), 3),
    ],
)
def test_a_branch_without_type(schema: dict[str, Any], value: Any) -> None:
    assert fit(value, schema) == (value, ())


@settings(max_examples=150)
@given(schema_and_value())
def test_a_valid_value_is_untouched(pair: tuple[dict[str, Any], Any]) -> None:
    schema, value = pair
    jsonschema.validate(value, schema, cls=jsonschema.Draft202012Validator)
    fitted, fixes = fit(value, schema)
    assert fixes == ()
    assert same(fitted, value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abname_", max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150)
@given(schema_and_value(), VALUES)
def test_any_value(pair: tuple[dict[str, Any], Any], value: Any) -> None:
    """Bending never makes a valid value invalid (but for keys of another spelling), names every bend, and is done at once."""
    schema = pair[0]
    validator = jsonschema.Draft202012Validator(schema)
    fitted, fixes = fit(value, schema)
    assert {fix.name for fix in fixes} <= COSTS.keys()
    if not fixes:
        assert same(fitted, value)
    if validator.is_valid(fitted):
        assert fit(fitted, schema)[1] == ()
    if "key_spelling" not in {fix.name for fix in fixes}:
        assert validator.is_valid(fitted) or not validator.is_valid(value)
