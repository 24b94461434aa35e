"""Explanations: every stretch, every candidate and every fix is accounted for, and asking changes nothing."""

from __future__ import annotations

import pytest

from react_agent import parse
from react_agent.messages import Explanation, Parsed
from react_agent.parsing.explaining import KINDS
from react_agent.parsing.rules import REFUSED, RULES, TAKEN
from tests.vectors import TOOLS, load

CASES = load()
DESK = TOOLS["desk"]


def explain(text: str) -> Explanation:
    found = parse(text, DESK, explain=True).explanation
    assert found is not None
    return found


def test_nothing_is_explained_unasked() -> None:
    assert parse("Hello", DESK).explanation is None


def test_asking_changes_nothing() -> None:
    for case in CASES:
        assert parse(case.text, case.tools, explain=True) == parse(case.text, case.tools), case


def test_stretches_cover_the_text_once() -> None:
    for case in CASES:
        found = parse(case.text, case.tools, explain=True).explanation
        assert found is not None
        assert "".join(case.text[part.start : part.end] for part in found.stretches) == case.text, case
        assert all(part.kind in KINDS for part in found.stretches), case


def test_every_call_refusal_and_fix_is_explained() -> None:
    for case in CASES:
        parsed = parse(case.text, case.tools, explain=True)
        found = parsed.explanation
        assert found is not None
        assert all(ruling.rule in RULES and ruling.taken == (ruling.rule in TAKEN) for ruling in found.rulings), case
        for call in parsed.calls:
            assert any(ruling.taken and ruling.name == call.name for ruling in found.rulings), case
        reasons = [ruling.rule for ruling in found.rulings if not ruling.taken]
        assert all(rejected.reason in reasons for rejected in parsed.rejected), case
        assert [(change.call, change.fix) for change in found.changes] == [
            (number, fix.name) for number, call in enumerate(parsed.calls) for fix in call.fixes
        ], case
        assert all(len(change.before) <= 80 and len(change.after) <= 80 for change in found.changes), case


@pytest.mark.parametrize(
    ("text", "rule", "taken"),
    [
        ('<tool_call>{"name": "list_rooms", "arguments": {}}</tool_call>', "marked", True),
        ("Action: list_rooms\nAction Input: {}", "labelled", True),
        ('{"name": "list_rooms", "arguments": {}}', "whole", True),
        ('For example:\n{"name": "list_rooms", "arguments": {}}', "example", False),
        ('{"rooms": 3}', "data", False),
        ('{"rooms": 3}\nAction: list_rooms\nAction Input: {}', "outweighed", False),
        ('<tool_call>{"name": "list_room", "arguments": {}}</tool_call>', "unknown_tool", False),
        ('{"type": "final_answer", "content": "Three."}', "answer", True),
        ('Final Answer: send\n{"name": "list_rooms", "arguments": {}}', "in_answer", False),
        ('{"name": "list_rooms", "arguments": {}}\n</think>\nNo need.', "reasoning", False),
        ('<tool_call>{"name": "list_room", "arguments": {}}</tool_call>\nObservation: 3\n{"a": 1}', "invented", False),
    ],
)
def test_the_rule_that_decided(text: str, rule: str, taken: bool) -> None:
    assert (rule, taken) in [(ruling.rule, ruling.taken) for ruling in explain(text).rulings]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Thought: x\nAction: list_rooms\nAction Input: {}\nObservation: 3",
         ["label", "thought", "label", "action", "label", "value", "invented"]),
        ("<think>x</think>Three.", ["thought", "prose"]),
        ("x</think>Three.", ["thought", "token", "prose"]),
        ("Final Answer: Three.\n```\na\n```", ["label", "answer"]),
    ],
)  # fmt: skip
def test_what_each_stretch_was_taken_for(text: str, kinds: list[str]) -> None:
    assert [part.kind for part in explain(text).stretches] == kinds


def test_what_a_fix_changed() -> None:
    changes = explain('<tool_call>{"name": "reserve_seat", "arguments": {"room": "A", "seat": "4",}}</tool_call>').changes
    assert [(change.fix, change.path, change.before, change.after) for change in changes] == [
        ("trailing_comma", "", '": "A", "seat": "4",}}', '{"room": "A", "seat": 4}'),
        ("text_to_number", "seat", '"4"', "4"),
    ]


def test_an_explanation_is_plain_data() -> None:
    parsed = parse('<tool_call>{"name": "list_rooms", "arguments": {},}</tool_call>', DESK, explain=True)
    again = Parsed.from_dict(parsed.to_dict())
    assert again == parsed
    assert again.explanation == parsed.explanation


def test_rules_have_one_meaning() -> None:
    assert not TAKEN.keys() & REFUSED.keys()
