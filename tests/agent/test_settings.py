"""Settings of an agent: where they go, and which are refused."""

from __future__ import annotations

import pytest

from react_agent import Agent, Model, ModelChunk, OpenAIModel, ScriptedModel, ToolCallDelta, UsageError
from tests.agent.acting import add


def test_the_mode_may_be_set_by_the_agent() -> None:
    call = ModelChunk(tool_calls=(ToolCallDelta(0, "c", "add", '{"a": 1, "b": 2}'),), finish_reason="tool_calls", last=True)
    result = Agent(ScriptedModel([call, "3"]), [add], mode="native").run("1 + 2?")
    assert (result.answer, result.mode) == ("3", "native")


def test_settings_reach_the_request() -> None:
    model = ScriptedModel(["Final Answer: hi"])
    Agent(model, [add], instructions="Be kind.", lang="zh", max_tokens=99, temperature=0.7).run("hello")
    request = model.requests[0]
    assert request.messages[0]["content"].startswith("Be kind.")
    assert "\n工具：" in request.messages[0]["content"]
    assert (request.max_tokens, request.temperature) == (99, 0.7)


@pytest.mark.parametrize(
    "wrong",
    [{"max_steps": 0}, {"lang": "fr"}, {"dialect": "morse"}, {"max_tokens": 0}, {"base_url": "http://localhost"}],
)
def test_settings_that_cannot_work_are_refused(wrong: dict) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Agent(ScriptedModel([]), [add], **wrong)


def test_something_else_than_a_model_is_refused() -> None:
    with pytest.raises(UsageError, match="Model"):
        Agent(object())  # type: ignore[arg-type]


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="add"):
        Agent(ScriptedModel([]), [add, add])


def test_a_name_makes_a_model_of_the_api() -> None:
    agent = Agent("qwen", base_url="http://127.0.0.1:9/v1", api_key="x")
    assert isinstance(agent.model, OpenAIModel)
    assert isinstance(agent.model, Model)
    assert agent.model.name == "qwen"
