"""Arguments that fit as they are: where the short test says so, fitting and validating say so too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.repair.as_is import as_is
from react_agent.repair.fit import fit
from react_agent.repair.numerals import numeral
from react_agent.schema import prepared

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.sampled_from(["", "a", "null", "3", "true", "x y"])
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.sampled_from("ab"), SCALARS, max_size=2))
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
MEMBERS = st.one_of(
    st.booleans(),
    st.fixed_dictionaries(
        {"type": st.one_of(KINDS, st.lists(KINDS, min_size=1, max_size=2, unique=True))},
        optional={
            "description": st.just("of a thing"),
            "enum": st.lists(st.sampled_from(["a", "", "null", 3, True, None]), min_size=1, max_size=3),
            "items": st.fixed_dictionaries({"type": KINDS}, optional={"minimum": st.integers(-2, 2)}),
            "minimum": st.integers(-2, 2),
            "minLength": st.integers(0, 2),
            "minItems": st.integers(0, 2),
            "anyOf": st.just([{"type": "string"}]),
        },
    ),
)
NAMES = st.sampled_from(["a", "b", "value", "arguments", "type"])
SCHEMAS = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(NAMES, MEMBERS, max_size=3)},
    optional={
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": st.booleans(),
        "minProperties": st.integers(0, 2),
        "anyOf": st.just([{"required": ["a"]}]),
    },
)


@given(SCHEMAS, st.dictionaries(NAMES, VALUES, max_size=3))
def test_what_fits_as_it_is_needs_no_fix_and_has_no_problem(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    known = prepared(schema)
    if as_is(known.schema)(arguments):
        assert repr(fit(arguments, known.schema)) == repr((arguments, ()))
        assert not known.checker.problems(arguments)


SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "where"},
        "days": {"type": "integer"},
        "rate": {"type": "number"},
        "unit": {"type": "string", "enum": ["C", "F"]},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["city"],
}


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ({"city": "Oslo"}, True),
        ({"city": "Oslo", "days": 3, "rate": 1.5, "unit": "C", "tags": ["a"]}, True),
        ({"city": "Oslo", "rate": 2}, True),
        ({"city": "Oslo", "rate": numeral("1.50")}, False),
        ({"city": "Oslo", "days": True}, False),
        ({"city": "Oslo", "unit": "c"}, False),
        ({"city": "Oslo", "tags": ["a", 1]}, False),
        ({"city": "Oslo", "wind": 1}, False),
        ({"days": 3}, False),
    ],
)
def test_the_short_test_knows_the_usual_arguments(arguments: dict[str, Any], fits: bool) -> None:
    assert as_is(SCHEMA)(arguments) is fits
