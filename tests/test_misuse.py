"""What a caller gets wrong costs one sentence that says what was expected and what came."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent import Agent, Event, Message, RunResult, ScriptedModel, UsageError, parse
from react_agent.messages import Call, Parsed, Rejected, Step

RESULT = {"answer": "x", "outcome": "completed"}


@pytest.mark.parametrize(
    ("history", "came"),
    [
        ([Message("user", "hi"), "hello"], "its entry 1 is a str"),
        (None, "NoneType came"),
        ("hi", "str came"),
        (5, "int came"),
        ({"role": "user"}, "its entry 0 is a str"),
        (RunResult.from_dict(RESULT), "RunResult came"),
    ],
)
def test_a_history_that_is_none(history: Any, came: str) -> None:
    agent = Agent(ScriptedModel([]))
    for start in (agent.run, agent.stream, agent.astream):
        with pytest.raises(UsageError, match=r"result\.conversation") as caught:
            start("Well?", history)
        assert came in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        (RunResult, {}, 'RunResult cannot be read: "answer" is missing'),
        (RunResult, {"answer": None}, '"outcome" is missing'),
        (RunResult, [], "RunResult cannot be read: expected mapping, but list came"),
        (RunResult, None, "NoneType came"),
        (RunResult, {**RESULT, "outcome": "fine"}, "RunResult.outcome cannot be read: expected one of completed, step_limit"),
        (RunResult, {**RESULT, "answer": 5}, "RunResult.answer cannot be read: expected str, but int came"),
        (RunResult, {**RESULT, "answer": {}}, "RunResult.answer cannot be read: dict came"),
        (RunResult, {**RESULT, "steps": 5}, "RunResult.steps cannot be read: expected list or tuple, but int came"),
        (RunResult, {**RESULT, "steps": [{"number": 1}]}, 'RunResult.steps[0] cannot be read: "mode" is missing'),
        (RunResult, {**RESULT, "usage": {"requests": "1"}}, "RunResult.usage.requests cannot be read: expected int"),
        (Call, {"name": "f", "arguments": []}, "Call.arguments cannot be read: expected mapping, but list came"),
        (Call, {"name": "f", "span": ["a"]}, "Call.span[0] cannot be read: expected int"),
        (Parsed, {"explanation": 1}, "Parsed.explanation cannot be read: int came"),
        (Event, {"event": "TextDelta"}, 'TextDelta cannot be read: "text" is missing'),
        (Event, {}, "not an event: None"),
        (Event, {"event": ["x"]}, "not an event: ['x']"),
        (Event, 5, "not an event: 5"),
    ],
)
def test_data_that_is_no_value(kind: Any, data: Any, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        kind.from_dict(data)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        RunResult.from_dict(RESULT),
        Rejected("cut", arguments={"a": [1, None]}),
        Rejected("cut"),
        Step(1, "text", thought="t", calls=(Call("f", {"a": {}}, span=(0, 2)),)),
        Parsed(answer=""),
    ],
)
def test_values_come_back(value: Any) -> None:
    assert type(value).from_dict(value.to_dict()) == value


@pytest.mark.parametrize("text", [b"x", bytearray(b"x"), None, 5, ["x"]])
def test_a_reply_that_is_no_text(text: Any) -> None:
    with pytest.raises(UsageError, match=f"a reply is a str, but {type(text).__name__} came"):
        parse(text)


def test_a_mode_that_is_none() -> None:
    wrong: Any = "nativ"
    with pytest.raises(UsageError, match="mode must be one of auto, native, constrained, text, but 'nativ' came"):
        Agent(ScriptedModel([]), mode=wrong)
