"""Replies in text that are of no use: the model is told what was wrong, more exactly each time, until the budget is spent."""

from __future__ import annotations

import json

from react_agent.engine import Limits
from react_agent.messages import Outcome

from .playing import ADD, INT, TEXT, action, answer, play, tool


def test_02_format_errors_end() -> None:
    ran = play(["Thought: hm."] * 5, ADD, limits=Limits(max_slips=3))
    assert len(ran.requests) == 4
    assert ran.result.outcome is Outcome.FORMAT_FAILED
    assert ran.result.answer is None
    assert ran.result.steps[-1].reply == "Thought: hm."
    texts = [event.text for event in ran.corrections]
    assert len(set(texts)) == len(texts) == 3
    assert ran.guards == ["format"]


def test_07_one_unknown_tool_over_and_over() -> None:
    ran = play([action("browse", url="x")] * 4, ADD)
    assert ran.ran == []
    assert ran.result.outcome is Outcome.LOOP_GUARD
    assert ran.result.answer is None
    assert "add" in ran.said(2)
    assert len({event.text for event in ran.corrections}) == 2
    assert "No more tools" in ran.said(4)


def test_07_the_closing_answer_counts() -> None:
    ran = play([action("browse", url="x")] * 3 + ["I cannot browse."], ADD)
    assert ran.result.outcome is Outcome.LOOP_GUARD
    assert ran.result.answer == "I cannot browse."


def test_10_a_value_that_cannot_be_coerced() -> None:
    goto = tool("goto_page", lambda page: f"page {page}", page=INT)
    ran = play([action("goto_page", page="last"), action("goto_page", page=12), answer("12 it is")], goto)
    assert ran.ran == [("goto_page", {"page": 12})]
    feedback = ran.requests[1].messages[-1]["content"]
    assert "page" in feedback
    assert "integer" in feedback
    assert '"last"' in feedback


def test_11_a_constraint_after_coercion() -> None:
    volume = tool("set_volume", lambda **_: "ok", level={"type": "integer", "minimum": 1})
    ran = play([action("set_volume", level="0"), action("set_volume", level=1), answer("set")], volume)
    assert ran.ran == [("set_volume", {"level": 1})]
    feedback = ran.corrections[0].text
    assert "at least 1" in feedback
    assert "string" not in feedback.splitlines()[0]


def test_problems_are_told_in_the_language_of_the_user() -> None:
    goto = tool("goto_page", lambda **_: "", page=INT)
    ran = play([action("goto_page", page="last"), answer("好")], goto, task="翻到最后一页")
    assert "应为整数" in ran.corrections[0].text


def test_53_an_empty_reply_gets_one_nudge() -> None:
    ran = play(["", "Final Answer: ok"], ADD)
    assert ran.result.answer == "ok"
    assert [event.reason for event in ran.corrections] == ["empty"]
    assert [message["role"] for message in ran.requests[1].messages] == ["system", "user"]


def test_53_three_empty_replies_end_the_run() -> None:
    ran = play(["", " \n", ""], ADD)
    assert ran.result.outcome is Outcome.EMPTY_REPLY
    assert ran.result.answer is None
    assert len({event.text for event in ran.corrections}) == 2


def test_85_an_echoed_placeholder() -> None:
    ran = play(["Action: {tool_name}", action("add", a=2, b=40), answer("42")], ADD)
    assert ran.result.answer == "42"
    assert len(ran.ran) == 1
    assert "add" in ran.corrections[0].text


def test_a_reply_cut_in_a_call_is_not_run() -> None:
    cut = 'Thought: write.\nAction: {"type": "tool_call", "name": "write", "args": {"text": "half a sen'
    write = tool("write", lambda **_: "ok", text=TEXT)
    ran = play([cut] * 4, write)
    assert ran.ran == []
    assert ran.result.outcome is Outcome.OUTPUT_LIMIT
    assert [event.reason for event in ran.corrections] == ["cut"] * 3


def test_a_call_next_to_a_bad_one_runs_and_the_bad_one_is_told() -> None:
    body = [{"type": "tool_call", "name": "add", "args": {"a": 1, "b": 2}}, {"type": "tool_call", "name": "sub", "args": {}}]
    ran = play([f"Action: {json.dumps(body)}", answer("3")], ADD)
    assert len(ran.ran) == 1
    assert "sub" in ran.requests[1].messages[-1]["content"]
    assert "Observation: 3" in ran.requests[1].messages[-1]["content"]


def test_the_example_of_the_prompt_copied_is_not_run() -> None:
    weather = tool("get_weather", lambda city: f"{city}: dry", city=TEXT)
    ran = play([action("get_weather", city="sample"), answer("Bonjour")], weather, task="Translate good morning.")
    assert ran.ran == []
    assert [event.reason for event in ran.corrections] == ["placeholder"]
    assert ran.result.answer == "Bonjour"
    wanted = play([action("get_weather", city="sample"), answer("dry")], weather, task="The weather in a place named sample?")
    assert len(wanted.ran) == 1
