"""A step done over on its own result is asked about once, and leaves no trace."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.engine.playing import TEXT, answer, native, play, tool

RESULTS = {"-6 - 31": "-37", "-37 - 31": "-68", "-37 * 2": "-74", "31 + 6": "37"}
SUM = tool("calculate", lambda expression: RESULTS[expression], expression=TEXT)
READ = tool("read_page", lambda number: f"page {number}; next page: {number + 1}", number={"type": "number"})
TASK = "It is -6 degrees here and 31 there. What is the difference?"
THOUGHT = "I work out the difference."


def call(name: str, **arguments: Any) -> str:
    return "Action: " + json.dumps({"type": "tool_call", "name": name, "args": arguments})


def step(expression: str, why: str = THOUGHT) -> str:
    return f"Thought: {why}\n{call('calculate', expression=expression)}"


def test_a_sum_of_its_own_result_is_asked_about_and_leaves_no_trace() -> None:
    ran = play([step("-6 - 31"), step("-37 - 31"), answer("37 degrees.")], SUM, task=TASK)
    assert ran.ran == [("calculate", {"expression": "-6 - 31"})]
    assert ran.result.answer == "37 degrees."
    assert [correction.reason for correction in ran.corrections] == ["rethought"]
    assert "-37 - 31" not in json.dumps(ran.requests[2].messages)
    assert "Is that enough to answer the user?" in ran.said(3)


def test_who_says_it_again_goes_on() -> None:
    pages = [f"Thought: I read the next page.\n{call('read_page', number=number)}" for number in (20, 21, 21, 22, 23)]
    ran = play([*pages, answer("four pages")], READ, task="Read on from page 20.")
    assert [arguments["number"] for _, arguments in ran.ran] == [20, 21, 22, 23]
    assert [correction.reason for correction in ran.corrections] == ["rethought"]


@pytest.mark.parametrize(
    "second",
    [
        step("-37 * 2", "Now I double it."),
        step("31 + 6"),
        call("calculate", expression="-37 - 31"),
        f"{step('-37 - 31')}\n{call('calculate', expression='-37 * 2')}",
        native(("calculate", '{"expression": "-37 - 31"}')),
    ],
    ids=["another thought", "other numbers", "no thought", "two calls", "native"],
)
def test_what_may_be_the_next_step_runs(second: str) -> None:
    ran = play([step("-6 - 31"), second, answer("done")], SUM, task=TASK)
    assert len(ran.ran) > 1
    assert ran.corrections == []


def test_pages_are_read_and_a_thought_that_names_the_tool_says_nothing() -> None:
    pages = [f"Thought: I read the next page.\n{call('read_page', number=number)}" for number in (1, 2, 3)]
    sums = [step(expression, "I call calculate.") for expression in ("-6 - 31", "-37 - 31")]
    for replies, one in ((pages, READ), (sums, SUM)):
        ran = play([*replies, answer("done")], one, task=TASK)
        assert (len(ran.ran), ran.corrections) == (len(replies), [])


def test_ids_lead_from_one_look_up_to_the_next() -> None:
    chief = {"101": "205", "205": "330"}
    for kind in ({"type": "integer"}, TEXT):
        look_up = tool("get_manager", lambda id: {"id": chief[str(id)]}, id=kind)
        ids = [101, 205] if kind is not TEXT else ["101", "205"]
        replies = [f"Thought: I go up one level.\n{call('get_manager', id=one)}" for one in ids]
        ran = play([*replies, answer("330")], look_up, task="Who is at the top above 101?")
        assert (len(ran.ran), ran.corrections) == (2, [])


def test_a_step_after_a_failure_is_none_done_over() -> None:
    flaky = tool("calculate", lambda expression: (_ for _ in ()).throw(ValueError("no 37 here")), expression=TEXT)
    ran = play([step("-6 - 31"), step("37 - 31"), answer("It cannot be worked out.")], flaky, task=TASK)
    assert len(ran.ran) == 2
    assert "rethought" not in [correction.reason for correction in ran.corrections]
