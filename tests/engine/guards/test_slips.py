"""Which replies without a call are answers, and which are slips."""

from __future__ import annotations

import pytest

from react_agent.engine.guards import slip_of
from react_agent.engine.reply import Reply
from react_agent.parsing import parse
from tests.engine.playing import ADD, action, answer, play
from tests.vectors import TOOLS

DESK = TOOLS["desk"]
CALL = '<tool_call>\n{"name": "find_book", "arguments": {"title": "Kim"}}\n</tool_call>'


def reason(text: str, *, tools: bool = True) -> str:
    slip = slip_of(Reply("text", text, parsed=parse(text, DESK)), tools=tools)
    return slip.reason if slip else ""


@pytest.mark.parametrize(
    "text",
    [f"For example:\n{CALL}", f"例：\n{CALL}", f"“{CALL}”", f"{CALL}\nWait, do not run this.", f"For example:\n{CALL}\n{CALL}"],
)
def test_nothing_but_a_wrapper_that_was_not_made_is_a_slip(text: str) -> None:
    assert reason(text) == "format"
    assert reason(text, tools=False) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Kim stands on shelf 3.",
        f"A call has a name and arguments. Both are needed. For example:\n{CALL}\nThe name is that of a declared tool.",
        'For example:\n```json\n{"name": "find_book", "arguments": {"title": "Kim"}}\n```',
    ],
)
def test_an_answer_that_shows_a_call_is_none(text: str) -> None:
    assert reason(text) == ""


def test_the_user_is_not_given_the_marks() -> None:
    shown = '例：\n<tool_call>{"name": "add", "arguments": {"a": 2, "b": 40}}</tool_call>'
    ran = play([shown, action("add", a=2, b=40), answer("42")], ADD)
    assert ran.result.answer == "42"
    assert [event.reason for event in ran.corrections] == ["format"]
