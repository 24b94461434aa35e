"""Numbers from nowhere: a call in text that holds some, a leaked one too, is sent back once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from react_agent.messages import Message, Result
from tests.engine.playing import TEXT, action, answer, native, play, tool

NUMBER = {"type": "number"}
REFUND = tool("refund", lambda order, amount: "refunded", order=TEXT, amount=NUMBER)
LOOK_UP = tool("look_up", lambda order: '{"amount": 42.5}', order=TEXT)


def leak(name: str, **arguments: Any) -> str:
    return f"```json\n{json.dumps({'name': name, 'arguments': arguments})}\n```"


def test_a_leak_with_a_number_from_nowhere_is_sent_back_and_leaves_no_trace() -> None:
    replies = [
        leak("refund", order="B7", amount=100.0),
        action("look_up", order="B7"),
        action("refund", order="B7", amount=42.5),
        answer("Refunded 42.5."),
    ]
    ran = play(replies, REFUND, LOOK_UP, mode="auto", task="Refund order B7 in full.")
    assert ran.ran == [("look_up", {"order": "B7"}), ("refund", {"order": "B7", "amount": 42.5})]
    assert [(change.before, change.after) for change in ran.modes] == [("native", "text")]
    assert "100" not in "".join(json.dumps(request.messages) for request in ran.requests)
    assert "Look it up first, with look_up." in ran.said(2)


@pytest.mark.parametrize(
    ("task", "amount"),
    [
        ("Refund 42.50 for order B7.", 42.5),
        ("Refund 1000 for order B7, please", 1000),
        ("给订单 B7 退款 30 元", 30.0),
        ("Order B7 cost €19.90: refund that", 19.9),
        ("Refund 1,234,567.50 for order B7", 1_234_567.5),
    ],
)
def test_a_number_of_the_task_in_any_spelling_is_used(task: str, amount: float) -> None:
    ran = play([leak("refund", order="B7", amount=amount), answer("ok")], REFUND, mode="auto", task=task)
    assert ran.ran == [("refund", {"order": "B7", "amount": amount})]


def test_a_number_of_an_earlier_result_is_used() -> None:
    history = [Message("user", "look"), Message("tool", result=Result("c1", "look_up", '{"amount": 42.5}'))]
    ran = play([leak("refund", order="B7", amount=42.5), answer("ok")], REFUND, mode="auto", task="Refund B7", history=history)
    assert ran.ran == [("refund", {"order": "B7", "amount": 42.5})]


def test_an_optional_number_is_the_models_to_choose() -> None:
    search = tool("search", lambda query, limit=3: "found", required=["query"], query=TEXT, limit={"type": "integer"})
    ran = play([leak("search", query="holidays", limit=17), answer("ok")], search, mode="auto", task="Search holidays")
    assert ran.ran == [("search", {"query": "holidays", "limit": 17})]


def test_a_number_that_the_schema_offers_is_used() -> None:
    pick = tool("pick", lambda size: "ok", size={"type": "integer", "enum": [16, 32]})
    ran = play([leak("pick", size=32), answer("ok")], pick, mode="auto", task="Pick the large one")
    assert ran.ran == [("pick", {"size": 32})]


def test_a_leak_where_native_is_demanded_is_used() -> None:
    ran = play([leak("refund", order="B7", amount=100), "ok"], REFUND, mode="native", task="Refund order B7.")
    assert ran.ran == [("refund", {"order": "B7", "amount": 100})]


def test_a_real_native_call_is_not_judged() -> None:
    ran = play([native(("refund", '{"order": "B7", "amount": 100}')), "ok"], REFUND, mode="auto", task="Refund order B7.")
    assert ran.ran == [("refund", {"order": "B7", "amount": 100})]


PLAN = tool("plan", lambda parts: "ok", parts={"type": "array", "items": {}})


@pytest.mark.parametrize("parts", [[50, 70], ["abs(50 - 70)"], [{"sum": {"a": 50, "b": -70}}]])
def test_numbers_within_lists_objects_and_sums_are_seen(parts: Any) -> None:
    ran = play([leak("plan", parts=parts), answer("no")], PLAN, mode="auto", task="Plan 50 and 60")
    assert ran.ran == []
    assert "parts is not known yet" in ran.said(2)


@pytest.mark.parametrize("parts", [["365*24"], ["3.14159*3**2"], ["50*60/100"], [62]])
def test_what_everybody_knows_passes(parts: Any) -> None:
    ran = play([action("plan", parts=parts), answer("ok")], PLAN, task="Plan 50 and 60, from 7 pm on")
    assert ran.ran == ([("plan", {"parts": parts})] if parts != [62] else [])


def test_an_hour_of_the_afternoon_passes() -> None:
    ran = play([action("plan", parts=[19]), answer("ok")], PLAN, task="Plan for 7 pm")
    assert ran.ran == [("plan", {"parts": [19]})]


@pytest.mark.parametrize("parts", [["room 70"], [True, None], [7, 12.0], [6_000], [0.5], [50.0]])
def test_words_small_numbers_and_other_units_pass(parts: Any) -> None:
    ran = play([leak("plan", parts=parts), answer("ok")], PLAN, mode="auto", task="Plan 50 and 60")
    assert ran.ran == [("plan", {"parts": parts})]


@pytest.mark.parametrize(
    "task", ["Refund forty euros of order B7", "订单 B7 退款四十元", "订单 B7 退一百块", "Refund a dozen of B7"]
)
def test_a_task_with_numbers_in_words_is_trusted(task: str) -> None:
    ran = play([action("refund", order="B7", amount=40), answer("ok")], REFUND, task=task)
    assert ran.ran == [("refund", {"order": "B7", "amount": 40})]


def test_a_call_in_text_is_sent_back_once_and_its_number_is_not_in_the_history() -> None:
    replies = [
        action("refund", order="B7", amount=100.0),
        action("look_up", order="B7"),
        action("refund", order="B7", amount=42.5),
        answer("Refunded 42.5."),
    ]
    ran = play(replies, REFUND, LOOK_UP, task="Refund order B7 in full.")
    assert ran.ran == [("look_up", {"order": "B7"}), ("refund", {"order": "B7", "amount": 42.5})]
    assert [correction.reason for correction in ran.corrections] == ["ungrounded"]
    assert [message["role"] for message in ran.requests[1].messages] == ["system", "user"]
    said = ran.requests[1].messages[-1]["content"]
    assert said.startswith("Refund order B7 in full.\n\nrefund was not run: the value of amount is not known yet.")
    assert "100" not in said
    assert ran.result.steps[0].results[0].status == "refused"


def test_a_call_that_is_made_again_runs() -> None:
    sure = action("refund", order="B7", amount=100)
    ran = play([sure, sure, answer("ok")], REFUND, task="Refund order B7.")
    assert ran.ran == [("refund", {"order": "B7", "amount": 100})]


def test_the_check_can_be_switched_off() -> None:
    ran = play([action("refund", order="B7", amount=100), answer("ok")], REFUND, task="Refund B7.", check_numbers=False)
    assert ran.ran == [("refund", {"order": "B7", "amount": 100})]


def test_chinese_is_told_in_chinese() -> None:
    ran = play([action("refund", order="B7", amount=100), answer("不")], REFUND, task="请把订单 B7 全额退款")
    assert "refund 没有执行：amount 的值还不知道" in ran.said(2)
