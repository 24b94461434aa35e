"""Runs that get nowhere, cost too much or go round: each guard tells the model, then closes the run."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from react_agent.engine import Limits, Price, Traits
from react_agent.events import AnswerDelta, GuardTripped, ModelChunk, StopModel, ThoughtDelta, ToolCallDelta
from react_agent.messages import Outcome, Usage
from tests.engine.playing import ADD, INT, TEXT, Play, action, answer, native, play, tool

LINE = "I have to look at the shelf again, as I am not sure.\n"


def reasons(ran: Play) -> list[str]:
    return [event.reason for event in ran.corrections]


def clock() -> Any:
    ticks = itertools.count(1)
    return tool("look", lambda at: f"08:{next(ticks):02}: nobody is there", at=TEXT)


def circle(period: int, count: int) -> list[str]:
    return [action("look", at=place) for place, _ in zip(itertools.cycle("abcd"[:period]), range(count), strict=False)]


@pytest.mark.parametrize("period", [2, 3, 4])
def test_a_circle_whose_results_differ_in_the_time_only_is_told_and_closed(period: int) -> None:
    ran = play([*circle(period, period + 6), answer("Nobody.")], clock(), max_steps=30)
    assert reasons(ran) == ["circling"]
    assert "go round in a circle" in ran.said(period + 5)
    assert ran.guards == ["circling"]
    assert (ran.result.outcome, ran.result.answer) == (Outcome.LOOP_GUARD, "Nobody.")


def test_a_circle_that_is_left_when_told_costs_nothing_more() -> None:
    ran = play([*circle(2, 6), action("add", a=1, b=2), answer("3")], clock(), ADD, max_steps=30)
    assert (reasons(ran), ran.guards) == (["circling"], [])
    assert ran.result.outcome == Outcome.COMPLETED


def test_one_result_whatever_is_asked() -> None:
    search = tool("search", lambda query: "No page of this archive has anything to do with those words. " * 3, query=TEXT)
    ran = play([*(action("search", query=f"words {number}") for number in range(8)), answer("Unknown.")], search, max_steps=30)
    assert reasons(ran) == ["unchanged"]
    assert "The last 4 steps gave the same result" in ran.said(5)
    assert (ran.guards, ran.result.answer) == (["unchanged"], "Unknown.")


def test_ten_different_acts_that_all_went_well() -> None:
    said = "OK: the row was inserted into the table, and the index of the table was brought up to date as well."
    insert = tool("insert_row", lambda number: said, number=INT)
    rows = [action("insert_row", number=number) for number in range(10)]
    ran = play([*rows, answer("Done.")], insert, traits=Traits(writing=frozenset({"insert_row"})), max_steps=30)
    assert (reasons(ran), ran.guards, len(ran.ran)) == ([], [], 10)


@pytest.mark.parametrize("said", ["pending", "The job stands in the queue; nothing has begun. " * 3])
def test_a_repeatable_tool_is_called_as_often_as_the_steps_allow(said: str) -> None:
    job = tool("job", lambda: said)
    traits = Traits(repeatable=frozenset({"job"}))
    ran = play([*[action("job")] * 12, answer("Still pending.")], job, traits=traits, max_steps=30)
    assert (reasons(ran), ran.guards, len(ran.ran)) == ([], [], 12)
    assert ran.said(13).count(said.strip()) == 12


def test_repeatable_calls_between_do_not_hide_a_circle() -> None:
    wait = tool("wait", lambda: "waited")
    replies = [reply for step in circle(2, 8) for reply in (step, action("wait"))]
    traits = Traits(repeatable=frozenset({"wait"}))
    ran = play([*replies[:15], answer("Nobody.")], clock(), wait, traits=traits, max_steps=30)
    assert (reasons(ran), ran.guards) == (["circling"], ["circling"])


def test_a_repeatable_tool_that_fails_is_not_called_for_ever() -> None:
    ran = play(
        [*[action("job")] * 4, answer("It is down.")],
        tool("job", lambda: 1 // 0),
        traits=Traits(repeatable=frozenset({"job"})),
    )
    assert ran.guards == ["same_error"]


def test_other_arguments_that_fail_alike_are_told_and_may_go_on_for_a_while() -> None:
    def read(at: str) -> str:
        if at == "e":
            return "found"
        raise FileNotFoundError("no such file")

    ran = play([*(action("read", at=at) for at in "abcde"), answer("found")], tool("read", read, at=TEXT))
    assert (reasons(ran), ran.guards, ran.result.answer) == (["same_error"], [], "found")
    ran = play([*(action("read", at=at) for at in "abcdfg"), answer("no")], tool("read", read, at=TEXT))
    assert (ran.guards, ran.result.answer) == (["same_error"], "no")


def test_a_run_that_ends_is_not_told_to_go_on() -> None:
    ran = play([*[action("job")] * 3, answer("It is down.")], tool("job", lambda: 1 // 0), max_steps=4)
    assert (ran.guards, ran.result.answer) == (["repeated_call"], "It is down.")
    assert not {"last_step", "same_error"} & set(reasons(ran))
    assert "One more call" not in ran.said(4)


def test_errors_that_are_not_alike() -> None:
    words = iter("abcdefgh")

    def fail(**_: object) -> str:
        raise ValueError(f"no {next(words)}")

    ran = play([*(action("look", at=place) for place in "abcdef"), answer("I could not.")], tool("look", fail, at=TEXT))
    assert reasons(ran)[0] == "errors"
    assert "The last 3 steps failed" in ran.said(4)
    assert (ran.guards, ran.result.answer) == (["errors"], "I could not.")


def test_wrong_arguments_have_a_budget_for_each_tool() -> None:
    look = tool("look", lambda at: f"{at} is empty", at=INT)
    wrong = [action("add", a="x", b=1), action("look", at="y")]
    ran = play([*wrong * 3, action("look", at=1), answer("done")], ADD, look, max_steps=30)
    assert (ran.guards, ran.result.answer) == ([], "done")
    ran = play([*wrong * 3, wrong[0], answer("no")], ADD, look, max_steps=30)
    assert (ran.guards, ran.result.answer) == (["bad_arguments"], "no")
    texts = [event.text for event in ran.corrections if event.text.count("add")]
    assert "Usage: add" in texts[0]
    assert "real values" in texts[1]
    assert "Do not use these arguments again" in texts[2]


def test_wrong_native_arguments_have_the_same_budget() -> None:
    wrong = native(("add", '{"a": "x", "b": 1}'))
    ran = play([*[wrong] * 4, answer("no")], ADD, mode="native", max_steps=30)
    assert (ran.guards, ran.result.answer) == (["bad_arguments"], "no")


def test_the_nearest_tool_is_named() -> None:
    ran = play([action("ad", a=1, b=2), action("add", a=1, b=2), answer("3")], ADD)
    assert "Did you mean add?" in ran.corrections[0].text


# --- tokens and money ------------------------------------------------------------------------------------------------


def said(text: str, prompt: int, completion: int) -> ModelChunk:
    return ModelChunk(text, finish_reason="stop", usage=Usage(prompt, completion), last=True)


def test_a_budget_leaves_room_for_a_closing_question() -> None:
    replies = [said(action("add", a=1, b=number), 90, 10) for number in range(8)]
    ran = play([*replies[:4], said("Final Answer: 3", 90, 10)], ADD, limits=Limits(max_run_tokens=500))
    assert (ran.result.outcome, ran.result.answer) == (Outcome.BUDGET, "3")
    assert ran.result.usage.total_tokens == 500
    tripped = next(event for event in ran.events if isinstance(event, GuardTripped))
    assert (tripped.guard, tripped.detail) == ("tokens", "400 of 500")


def test_what_money_is_for() -> None:
    limits = Limits(max_cost=0.000_5, price=Price(prompt=1, completion=1))
    replies = [said(action("add", a=1, b=number), 90, 10) for number in range(4)]
    ran = play([*replies, said("Final Answer: 3", 90, 10)], ADD, limits=limits)
    assert (ran.guards, ran.result.outcome, ran.result.answer) == (["cost"], Outcome.BUDGET, "3")


def test_a_first_request_that_costs_too_much_is_the_last() -> None:
    ran = play([said(action("add", a=1, b=2), 900, 10)], ADD, limits=Limits(max_run_tokens=500))
    assert (ran.guards, ran.result.outcome, ran.result.answer) == (["tokens"], Outcome.BUDGET, None)
    assert len(ran.requests) == 1


# --- one reply that goes round ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [None, 1, 7, 1_000])
def test_a_reply_that_repeats_itself_is_cut_and_told(chunk: int | None) -> None:
    ran = play([f"Thought: {LINE * 150}", action("add", a=1, b=2), answer("3")], ADD, chunk=chunk)
    assert (ran.guards, reasons(ran)) == (["repetition"], ["repetition"])
    assert ran.said(2).count(LINE.strip()) == 1
    assert ran.result.steps[0].finish_reason == "repetition"
    assert (ran.result.outcome, ran.result.answer) == (Outcome.COMPLETED, "3")


def test_the_stream_of_a_reply_that_repeats_itself_is_closed() -> None:
    ran = play([LINE * 1_000, answer("3")], ADD, chunk=5)
    assert any(isinstance(event, StopModel) for event in ran.events)
    assert sum(len(event.text) for event in ran.events if isinstance(event, (AnswerDelta, ThoughtDelta))) < 5_500


def test_what_is_decided_does_not_hang_on_the_pieces() -> None:
    replies = [f"Final Answer: yes. {LINE * 100}", answer("3")]
    runs = [play(replies, ADD, chunk=chunk) for chunk in (None, 1, 3, 64, 999)]
    assert len({str([step.reply for step in ran.result.steps]) for ran in runs}) == 1


def test_a_repetition_behind_a_call_is_none_of_ours() -> None:
    for chunk in (None, 10):
        ran = play([f"{action('add', a=1, b=2)}\nObservation: {'9' * 3_000}", answer("3")], ADD, chunk=chunk)
        assert (ran.guards, ran.result.answer) == ([], "3")


def test_a_model_that_only_repeats_itself_is_asked_for_an_answer_and_what_it_said_once_counts() -> None:
    round_and_round = f"Final Answer: The shelf is empty. {LINE * 100}"
    ran = play([round_and_round] * 5, ADD)
    assert ran.guards == ["repetition"] * 4 + ["repetition", "repetition"]
    assert ran.result.outcome == Outcome.LOOP_GUARD
    assert ran.result.answer is not None
    assert ran.result.answer.startswith("The shelf is empty.")
    assert ran.result.answer.count(LINE.strip()) == 1


def test_reasoning_that_goes_round() -> None:
    thinking = [ModelChunk(reasoning=LINE * 10) for _ in range(200)]
    ran = play([thinking, native(("add", '{"a": 1, "b": 2}')), answer("3")], ADD, mode="native")
    assert (ran.guards, ran.result.answer) == (["repetition"], "3")


ZEROS, ROWS = ("0 " * 40 + "\n") * 40, "INSERT INTO shelf VALUES (1, 'empty');\n" * 60
WRITE = tool("write_file", lambda content: "written", content=TEXT)


@pytest.mark.parametrize("content", [ZEROS, ROWS, "0" * 20_000])
def test_native_arguments_may_repeat_themselves(content: str) -> None:
    written = native(("write_file", json.dumps({"content": content})))
    ran = play([written, answer("done")], WRITE, mode="native")
    assert (ran.guards, ran.ran) == ([], [("write_file", {"content": content})])


def test_native_arguments_without_end_are_not_read_for_ever() -> None:
    begun = ModelChunk(tool_calls=(ToolCallDelta(0, "id", "write_file", '{"content": "'),))
    zeros = ModelChunk(tool_calls=(ToolCallDelta(0, arguments="0" * 10_000),))
    ran = play([[begun, *[zeros] * 300], answer("done")], WRITE, mode="native")
    assert any(isinstance(event, StopModel) for event in ran.events)
    assert (ran.ran, ran.result.answer) == ([], "done")


@pytest.mark.parametrize("chunk", [None, 9])
@pytest.mark.parametrize("content", [ZEROS, ROWS, "|  |  |  |\n" * 200])
def test_content_of_a_usual_length_is_not_cut(content: str, chunk: int | None) -> None:
    ran = play([action("write_file", content=content), answer(content)], WRITE, chunk=chunk)
    assert (ran.guards, ran.ran) == ([], [("write_file", {"content": content})])
    assert (ran.result.answer or "").strip() == content.strip()


# --- the end of a run ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["text", "native"])
def test_the_last_step_is_announced_where_it_changes_nothing_before(mode: Any) -> None:
    calls = [
        native(("add", f'{{"a": 1, "b": {number}}}')) if mode == "native" else action("add", a=1, b=number)
        for number in range(4)
    ]
    ran = play([*calls, answer("3")], ADD, mode=mode, max_steps=4)
    assert reasons(ran) == ["last_step"]
    assert [("One more call" in ran.said(number)) for number in range(1, 6)] == [False] * 3 + [True, True]
    for before, after in itertools.pairwise(ran.requests):
        assert after.messages[: len(before.messages)] == before.messages


def test_a_short_run_is_not_hurried() -> None:
    ran = play([action("add", a=1, b=2), action("add", a=1, b=3), answer("3")], ADD, max_steps=2)
    assert reasons(ran) == []
