"""Reasoning that stands in the content of a reply is not sent back."""

from __future__ import annotations

import pytest

from react_agent.parsing.dialects import PROMPTED, render
from tests.engine.playing import ADD, action, answer, native, play

CALL = action("add", a=2, b=40)


@pytest.mark.parametrize(
    "reasoning",
    [
        "<think>A secret plan.</think>\n\n",
        "A secret plan.</think>\n",
        "[THINK]A secret plan.[/THINK]",
        "<think>A</think>\n<think>secret</think>",
    ],
)
def test_reasoning_is_not_sent_back_and_stays_in_the_steps(reasoning: str) -> None:
    ran = play([reasoning + CALL, reasoning, reasoning + answer("42")], ADD)
    assert (ran.ran, ran.result.answer) == ([("add", {"a": 2, "b": 40})], "42")
    assert not any("secret" in ran.said(number) or "think" in ran.said(number).lower() for number in (2, 3))
    assert CALL in ran.said(2)
    assert all("secret" in step.reply for step in ran.result.steps)
    assert not any("secret" in message.content for message in ran.result.messages)


def test_it_is_not_beside_native_calls_either() -> None:
    ran = play([native(("add", '{"a": 2, "b": 40}'), text="<think>secret</think>I add."), "42"], ADD, mode="native")
    assert ran.requests[1].messages[2]["content"] == "I add."


def test_a_mark_inside_a_reply_is_text() -> None:
    said = f"{CALL}\n\nThe mark </think> ends it."
    assert play([said, answer("42")], ADD).result.messages[1].content == CALL
    assert play([answer("It ends with </think> then.")], ADD).result.messages[1].content == answer(
        "It ends with </think> then."
    )


@pytest.mark.parametrize("dialect", PROMPTED)
def test_a_dialect_whose_thoughts_are_set_apart_keeps_them(dialect: str) -> None:
    said = render(dialect, thought="A plain thought.", answer="42", lang="en")
    ran = play([said], ADD, dialect=dialect)
    assert "A plain thought." in ran.result.messages[1].content
