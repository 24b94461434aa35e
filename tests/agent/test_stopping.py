"""Runs that end in the middle of a tool: what is known of each call."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from typing import Any

import pytest

from react_agent import Agent, ModelChunk, Outcome, ScriptedModel, Tool, ToolCallDelta, tool
from tests.agent.acting import action, add


def test_an_interrupted_tool_ends_the_run_with_the_steps_so_far() -> None:
    @tool
    def wait() -> str:
        """Waits until the user has had enough."""
        raise KeyboardInterrupt

    result = Agent(ScriptedModel([action("add", a=1, b=2), action("wait")]), [add, wait]).run("wait")
    assert result.outcome is Outcome.CANCELLED
    assert result.answer is None
    assert [step.results[0].content for step in result.steps] == [
        "3",
        "Error: no result, as the run was stopped; it may have been done",
    ]
    assert result.error


@tool(parallel=False)
def mail(to: str) -> str:
    """Sends a mail."""
    if to == "stop":
        raise KeyboardInterrupt
    return f"sent to {to}"


@tool(parallel=False)
async def mail_later(to: str) -> str:
    """Sends a mail."""
    return mail.function(to)


def both(first: str, second: str, name: str) -> ModelChunk:
    calls = [ToolCallDelta(at, to, name, json.dumps({"to": to})) for at, to in enumerate((first, second))]
    return ModelChunk(tool_calls=tuple(calls), finish_reason="tool_calls", last=True)


@pytest.mark.parametrize("sender", [mail, mail_later])
def test_a_run_that_was_stopped_in_its_second_call_knows_of_its_first(sender: Tool) -> None:
    model = ScriptedModel([both("ann", "stop", sender.name), "Ann has it."], mode="native")
    agent = Agent(model, [sender])
    result = agent.run("Mail to ann and stop.")
    assert (result.outcome, result.answer) == (Outcome.CANCELLED, None)
    assert [shown.status for shown in result.steps[0].results] == ["ok", "error"]
    assert agent.run("And now?", result.conversation).answer == "Ann has it."
    _, _, called, first, second, _ = model.requests[1].messages
    assert [call["id"] for call in called["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]]
    assert first["content"] == "sent to ann"
    assert "it may have been done" in second["content"]


def test_no_call_begins_when_the_time_is_up() -> None:
    ran = []

    @tool(parallel=False)
    def work(to: str) -> str:
        """Works."""
        ran.append(to)
        time.sleep(0.05)
        return "done"

    for run in (lambda agent: agent.run("Go"), lambda agent: asyncio.run(agent.arun("Go"))):
        ran.clear()
        result = run(Agent(ScriptedModel([both("a", "b", "work")], mode="native"), [work], max_seconds=0.04))
        assert ran == ["a"]
        assert result.outcome is Outcome.DEADLINE
        assert [shown.content for shown in result.steps[0].results] == [
            "done",
            "Error: not run, as the time for the run was up",
        ]


def stopped_after(seconds: float, tool: Tool, *waits: float) -> list[str]:
    """What the calls of one reply have given when Ctrl-C came after so long."""
    calls = [ToolCallDelta(at, str(at), tool.name, json.dumps({"seconds": wait})) for at, wait in enumerate(waits)]
    model = ScriptedModel([ModelChunk(tool_calls=tuple(calls), finish_reason="tool_calls", last=True)], mode="native")
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    result = Agent(model, [tool]).run("Wait.")
    timer.join()
    assert result.outcome is Outcome.CANCELLED
    return [shown.content.removeprefix("Error: ") for shown in result.steps[0].results]


MAYBE, NEVER = "no result, as the run was stopped; it may have been done", "not run, as the run was stopped"


def nap(seconds: float) -> str:
    """Sleeps."""
    time.sleep(seconds)
    return f"slept {seconds}"


async def nap_later(seconds: float) -> str:
    """Sleeps."""
    await asyncio.sleep(seconds)
    return f"slept {seconds}"


@pytest.mark.parametrize("function", [nap, nap_later])
def test_calls_side_by_side_that_had_finished_keep_their_results_at_ctrl_c(function: Any) -> None:
    told = stopped_after(0.8, tool(function, parallel=True), 0.01, 3, 2, 0.02)
    assert told == ["slept 0.01", MAYBE, MAYBE, "slept 0.02"]


@pytest.mark.parametrize("function", [nap, nap_later])
def test_calls_that_never_began_are_told_so_at_ctrl_c(function: Any) -> None:
    assert stopped_after(0.8, tool(function, parallel=False), 0.01, 3, 0.02, 0.03) == ["slept 0.01", MAYBE, NEVER, NEVER]
