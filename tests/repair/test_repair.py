"""The front door of repair, and the table of costs."""

from __future__ import annotations

import doctest
import importlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import react_agent
from react_agent.errors import SchemaError
from react_agent.messages import Fix
from react_agent.repair import COSTS, Repaired, cost, repair
from react_agent.repair.reader import MAX_DEPTH, read
from tests.repair.test_fit import schema_and_value
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


HERE = Path(__file__).parent


def lines(name: str) -> list[Any]:
    """The cases of a file, each named by its line."""
    rows = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(json.loads(row), id=f"{name}:{number}") for number, row in enumerate(rows, start=1)]


@pytest.mark.parametrize("case", lines("broken.jsonl"))
def test_broken(case: dict[str, Any]) -> None:
    """Where a careful reader is certain, this is the value; where a value is cut or left out, there is none."""
    repaired = repair(case["text"])
    assert repaired.ok != case.get("refused", False), repaired
    if repaired.ok:
        assert same(repaired.value, case["value"]), repaired
    assert {fix.name for fix in repaired.fixes} <= COSTS.keys()


@pytest.mark.parametrize("case", lines("guided.jsonl"))
def test_guided(case: dict[str, Any]) -> None:
    repaired = repair(case["text"], case["schema"])
    assert repaired.ok != case.get("refused", False), repaired
    if repaired.ok:
        assert same(repaired.value, case["value"]), repaired
        again = repair(json.dumps(repaired.value, ensure_ascii=False), case["schema"])
        assert again.fixes == ()
        assert same(again.value, repaired.value)


CORNERS = [
    ('{"a": 1, "a": 2}', {"a": 2}, ""),
    ("{'a': 1, 'a': 2}", {"a": 2}, "other_quotes repeated_key"),
    ("{'a': 1, 'a': 1}", {"a": 1}, "other_quotes"),
    ('{"a": NaN}', {"a": "NaN"}, "bare_string"),
    ('{"a": -Infinity}', {"a": "-Infinity"}, "bare_string"),
    ('{"a": 1e999}', {"a": "1e999"}, "bare_string"),
    ('{"a": ' + "7" * 5000 + "}", {"a": "7" * 5000}, "bare_string"),
    ('{"a": ' + "7" * 4000 + "}", {"a": int("7" * 4000)}, ""),
    ('{"a": "\\ud83d"}', {"a": "\ufffd"}, "bad_escape"),
    ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}, ""),
]


@pytest.mark.parametrize(("written", "value", "fixes"), CORNERS, ids=[written[:20] for written, *_ in CORNERS])
def test_corners(written: str, value: Any, fixes: str) -> None:
    repaired = repair(written)
    assert repaired.value == value
    assert {fix.name for fix in repaired.fixes} == set(fixes.split())


@pytest.mark.parametrize("written", ["NaN", "1e999", "7" * 5000, "[" * 101 + "]" * 101, '{"a":' * 101 + "1" + "}" * 101])
def test_no_value_at_all(written: str) -> None:
    assert not repair(written).ok


def test_a_bad_schema_is_the_mistake_of_the_caller() -> None:
    with pytest.raises(SchemaError):
        repair('{"a": 1}', {"type": "no such type"})


@settings(max_examples=150)
@given(values)
def test_the_scanner_reads_valid_json_as_the_standard_parser_does(value: Any) -> None:
    """So that one slip in a text does not change how the rest of it is read."""
    written = json.dumps({"a": value}, ensure_ascii=False)
    found = read(f"{written[:-1]},}}")
    assert same(found.value, {"a": value})
    assert {fix.name for fix in found.fixes} == {"trailing_comma"}
    assert not found.cut


@settings(max_examples=150)
@given(schema_and_value(), st.text("{}[]:,'\"“”：，\\\ntrue10 a\n", max_size=30), st.integers(0, 200))
def test_ok_means_that_the_schema_is_satisfied(pair: tuple[dict[str, Any], Any], noise: str, place: int) -> None:
    schema, value = pair
    written = json.dumps(value, ensure_ascii=False)
    place %= len(written) + 1
    repaired = repair(written[:place] + noise + written[place:], schema)
    if repaired.ok:
        assert jsonschema.Draft202012Validator(schema).is_valid(repaired.value)


@settings(max_examples=150)
@given(values)
def test_what_comes_out_can_be_written(value: Any) -> None:
    repaired = repair(repr({"a": value}))
    if repaired.found:
        json.dumps(repaired.value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("name", ["", ".mend", ".fit", ".escapes", ".arithmetic"])
def test_examples(name: str) -> None:
    done = doctest.testmod(importlib.import_module(f"react_agent.repair{name}"))
    assert done.attempted > 0
    assert done.failed == 0


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
