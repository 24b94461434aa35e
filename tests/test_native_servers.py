"""Whole runs against servers whose native calls are odd: what arrives at the tools, and what is sent back in the history."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from react_agent import Agent, OpenAIModel
from react_agent.messages import Json, Outcome, RunResult
from react_agent.models.capability import Capabilities
from tests.support.server import Fail, Raw, Reply, ScriptedServer, Sse, delta

TASK = "What is 2 plus 40?"
CALL = ("add", {"a": 2, "b": 40})
FINAL = "42"


@dataclass
class Desk:
    """Tools that note what they did; each result ends with `remark`."""

    remark: str = ""
    ran: list[tuple[int, int]] = field(default_factory=list)

    def add(self, a: int, b: int) -> str:
        """Add two numbers."""
        self.ran.append((a, b))
        return f"{a + b}{self.remark}"


@dataclass
class Run:
    """What came of a run: its result, the calls that were run, the bodies that were sent."""

    result: RunResult
    ran: list[tuple[int, int]]
    bodies: list[Json]

    @property
    def history(self) -> list[Json]:
        """The messages of the last request."""
        messages: list[Json] = self.bodies[-1]["messages"]
        return messages

    @property
    def calls(self) -> list[Json]:
        """The calls in the history."""
        return [call for message in self.history for call in message.get("tool_calls") or ()]


def play(script: Any, *, remark: str = "") -> Run:
    desk = Desk(remark)
    with ScriptedServer(script) as server:
        model = OpenAIModel("m", base_url=server.base_url, max_wait=0.0, capabilities=Capabilities())
        result = Agent(model, [desk.add]).run(TASK)
        return Run(result, desk.ran, [request.body for request in server.requests])


def call(arguments: object = '{"a": 2, "b": 40}', *, name: object = "add", id: object = "c1") -> Json:
    return {"index": 0, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def whole(**message: Any) -> Raw:
    """A completion in one body, as the oldest servers send it."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return Raw(json.dumps({"choices": [choice]}).encode())


ODD: list[tuple[str, Any]] = [
    ("function_call of old servers", whole(content=None, function_call={"name": "add", "arguments": '{"a": 2, "b": 40}'})),
    ("arguments as an object", Reply(calls=[call({"a": 2, "b": 40})])),
    ("arguments as an object, whole", whole(content=None, tool_calls=[call({"a": 2, "b": 40})])),
    ("arguments that are no valid JSON", Reply(calls=[call("{'a': 2, 'b': 40,}")])),
    ("arguments encoded twice", Reply(calls=[call(json.dumps('{"a": 2, "b": 40}'))])),
    ("numbers as texts", Reply(calls=[call('{"a": "2", "b": "40"}')])),
    ("an empty id", Reply(calls=[call(id="")])),
    ("no id", Reply(calls=[call(id=None)])),
    ("text beside the call", Reply("The sum is 41.", calls=[call()])),
    ("a prefix before the name", Reply(calls=[call(name="functions.add")])),
    ("one call instead of a list", whole(content="", tool_calls=call())),
    ("the same call native and as text", Reply('{"name": "add", "arguments": {"a": 2, "b": 40}}', calls=[call()])),
    ("the whole call in one chunk, no finish reason", Sse(delta(calls=[call()]), "[DONE]")),
]


@pytest.mark.parametrize("reply", [row[1] for row in ODD], ids=[row[0] for row in ODD])
def test_an_odd_call_is_run_once_and_sent_back_in_order(reply: Any) -> None:
    run = play([reply, FINAL])
    assert (run.result.answer, run.result.outcome, run.result.mode) == ("42", Outcome.COMPLETED, "native")
    assert run.ran == [(2, 40)]
    (sent,) = run.calls
    assert sent["function"] == {"name": "add", "arguments": '{"a":2,"b":40}'}
    assert sent["id"]
    assert [message["role"] for message in run.history][-2:] == ["assistant", "tool"]
    assert run.history[-1]["tool_call_id"] == sent["id"]
    assert all(isinstance(message["content"], str) for message in run.history)


WRONG: list[tuple[str, Json]] = [
    ("an empty name", call(name="")),
    ("a blank name", call(name="  ")),
    ("a tool that is not there", call(name="subtract")),
    ("an argument missing", call('{"a": 2}')),
    ("an argument of another type", call('{"a": 2, "b": "many"}')),
    ("no JSON", call("a is two")),
]


@pytest.mark.parametrize("wrong", [row[1] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_call_is_not_run_and_the_model_is_told(wrong: Json) -> None:
    run = play([Reply(calls=[wrong]), Reply(calls=[call()]), FINAL])
    assert (run.result.answer, run.ran) == ("42", [(2, 40)])
    assert len(run.bodies[1]["messages"]) > len(run.bodies[0]["messages"])
    ids = [sent["id"] for sent in run.calls]
    assert len(ids) == len(set(ids))
    assert {message["tool_call_id"] for message in run.history if message["role"] == "tool"} == set(ids)


def test_a_call_that_the_limit_has_cut_is_not_run() -> None:
    run = play([Reply(calls=[call('{"a": 2, "b": 4')], finish="length"), Reply(calls=[call()]), FINAL])
    assert run.ran == [(2, 40)]


@pytest.mark.parametrize("id", ["same", ""])
def test_ids_are_unique_in_the_history_whatever_the_server_says(id: str) -> None:
    replies = [Reply(calls=[call(id=id)]), Reply(calls=[call('{"a": 1, "b": 1}', id=id)]), FINAL]
    run = play(replies)
    assert run.ran == [(2, 40), (1, 1)]
    ids = [sent["id"] for sent in run.calls]
    assert len(set(ids)) == len(ids) == 2
    assert [message["tool_call_id"] for message in run.history if message["role"] == "tool"] == ids


def test_each_request_of_a_run_begins_with_the_one_before() -> None:
    numbers = itertools.count(1)
    script = [Reply(calls=[call(json.dumps({"a": next(numbers), "b": 1}), id=f"c{step}")]) for step in range(4)]
    run = play([*script, FINAL])
    for before, after in itertools.pairwise(run.bodies):
        assert after["messages"][: len(before["messages"])] == before["messages"]
        assert {**after, "messages": ()} == {**before, "messages": ()}


OVERFLOW = "This model's maximum context length is 2000 tokens. However, your messages resulted in 2400 tokens."


REMARK = ", which is a number" * 150


STEPS = [Reply(calls=[call(json.dumps({"a": number, "b": 40}))], usage=None) for number in range(3)]


def test_a_request_that_was_too_long_is_sent_again_once_with_less() -> None:
    run = play([*STEPS, Fail(400, OVERFLOW), FINAL], remark=REMARK)
    refused, taken = run.bodies[-2:]
    assert (run.result.answer, run.ran) == ("42", [(0, 40), (1, 40), (2, 40)])
    assert len(json.dumps(taken["messages"])) < len(json.dumps(refused["messages"]))


def test_a_second_complaint_ends_the_run_with_its_steps() -> None:
    run = play([*STEPS, Fail(400, OVERFLOW), Fail(400, OVERFLOW)], remark=REMARK)
    assert (run.result.outcome, run.result.answer) == (Outcome.CONTEXT_OVERFLOW, None)
    assert len(run.result.steps) == len(run.ran) == 3


def blank_lines() -> Iterator[Json]:
    return itertools.repeat(delta("\n\n\n\n"))


def test_blank_lines_without_end_are_cut_and_the_run_goes_on() -> None:
    run = play([Sse(delta("\n"), rest=blank_lines()), Reply(calls=[call()]), FINAL])
    assert (run.result.answer, run.ran) == ("42", [(2, 40)])


def test_native_calls_that_were_refused_come_back_only_by_a_probe() -> None:
    notes = Capabilities()
    with ScriptedServer(lambda body: Fail(400, "m does not support tools") if not works else FINAL) as server:
        works: list[bool] = []
        model = OpenAIModel("m", base_url=server.base_url, capabilities=notes)
        assert Agent(model, [Desk().add]).run(TASK).outcome is Outcome.SERVER_ERROR
        works.append(True)
        assert Agent(model, [Desk().add]).run(TASK).mode == "text"
        model.recommend("native", "")
        assert Agent(model, [Desk().add]).run(TASK).mode == "native"
        assert ["tools" in request.body for request in server.requests][-2:] == [False, True]
