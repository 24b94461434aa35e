"""Several calls in one reply in text: which are made together, and which wait."""

from __future__ import annotations

import json

from react_agent.events import StopModel

from .playing import ADD, INT, action, answer, play, tool


def test_an_action_of_another_tool_is_not_made_before_the_first_has_its_result() -> None:
    double = tool("double", lambda value: 2 * value, value=INT)
    second = '\nAction: {"type": "tool_call", "name": "double", "args": {"value": 9}}\n' + "x" * 5_000
    for chunk in (None, 1):
        ran = play([action("add", a=2, b=40) + second, answer("42")], ADD, double, chunk=chunk)
        assert ran.ran == [("add", {"a": 2, "b": 40})]
        assert "double" not in ran.said(2)
        assert "xxx" not in ran.said(2)
        assert sum(type(event).__name__ == "CallFinished" for event in ran.events) == 1
    assert sum(isinstance(event, StopModel) for event in ran.events) == 1


def test_a_call_that_was_told_and_then_dropped_ends_as_withdrawn() -> None:
    double = tool("double", lambda value: 2 * value, value=INT)
    wrapped = [f"<tool_call>{json.dumps(call)}</tool_call>" for call in (
        {"name": "add", "arguments": {"a": 2, "b": 40}}, {"name": "double", "arguments": {"value": 9}})]  # fmt: skip
    ran = play(["\n".join(wrapped), answer("42")], ADD, double, chunk=1)
    assert ran.ran == [("add", {"a": 2, "b": 40})]
    kinds = [(type(event).__name__, event.index) for event in ran.events if hasattr(event, "index")]
    told = [kind for kind in kinds if kind[0] != "ArgumentsDelta"]
    assert told == [("CallStarted", 0), ("CallStarted", 1), ("CallFinished", 0), ("CallRejected", 1)]


def test_several_actions_of_one_tool_are_made_together() -> None:
    both = action("add", a=2, b=40) + '\nAction: {"type": "tool_call", "name": "add", "args": {"a": 9, "b": 9}}\nI wait.'
    for chunk in (None, 1):
        ran = play([both, answer("42 and 18")], ADD, chunk=chunk)
        assert ran.ran == [("add", {"a": 2, "b": 40}), ("add", {"a": 9, "b": 9})]
        assert "I wait" not in ran.said(2)


def test_calls_in_one_list_are_one_action() -> None:
    pair = [{"type": "tool_call", "name": "add", "args": {"a": number, "b": 1}} for number in (1, 2)]
    ran = play([f"Action: {json.dumps(pair)}", answer("2 and 3")], ADD)
    assert [arguments["a"] for _, arguments in ran.ran] == [1, 2]


def test_a_list_that_is_too_long_is_made_in_part_and_the_rest_is_named() -> None:
    many = [{"type": "tool_call", "name": "add", "args": {"a": number, "b": 1}} for number in range(1_001)]
    ran = play([f"Action: {json.dumps(many)}", answer("done")], ADD, check_numbers=False)
    assert len(ran.ran) == 1_000
    assert [correction.reason for correction in ran.corrections] == ["too_many"]
    assert "expected at most 1,000 calls in one reply, got more" in ran.said(2)
