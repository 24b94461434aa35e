"""Grammars from schemas, held to by a real constrained-decoding engine."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.schema import clean
from react_agent.schema.grammar import MAX_DEPTH, VALUES, literal, rules
from tests.support.grammars import accepts


def grammar(schema: Any) -> str:
    return "".join(f"{name} ::= {rule}\n" for name, rule in (rules("root", schema) | VALUES).items())


def spelt(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


CITY = {"type": "string"}
TRIP = {
    "type": "object",
    "properties": {
        "from": CITY,
        "days": {"type": "integer"},
        "class": {"enum": ["first", "二等", None, 3]},
        "stops": {"type": "array", "items": CITY, "minItems": 1},
        "price": {"type": ["number", "null"]},
        "guide": {"anyOf": [{"type": "boolean"}, {"type": "object", "properties": {"name": CITY}}]},
    },
    "required": ["from", "days"],
}


@pytest.mark.parametrize(
    "value",
    [
        {"from": "上海", "days": 3},
        {"from": 'a "quoted" \\ name\n', "days": -3, "class": "二等"},
        {"from": "x", "days": 0, "class": None, "stops": ["a", "b"], "price": 1.5e-3, "guide": {"name": "Li"}},
        {"from": "x", "days": 0, "price": None, "guide": True},
        {"from": "x", "days": 0, "guide": {}},
    ],
)
def test_what_fits_is_let_through(value: Any) -> None:
    assert accepts(grammar(TRIP), spelt(value))


@pytest.mark.parametrize(
    "text",
    [
        '{"from": "x"}', '{"days": 3, "from": "x"}', '{"from": "x", "days": 3.5}', '{"from": "x", "days": "3"}',
        '{"from": "x", "days": 3, "class": "third"}', '{"from": "x", "days": 3, "stops": []}', '{"from": "x", "days": 3,}',
        '{"from": "x", "days": 3, "other": 1}', "{'from': 'x', 'days': 3}", '{"from": "x", "days": 03}', "", "null",
    ],
)  # fmt: skip
def test_what_does_not_fit_cannot_be_written(text: str) -> None:
    assert not accepts(grammar(TRIP), text)


def test_an_object_without_required_members_may_be_empty_or_begin_with_any() -> None:
    loose = grammar({"type": "object", "properties": {"a": CITY, "b": CITY, "c": CITY}, "required": []})
    for value in ({}, {"a": "1"}, {"b": "1"}, {"c": "1"}, {"a": "1", "c": "1"}, {"b": "1", "c": "1"}):
        assert accepts(loose, spelt(value))
    assert not accepts(loose, '{"c": "1", "a": "1"}')


@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, {"$ref": "#/$defs/tree"}, True, {"additionalProperties": True, "type": "object"}]
)
def test_what_cannot_be_said_may_be_any_object(schema: Any) -> None:
    assert accepts(grammar(schema), '{"k": [1, {"x": null}], "l": "m"}')


def test_no_parameters_are_an_empty_object() -> None:
    assert accepts(grammar(clean({"type": "object"})), "{}")
    assert not accepts(grammar(clean({"type": "object"})), '{"a": 1}')


def test_depth_is_bounded() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(10 * MAX_DEPTH):
        deep = {"type": "array", "items": deep}
    assert len(rules("root", deep)) == MAX_DEPTH + 2


@given(st.text())
def test_a_literal_is_itself(text: str) -> None:
    text = text.replace("\x00", "").encode("utf-8", "ignore").decode()
    rule = f"root ::= {literal(text)}\n"
    if text:
        assert accepts(rule, text)
        assert not accepts(rule, f"{text}x")


NAMES = st.sampled_from(["a", "b", "名", 'q"uote', "back\\slash", "new line"])
SCALARS = st.sampled_from(["string", "integer", "number", "boolean", "null"])
SCHEMAS = st.recursive(
    SCALARS.map(lambda kind: {"type": kind}),
    lambda inner: st.one_of(
        inner.map(lambda items: {"type": "array", "items": items}),
        st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches}),
        st.dictionaries(NAMES, inner, min_size=1, max_size=3).flatmap(
            lambda parts: st.sets(st.sampled_from(sorted(parts))).map(
                lambda must: {"type": "object", "properties": parts, "required": sorted(must)}
            )
        ),
    ),
    max_leaves=6,
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x7f"), max_size=6)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of `schema`, members in its order, the required ones first."""
    if "anyOf" in schema:
        return st.one_of([values(branch) for branch in schema["anyOf"]])
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "string": TEXTS,
        "integer": st.integers(-(10**15), 10**15),
        "number": st.floats(-1e9, 1e9, allow_subnormal=False).map(lambda number: round(number, 6)),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    if schema["type"] == "array":
        return st.lists(values(schema["items"]), max_size=3)
    if schema["type"] == "object":
        parts, must = schema["properties"], schema["required"]
        ordered = [name for name in parts if name in must] + [name for name in parts if name not in must]
        some = st.sets(st.sampled_from(ordered)).map(
            lambda chosen: [name for name in ordered if name in must or name in chosen]
        )
        return some.flatmap(
            lambda names: st.tuples(*(values(parts[name]) for name in names)).map(
                lambda made: dict(zip(names, made, strict=True))
            )
        )
    return kinds[schema["type"]]


@settings(max_examples=60, deadline=None)
@given(SCHEMAS.flatmap(lambda schema: st.tuples(st.just(schema), values(schema))))
def test_every_value_of_a_schema_can_be_written(pair: tuple[dict[str, Any], Any]) -> None:
    schema, value = pair
    assert accepts(grammar(schema), spelt(value))


def test_a_clean_schema_is_what_it_is_made_for() -> None:
    schema = clean(
        {
            "type": "object",
            "properties": {"at": {"$ref": "#/$defs/place"}},
            "required": ["at"],
            "$defs": {"place": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}},
        }
    )
    assert accepts(grammar(schema), '{"at": {"x": 1}}')
    assert not accepts(grammar(schema), '{"at": {"x": "1"}}')
