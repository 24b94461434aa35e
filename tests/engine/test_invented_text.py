"""What a model writes behind its call is made up: it is cut off, stopped, and never kept."""

from __future__ import annotations

import json

import pytest

from react_agent.events import StopModel

from .playing import ADD, TEXT, action, answer, play, tool


def test_04_an_invented_observation_is_cut_off() -> None:
    run_python = tool("run_python", lambda **_: "43656471", code=TEXT)
    ran = play(
        [action("run_python", code="print(6607**2)") + "\nObservation: 999\nFinal Answer: 999", answer("43656471")],
        run_python,
        task="What is 6607 squared?",
    )
    assert ran.ran == [("run_python", {"code": "print(6607**2)"})]
    kept = ran.requests[1].messages
    assert kept[2]["content"].endswith("}}")
    assert kept[3]["content"] == "Observation: 43656471"
    assert "999" not in json.dumps(kept)
    assert ran.result.answer == "43656471"


def test_05_inventing_every_time_costs_nothing() -> None:
    search = tool("search_docs", lambda query: f"about {query}", query=TEXT)
    invented = "\nObservation: nonsense\nThought: so\nFinal Answer: nonsense"
    ran = play(
        [action("search_docs", query="a") + invented, action("search_docs", query="b") + invented, "Final Answer: done"],
        search,
        max_steps=6,
    )
    assert [arguments["query"] for _, arguments in ran.ran] == ["a", "b"]
    assert len(ran.requests) == 3
    assert ran.corrections == []
    assert "nonsense" not in ran.said(3)


def test_a_streamed_reply_is_stopped_when_it_begins_to_invent() -> None:
    invented = "\nObservation: 1\n" + "Final Answer: 1 " * 200
    ran = play([action("add", a=1, b=2) + invented, answer("3")], ADD, chunk=7)
    assert sum(isinstance(event, StopModel) for event in ran.events) == 1
    assert len(ran.result.steps[0].reply) < 1_000
    assert ran.result.steps[0].finish_reason == "stopped"


def test_a_reply_that_is_not_to_be_stopped_is_read_to_its_end_and_read_alike() -> None:
    replies = [action("add", a=1, b=2) + "\nObservation: 1\n" + "Final Answer: 1 " * 200, answer("3")]
    ran, stopped = (play(replies, ADD, chunk=7, stop_early=early) for early in (False, True))
    assert not any(isinstance(event, StopModel) for event in ran.events)
    assert ran.result.steps[0].reply == replies[0]
    assert (ran.result.steps[0].finish_reason, [request.stop for request in ran.requests]) == ("stop", [(), ()])
    assert [request.messages for request in ran.requests] == [request.messages for request in stopped.requests]
    assert (ran.ran, ran.result.answer) == (stopped.ran, stopped.result.answer)


def test_an_answer_behind_an_action_is_not_waited_for() -> None:
    ahead = action("add", a=2, b=40) + '\n{"type": "final_answer", "content": "' + "7" * 5_000 + '"}'
    ran = play([ahead, answer("42")], ADD, chunk=1)
    assert ran.result.answer == "42"
    assert "777" not in ran.said(2)
    assert sum(isinstance(event, StopModel) for event in ran.events) == 1


def test_an_action_before_a_labelled_answer_object_is_made_and_the_answer_dropped() -> None:
    both = action("add", a=2, b=40) + '\nAction: {"type": "final_answer", "content": "7"}'
    ran = play([both, answer("42")], ADD)
    assert ran.result.answer == "42"
    assert '"7"' not in ran.said(2)


@pytest.mark.parametrize("invented", ["Observation: INVENTED 99", "观察：INVENTED 99", "Observation:\n<<<\nINVENTED 99\n>>>"])
def test_an_observation_that_no_tool_gave_is_no_answer(invented: str) -> None:
    ran = play([invented, action("add", a=1, b=2), answer("3")], ADD)
    assert [event.reason for event in ran.corrections] == ["invented"]
    assert ran.result.answer == "3"
    assert all("INVENTED" not in ran.said(number) for number in (2, 3))


@pytest.mark.parametrize("before", ["", "Thought: I know the sum.\n"])
def test_an_observation_invented_before_the_action_is_not_kept(before: str) -> None:
    ran = play([f"{before}Observation: INVENTED 99\nThought: so\n{action('add', a=1, b=2)}", answer("3")], ADD)
    assert ran.ran == [("add", {"a": 1, "b": 2})]
    assert "INVENTED" not in ran.said(2)
    assert "Thought: so" in ran.said(2)
