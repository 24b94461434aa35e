"""The front door: runs and streams, with real tools and a scripted model."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from react_agent import (
    Agent,
    Event,
    ModelFailure,
    OpenAIModel,
    Outcome,
    RunFinished,
    ScriptedModel,
    StepStarted,
    UsageError,
    tool,
)
from tests.agent.acting import action, add
from tests.support.server import Fail, ScriptedServer


@tool
async def shout(text: str) -> str:
    """Makes it loud."""
    await asyncio.sleep(0)
    return text.upper()


def test_a_run() -> None:
    result = Agent(ScriptedModel([action("add", a=2, b=40), "Final Answer: 42"]), [add]).run("2 + 40?")
    assert result.ok
    assert result.answer == "42"
    assert result.steps[0].results[0].content == "42"


def test_a_stream_ends_with_the_result() -> None:
    events = list(Agent(ScriptedModel(["Hello"]), [add]).stream("hi"))
    assert isinstance(events[-1], RunFinished)
    assert events[-1].result.answer == "Hello"


def test_async_runs_like_sync() -> None:
    script = [action("shout", text="a"), action("add", a=1, b=2), "Final Answer: done"]
    agent = Agent(ScriptedModel(script), [add, shout])
    plain = Agent(ScriptedModel(script), [add, shout])

    def timeless(events: list[Event]) -> list[dict]:
        told = json.loads(json.dumps([event.to_dict() for event in events]))
        for event in told:
            for result in [event.get("result", {}), *event.get("result", {}).get("steps", [])]:
                _without_times(result)
        return told

    async def main() -> list[Event]:
        return [event async for event in agent.astream("go")]

    assert timeless(asyncio.run(main())) == timeless(list(plain.stream("go")))


def _without_times(value: object) -> None:
    if isinstance(value, dict):
        value.pop("seconds", None)
        for inner in value.values():
            _without_times(inner)
    elif isinstance(value, list):
        for inner in value:
            _without_times(inner)


def test_arun() -> None:
    result = asyncio.run(Agent(ScriptedModel([action("shout", text="hey"), "Final Answer: HEY"]), [shout]).arun("shout hey"))
    assert result.answer == "HEY"
    assert result.steps[0].results[0].content == "HEY"


@pytest.mark.parametrize("task", ["", "  \n"])
def test_an_empty_task_is_refused_before_any_request(task: str) -> None:
    model = ScriptedModel([])
    for begin in (Agent(model).run, Agent(model).stream, Agent(model).astream):
        with pytest.raises(UsageError, match="task"):
            begin(task)
    assert model.requests == []


def test_a_task_of_100_000_characters() -> None:
    task = "数" * 100_000
    model = ScriptedModel(["十万个字。"])
    assert Agent(model, [add]).run(task).answer == "十万个字。"
    assert model.requests[0].messages[-1]["content"] == task


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("unreachable", Outcome.SERVER_ERROR),
        ("unauthorized", Outcome.SERVER_ERROR),
        ("unknown_model", Outcome.SERVER_ERROR),
        ("broken_stream", Outcome.SERVER_ERROR),
        ("rate_limited", Outcome.RATE_LIMITED),
        ("context_overflow", Outcome.CONTEXT_OVERFLOW),
        ("content_filter", Outcome.CONTENT_FILTER),
    ],
)
def test_failures_of_the_world_are_outcomes(kind: str, outcome: Outcome) -> None:
    failure = ModelFailure(kind, "start the server, or give another base_url")  # type: ignore[arg-type]
    result = Agent(ScriptedModel([action("add", a=1, b=2), failure]), [add]).run("1 + 2?")
    assert result.outcome is outcome
    assert result.answer is None
    assert result.error == "start the server, or give another base_url"
    assert len(result.steps) == 1


def test_80_two_runs_of_one_agent_do_not_mix() -> None:
    barrier = threading.Barrier(2, timeout=30)

    def reply(request) -> str:
        text = request.messages[1]["content"]
        barrier.wait()
        number = int(text.split()[-1])
        if len(request.messages) == 2:
            return action("add", a=number, b=0)
        return f"Final Answer: {request.messages[-1]['content'].splitlines()[0].split()[-1]}"

    agent = Agent(ScriptedModel([reply] * 4), [add], max_steps=2)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(agent.run, ["say 1", "say 2"])
    assert (first.answer, second.answer) == ("1", "2")
    assert [len(result.steps) for result in (first, second)] == [2, 2]
    assert first.messages[0].content == "say 1"


def test_80_two_tasks_of_one_event_loop_do_not_mix() -> None:
    def reply(request) -> str:
        return f"Final Answer: {request.messages[1]['content']}"

    agent = Agent(ScriptedModel([reply] * 3), [add])

    async def main() -> list[str | None]:
        results = await asyncio.gather(*(agent.arun(f"say {number}") for number in range(3)))
        return [result.answer for result in results]

    assert asyncio.run(main()) == ["say 0", "say 1", "say 2"]


def test_a_refusal_of_tools_is_learned_for_the_next_run() -> None:
    model = ScriptedModel([ModelFailure("tools_refused", "no tools"), "Final Answer: a", "Final Answer: b"], mode="auto")
    agent = Agent(model, [add])
    assert [agent.run("go").answer, agent.run("go").answer] == ["a", "b"]
    assert [bool(request.tools) for request in model.requests] == [True, False, False]


def test_breaking_off_a_stream_is_fine() -> None:
    for event in Agent(ScriptedModel(["a" * 100], chunk=1)).stream("hi"):
        if isinstance(event, StepStarted):
            break


def test_31_over_http_a_refusal_of_tools_is_not_seen_by_the_user_and_not_repeated() -> None:
    refusal = Fail(400, "registry.example/m does not support tools")
    with ScriptedServer([refusal, action("add", a=2, b=40), "Final Answer: 42", "Final Answer: hi"]) as server:
        agent = Agent(OpenAIModel("m-31", base_url=server.base_url, api_key="x"), [add])
        first, second = agent.run("2 + 40?"), agent.run("hi")
        offered = ["tools" in request.body for request in server.requests]
    assert (first.answer, second.answer) == ("42", "hi")
    assert offered == [True, False, False, False]


def test_34_over_http_a_chat_without_tools_sends_none() -> None:
    with ScriptedServer(["Hi!"]) as server:
        assert Agent(OpenAIModel("m", base_url=server.base_url, api_key="x")).run("hello").answer == "Hi!"
        body = server.requests[0].body
    assert "tools" not in body
    assert body["messages"] == [{"role": "user", "content": "hello"}]
