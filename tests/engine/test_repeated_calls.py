"""Calls in text that were made before, and steps that get nowhere or reach their limit."""

from __future__ import annotations

from react_agent.engine import Traits
from react_agent.messages import Outcome
from react_agent.parsing.dialects import render

from .playing import ADD, INT, TEXT, action, answer, play, tool


def test_16_an_identical_call_over_and_over() -> None:
    read = tool("read_file", lambda **_: "the text", path=TEXT)
    ran = play([action("read_file", path="a.txt")] * 3 + ["The text is there."], read)
    assert len(ran.ran) == 2
    assert "was not run again" in ran.said(4)
    assert "the text" in ran.requests[3].messages[-1]["content"]
    assert [message["role"] for message in ran.requests[3].messages] == ["system", "user", "assistant", "user"]
    assert ran.guards == ["repeated_call"]
    assert ran.result.outcome is Outcome.LOOP_GUARD
    assert ran.result.answer == "The text is there."
    assert len({event.text for event in ran.corrections}) == len(ran.corrections)


def test_calls_that_go_round_in_circles() -> None:
    read = tool("read_file", lambda **_: "call Omar", path=TEXT)
    files = tool("list_files", lambda: "todo.md")
    rounds = [action("read_file", path="todo.md"), action("list_files")] * 3
    ran = play([*rounds[:4], "Omar should be called."], read, files)
    assert ran.guards == ["repeated_call"]
    assert len(ran.requests) == 5
    assert ran.result.outcome is Outcome.LOOP_GUARD
    assert ran.result.answer == "Omar should be called."


def test_17_an_identical_call_with_a_side_effect() -> None:
    mail = tool("send_email", lambda **_: "sent", to=TEXT)
    ran = play(
        [action("send_email", to="x@example.org")] * 2 + [answer("Sent.")], mail, traits=Traits(once=frozenset({"send_email"}))
    )
    assert len(ran.ran) == 1
    assert ran.result.outcome is Outcome.COMPLETED
    assert [step.results[0].status for step in ran.result.steps[:2]] == ["ok", "refused"]
    assert "was not run again" in ran.said(3)


def test_19_the_same_error_over_and_over() -> None:
    def shell(**_: str) -> str:
        raise PermissionError("read-only file system")

    calls = [action("shell", command=f"touch {number}") for number in range(6)]
    ran = play([*calls, "The file system is read-only."], tool("shell", shell, command=TEXT))
    assert len(ran.ran) == 6
    assert [event.reason for event in ran.corrections] == ["same_error"]
    assert ran.guards == ["same_error"]
    assert ran.result.outcome is Outcome.LOOP_GUARD
    assert ran.result.answer == "The file system is read-only."


def test_20_polling_is_fine() -> None:
    states = iter(["10 %", "55 %", "done"])
    ran = play([action("job_status")] * 3 + [answer("done")], tool("job_status", lambda: next(states)))
    assert len(ran.ran) == 3
    assert ran.corrections == []
    assert ran.result.outcome is Outcome.COMPLETED


def test_a_clock_is_not_polled_for_ever() -> None:
    ticks = iter(range(100))
    ran = play([action("now")] * 6 + [answer("late")], tool("now", lambda: next(ticks)), max_steps=20)
    assert len(ran.ran) == 5
    assert len(ran.corrections) == 1
    assert ran.result.answer == "late"


def test_a_file_may_be_read_again_after_it_was_written() -> None:
    content = {"a": "old"}
    read = tool("read_file", lambda path: content[path], path=TEXT)
    write = tool("write_file", lambda path, text: content.update({path: text}) or "written", path=TEXT, text=TEXT)
    reads = [action("read_file", path="a")] * 2
    ran = play([*reads, action("write_file", path="a", text="new"), *reads, answer("new")], read, write)
    assert len(ran.ran) == 5
    assert ran.result.outcome is Outcome.COMPLETED


def test_the_same_call_twice_in_one_reply_runs_once() -> None:
    both = render(
        "zh_json_steps", calls=2 * list(play([action("add", a=1, b=2), answer("3")], ADD).result.steps[0].calls), lang="en"
    )
    ran = play([both, answer("3")], ADD)
    assert len(ran.ran) == 1
    assert [result.status for result in ran.result.steps[0].results] == ["ok", "refused"]


def test_22_a_step_limit_of_one() -> None:
    ran = play([action("add", a=2, b=40), "It is 42."], ADD, max_steps=1)
    assert len(ran.ran) == 1
    assert len(ran.requests) == 2
    assert ran.result.outcome is Outcome.STEP_LIMIT
    assert ran.result.answer == "It is 42."


def test_22_a_call_after_the_limit_is_not_run() -> None:
    ran = play([action("add", a=2, b=40), action("add", a=1, b=1)], ADD, max_steps=1)
    assert len(ran.ran) == 1
    assert ran.result.outcome is Outcome.STEP_LIMIT
    assert ran.result.answer is None


def test_23_finished_on_the_last_step() -> None:
    ran = play([action("add", a=2, b=40), "Final Answer: ok"], ADD, max_steps=2)
    assert ran.result.outcome is Outcome.COMPLETED


def test_a_call_that_fails_again_in_the_same_way_does_not_stay_in_the_history() -> None:
    def divide(**_: int) -> float:
        raise ZeroDivisionError("division by zero")

    ran = play([action("divide", by=0)] * 2 + [answer("impossible")], tool("divide", divide, by=INT))
    assert len(ran.ran) == 2
    assert [message["role"] for message in ran.requests[2].messages] == ["system", "user", "assistant", "user"]
    assert [event.reason for event in ran.corrections] == ["repeated_error"]
