"""Guards over a real connection.  Names with numbers are the scenarios that users have reported."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from react_agent import Agent, Limits, OpenAIModel, Outcome, Price, tool
from tests.engine.playing import action, answer
from tests.support.server import Fail, Reply, ScriptedServer, Sse, delta

WINDOW = 4_096
LINE = "I have to look at the shelf again, as I am not sure.\n"


@tool
def look(at: str) -> str:
    """Look somewhere."""
    return f"{at}: nothing"


@tool
def everything() -> str:
    """All there is."""
    return "".join(f"{number}: another line of it all\n" for number in range(8_000))


def refusing(*replies: str, characters: int = 4) -> Any:
    """A model that reads 4,096 tokens of so many characters and refuses more."""
    left = iter(replies)

    def reply(body: dict[str, Any]) -> Reply | Fail:
        read = len(json.dumps(body["messages"], ensure_ascii=False)) // characters
        wanted = body.get("max_tokens") or 0
        if read + wanted > WINDOW:
            parts = f"{read} in the messages, {wanted} in the completion"
            said = f"This model's maximum context length is {WINDOW} tokens. However, you requested"
            return Fail(400, f"{said} {read + wanted} tokens ({parts}).")
        return Reply(next(left))

    return reply


def agent_at(server: ScriptedServer, *tools: Any, **settings: Any) -> Agent:
    return Agent(OpenAIModel("m", base_url=server.base_url, mode="text"), tools, **settings)


def test_26_one_result_larger_than_the_window_never_reaches_the_server_whole() -> None:
    with ScriptedServer(refusing(action("everything"), answer("done"))) as server:
        result = agent_at(server, everything, context_tokens=3_000, max_tokens=512, max_output=100_000).run("All of it.")
        assert (result.outcome, result.answer) == (Outcome.COMPLETED, "done")
        assert len(server.requests) == 2


def test_what_the_server_counts_for_a_refused_request_says_how_much_to_leave_out() -> None:
    replies = [action("everything"), answer("done")]
    with ScriptedServer(refusing(*replies, characters=2)) as server:
        result = agent_at(server, everything, context_tokens=4_096, max_tokens=256, max_output=100_000).run("All of it.")
        assert (result.outcome, result.answer) == (Outcome.COMPLETED, "done")
        assert len(server.requests) == 3


def test_28_a_task_that_does_not_fit_costs_no_request_and_one_that_does_is_always_there() -> None:
    with ScriptedServer(refusing(*[action("look", at=f"shelf {number}") for number in range(30)], answer("done"))) as server:
        result = agent_at(server, look, context_tokens=1_000, max_tokens=256, max_steps=40).run("Walk along the shelves.")
        assert result.ok
        assert all("Walk along the shelves." in str(request.body["messages"]) for request in server.requests)
        asked = len(server.requests)
        result = agent_at(server, look, context_tokens=1_000, max_tokens=256).run("Walk along. " * 2_000)
        assert result.outcome == Outcome.CONTEXT_OVERFLOW
        assert len(server.requests) == asked


def test_a_stream_that_goes_round_for_ever_is_hung_up_on() -> None:
    endless = Sse(delta("", role="assistant"), rest=itertools.repeat(delta(LINE)))
    with ScriptedServer([endless, action("look", at="the door"), answer("nothing")]) as server:
        result = agent_at(server, look).run("What is there?")
        assert (result.outcome, result.answer) == (Outcome.COMPLETED, "nothing")
        assert server.requests[0].closed_early.wait(10)
        assert len(result.steps[0].reply) < 200


def test_a_whole_reply_that_goes_round_is_cut() -> None:
    with ScriptedServer([Reply(LINE * 500, chunk=1_000_000), answer("nothing")]) as server:
        result = agent_at(server, look).run("What is there?")
        assert str(server.requests[1].body["messages"]).count("I have to look at the shelf") == 1
        assert result.answer == "nothing"


@pytest.mark.parametrize(
    ("limits", "guard"), [(Limits(max_run_tokens=45), "tokens"), (Limits(max_cost=0.000_045, price=Price(1, 1)), "cost")]
)
def test_a_budget_is_kept_by_what_the_server_counts(limits: Limits, guard: str) -> None:
    replies = [Reply(calls=[("look", {"at": f"shelf {number}"})], usage=(9, 1)) for number in range(9)]
    with ScriptedServer([*replies[:3], Reply("Nothing is there.", usage=(9, 1))]) as server:
        model = OpenAIModel("m", base_url=server.base_url, mode="native")
        result = Agent(model, [look], limits=limits).run("What is there?")
        assert (result.outcome, result.answer) == (Outcome.BUDGET, "Nothing is there.")
        assert result.usage.total_tokens == 40
        assert "tools" not in server.requests[-1].body, guard
