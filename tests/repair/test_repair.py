"""The front door of repair, and the table of costs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import react_agent
from react_agent.messages import Fix
from react_agent.repair import COSTS, Repaired, cost, repair
from react_agent.repair.reader import MAX_DEPTH
from tests.vectors import load
from tests.vectors.judging import same

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4), max_leaves=15
)
containers = st.lists(values, max_size=4) | st.dictionaries(text, values, max_size=4)


@settings(max_examples=150)
@given(containers, st.booleans(), st.sampled_from([None, 2]), st.sampled_from(["", " ", "\n\t"]))
def test_valid_json_is_itself(value: Any, ascii_only: bool, indent: int | None, around: str) -> None:
    written = around + json.dumps(value, ensure_ascii=ascii_only, indent=indent) + around
    repaired = repair(written)
    assert same(repaired.value, value)
    assert repaired == Repaired(repaired.value)


@pytest.mark.parametrize("opener", ["[", '{"a":'])
def test_valid_json_as_deep_as_the_bound(opener: str) -> None:
    closer = "]" if opener == "[" else "}"
    written = opener * MAX_DEPTH + "1" + closer * MAX_DEPTH
    assert repair(written) == Repaired(json.loads(written))


@pytest.mark.parametrize("written", ['"a"', '""', "true", "null"])
def test_valid_scalars(written: str) -> None:
    assert repair(written) == Repaired(json.loads(written))


@pytest.mark.xfail(strict=True, reason="a number is taken for cut, a bracket inside a text for the start of the value")
@pytest.mark.parametrize("written", ["3", "-1.5", '"a {b} c"', '"[1]"', '"{"'])
def test_valid_scalars_of_every_kind(written: str) -> None:
    assert repair(written) == Repaired(json.loads(written))


def is_done(repaired: Repaired) -> bool:
    """Does writing and reading again find nothing to mend?"""
    if not isinstance(repaired.value, (dict, list)):
        return True
    again = repair(json.dumps(repaired.value, ensure_ascii=False))
    return again.fixes == () and same(again.value, repaired.value)


def test_idempotent_over_replies() -> None:
    for case in load():
        assert is_done(repair(case.text)), case


@settings(max_examples=150)
@given(st.text("{}[]:,'\"“”：，\\ntrue10 a\n", max_size=40))
def test_idempotent(written: str) -> None:
    assert is_done(repair(written))


def test_a_value_in_the_middle_of_text() -> None:
    assert repair('Sure: {"a": 1} as you like').value == {"a": 1}
    assert repair("see [1, 2,] there").value == [1, 2]


@pytest.mark.parametrize("written", ["", "no value here", "}", "  "])
def test_nothing_found(written: str) -> None:
    assert repair(written) == Repaired(found=False)


def test_cut_is_told() -> None:
    repaired = repair('{"to": "Ida", "body": "see y')
    assert repaired.cut
    assert repaired.value == {"to": "Ida", "body": "see y"}


def test_with_a_schema() -> None:
    schema = {"type": "object", "properties": {"days": {"type": "integer"}, "city": {"type": "string"}}}
    repaired = repair("{'days': '3', city: 7}", schema)
    assert repaired.value == {"days": 3, "city": "7"}
    assert {fix.name for fix in repaired.fixes} == {"other_quotes", "bare_key", "text_to_number", "number_to_text"}
    assert repaired.cost == 0 + 1 + 1 + 1


def test_the_package_is_the_function() -> None:
    assert react_agent.repair('{"a": 1,}').value == {"a": 1}
    assert repair('{"a": 1,}').fixes[0].name == "trailing_comma"


def test_to_dict_and_back() -> None:
    repaired = repair("{'a': 1}")
    assert Repaired.from_dict(repaired.to_dict()) == repaired


def test_costs() -> None:
    assert set(COSTS.values()) <= {0, 1, 2, 4, 8}
    assert cost([]) == 0
    assert cost([Fix("comment"), Fix("bad_escape"), Fix("unwrapped")]) == 5
    assert cost([Fix("invented yesterday")]) == 8
