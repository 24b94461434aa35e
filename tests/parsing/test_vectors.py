"""Every case of tests/vectors; and case files of others, when an environment variable points to their folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from react_agent import parse
from react_agent.parsing.dialects import DIALECTS
from tests.vectors import KINDS, REPLIES, TOOLS, Case, load
from tests.vectors.judging import faults, loosely_same

CASES = load()
KEYS = {"id", "dialect", "tools", "text", "expect", "why", "source"}
EXPECTED = {"calls", "answer", "thought", "rejected", "cut", "invented"}


@pytest.mark.parametrize("case", [case.param("verdict") for case in CASES])
def test_case(case: Case) -> None:
    parsed = parse(case.text, case.tools)
    found = faults(parsed, case.expect, case.text)
    assert not found, "\n".join([f"{case.where} {case.id}: {case.data['why']}", repr(case.text), *found, repr(parsed)])


def test_files_are_in_order() -> None:
    """Ids are unique, toolsets exist, keys are known: a misspelt key would expect nothing."""
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids))
    for case in CASES:
        assert case.data.keys() - {"xfail", "kind"} == KEYS, case
        assert case.data["tools"] in TOOLS, case
        assert case.expect, case
        assert case.expect.keys() <= EXPECTED, case
    assert {path.stem for path in Path(__file__).parent.parent.joinpath("vectors").glob("*.jsonl")} >= set(REPLIES)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_every_kind(dialect: str) -> None:
    kinds = {case.data["kind"] for case in load("dialects") if case.data["dialect"] == dialect}
    assert kinds == set(KINDS)


def test_a_call_of_a_dialect_is_named_so() -> None:
    for case in load("dialects"):
        if case.data["kind"] in ("good", "prose", "parallel") and case.expect["calls"]:
            assert {call["dialect"] for call in case.expect["calls"]} == {DIALECTS[case.data["dialect"]].reads_as}, case


def external() -> Iterator[tuple[str, dict[str, Any]]]:
    """Cases of others: `raw`, `tools`, and `expect` with calls, final and thought."""
    folder = os.environ.get("REACT_AGENT_CASES")
    for path in sorted(Path(folder).glob("*.jsonl")) if folder else ():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            yield f"{path.name}:{number}", json.loads(line)


def test_external_cases() -> None:
    wrong = [f"{where} {case['id']}: {fault}" for where, case in external() for fault in _external_faults(case)]
    assert not wrong, "\n".join(wrong)


def _external_faults(case: dict[str, Any]) -> Iterator[str]:
    parsed, expect = parse(case["raw"], case["tools"]), case["expect"]
    if not loosely_same(
        [[call.name, call.arguments] for call in parsed.calls], [[c["name"], c["arguments"]] for c in expect["calls"]]
    ):
        yield f"calls {parsed.calls}"
    for key, got in (("final", parsed.answer), ("thought", parsed.thought)):
        if expect.get(key) is not None and not loosely_same(got or "", expect[key]):
            yield f"{key} {got!r}"
