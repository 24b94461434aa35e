"""Runs that go on from a history."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent import Agent, ScriptedModel, UsageError
from tests.agent.acting import add


def test_a_run_goes_on_from_the_history_of_another() -> None:
    model = ScriptedModel(["Final Answer: I am Ann.", "Final Answer: Ann."])
    agent = Agent(model, [add])
    first = agent.run("Who are you?")
    assert agent.run("Your name again?", first.messages).answer == "Ann."
    contents = [message["content"] for message in model.requests[1].messages]
    assert contents[1:] == ["Who are you?", "Final Answer: I am Ann.", "Your name again?"]


HISTORY = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "1 + 2?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1, "b": 2}'}}],
    },
]


THREE = {"role": "tool", "tool_call_id": "c1", "content": "3"}


def test_a_history_in_the_form_of_the_chat_api() -> None:
    model = ScriptedModel(["Final Answer: 3"] * 2, mode="native")
    agent = Agent(model, [add])
    agent.run("So?", [*HISTORY, THREE])
    agent.run("So?", HISTORY)
    for request, said in zip(model.requests, ("3", "(No result: the call was not finished.)"), strict=True):
        system, asked, called, result, task = request.messages
        assert system["content"].endswith("Be brief.")
        assert asked == {"role": "user", "content": "1 + 2?"}
        assert [call["id"] for call in called["tool_calls"]] == ["c1"]
        assert result == {"role": "tool", "tool_call_id": "c1", "content": said}
        assert task == {"role": "user", "content": "So?"}


def test_a_history_in_the_form_of_the_chat_api_as_text() -> None:
    model = ScriptedModel(["Final Answer: 3"])
    Agent(model, [add]).run("So?", [*HISTORY, THREE])
    assert [message["role"] for message in model.requests[0].messages] == ["system", "user", "assistant", "user"]
    assert '"name": "add"' in model.requests[0].messages[2]["content"]
    assert "3" in model.requests[0].messages[3]["content"]


@pytest.mark.parametrize("role", ["system", "developer"])
@pytest.mark.parametrize("limit", [{"max_rounds": 5}, {"context_tokens": 2500, "max_tokens": 300}])
@pytest.mark.parametrize("mode", ["text", "native"])
def test_system_text_that_a_history_begins_with_stays(role: str, limit: dict[str, Any], mode: Any) -> None:
    rounds: list[dict[str, str]] = []
    for number in range(12):
        rounds += [
            {"role": "user", "content": f"Question {number}? " + "word " * 150},
            {"role": "assistant", "content": "Yes."},
        ]
    lead = [{"role": role, "content": "ALWAYS ANSWER IN RHYME."}, {"role": role, "content": "Be kind."}]
    model = ScriptedModel(["Final Answer: one", "Final Answer: two"], mode=mode)
    agent = Agent(model, [add], lang="en", summary="none", **limit)
    first = agent.run("So?", [*lead, *rounds])
    agent.run("And?", first.conversation)
    for request in model.requests:
        system, *others = request.messages
        assert "ALWAYS ANSWER IN RHYME.\n\nBe kind." in system["content"]
        assert "Question 0?" not in str(others)
        assert [message["role"] for message in others][:2] == ["user", "assistant"]
        assert "system" not in [message["role"] for message in others]


def test_a_history_takes_the_objects_of_an_sdk() -> None:
    from openai.types.chat import ChatCompletionMessage

    model = ScriptedModel(["c"])
    history: list[Any] = [{"role": "user", "content": "a"}, ChatCompletionMessage(role="assistant", content="b")]
    Agent(model).run("And?", history)
    assert [message["content"] for message in model.requests[0].messages] == ["a", "b", "And?"]
    with pytest.raises(UsageError, match=r'dicts \{"role": .* but its entry 0 is a int'):
        Agent(model).run("And?", [5])  # type: ignore[list-item]
