"""Copies of agents and models: independent in what they learn and keep, one in what they are connected to."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from react_agent import Agent, OpenAIModel, ScriptedModel, tool
from react_agent.messages import Call, Fix
from tests.support.server import ScriptedServer

FINAL = "Final Answer: done"
LOOK = 'Action: {"type": "tool_call", "name": "look", "args": {"at": "x"}}'
COPIES = [copy.copy, copy.deepcopy]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_an_agent_has_the_same_model_tools_and_settings(copied: Callable[[Agent], Agent]) -> None:
    connection = object()
    agent = Agent(ScriptedModel(["one", "two", "three"]), instructions="Be brief.", lang="en", deps=connection)
    agent.run("hi")
    twin = copied(agent)
    assert twin is not agent
    assert twin.model is agent.model
    assert twin.settings == agent.settings
    assert (twin.run("hi").answer, agent.run("hi").answer) == ("two", "three")


@pytest.mark.parametrize("copied", COPIES)
def test_what_is_set_on_a_copy_leaves_the_first_as_it_is(copied: Callable[[Agent], Agent]) -> None:
    agent = Agent(ScriptedModel(["first"]))
    twin = copied(agent)
    twin.model = ScriptedModel(["second"])
    assert (twin.run("hi").answer, agent.run("hi").answer) == ("second", "first")


@pytest.mark.parametrize("copied", COPIES)
def test_the_results_of_pure_tools_are_remembered_apart(copied: Callable[[Agent], Agent]) -> None:
    seen: list[str] = []

    @tool(pure=True)
    def look(at: str) -> str:
        """Looks."""
        seen.append(at)
        return at

    agent = Agent(ScriptedModel([LOOK, FINAL] * 3), [look])
    agent.run("look")
    agent.run("look")
    assert seen == ["x"]
    copied(agent).run("look")
    assert seen == ["x", "x"]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_a_model_answers_when_the_first_is_closed(copied: Callable[[OpenAIModel], OpenAIModel]) -> None:
    with ScriptedServer(["one", "two", "three"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, mode="text")
        assert Agent(model).run("hi").answer == "one"
        twin = copied(model)
        model.close()
        assert (twin.name, twin.base_url, twin.mode) == (model.name, model.base_url, model.mode)
        assert [Agent(each).run("hi").answer for each in (twin, model)] == ["two", "three"]


def test_a_copy_of_a_model_has_connections_of_its_own() -> None:
    with ScriptedServer(["one", "two"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, mode="text")
        twin = copy.deepcopy({"models": [model, model]})["models"]
        assert twin[0] is twin[1] is not model
        Agent(model).run("hi")
        Agent(twin[0]).run("hi")
        assert server.connections == 2


@pytest.mark.parametrize("made", [Agent(ScriptedModel([])), OpenAIModel("m", base_url="http://127.0.0.1:1/v1")])
def test_what_cannot_be_pickled_says_what_to_do(made: Any) -> None:
    with pytest.raises(TypeError, match=r"cannot be pickled.*make it anew"):
        pickle.dumps(made)


def test_a_call_under_another_id_is_the_same_otherwise() -> None:
    call = Call("add", {"a": 1}, "1", (Fix("cast"),), "hermes", "marked", (0, 9))
    assert set(call.to_dict()) == {field.name for field in fields(Call)}  # none is at its default
    assert call.with_id("2") == replace(call, id="2")
