"""Is a value a call, several, an answer, or plain data?"""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.messages import ToolSpec
from react_agent.parsing.names import ToolNames
from react_agent.parsing.shapes import ARGUMENT_KEYS, NAME_KEYS, AnswerShape, Shape, is_schema_echo, shapes

NAMES = ToolNames([ToolSpec("find", "", {"type": "object", "properties": {"title": {"type": "string"}}}), ToolSpec("ping")])
GIVEN = {"title": "Kim"}


def calls(value: Any) -> list[tuple[str, Any]] | None:
    found = shapes(value, NAMES)
    return (
        None
        if found is None
        else [(item.name, item.raw) if isinstance(item, Shape) else ("answer", item.text) for item in found]
    )


@pytest.mark.parametrize("name", NAME_KEYS)
def test_every_pair_of_keys(name: str) -> None:
    for arguments in ARGUMENT_KEYS:
        if name != arguments:
            assert calls({name: "find", arguments: GIVEN}) == [("find", GIVEN)], arguments


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"find": GIVEN}, [("find", GIVEN)]),
        ({"find": GIVEN, "ping": {}}, [("find", GIVEN), ("ping", {})]),
        ([{"name": "find", "arguments": GIVEN}, {"name": "ping", "arguments": {}}], [("find", GIVEN), ("ping", {})]),
        ({"tool_calls": [{"function": {"name": "find", "arguments": GIVEN}}]}, [("find", GIVEN)]),
        ({"function_call": {"name": "find", "arguments": GIVEN}}, [("find", GIVEN)]),
        ({"action": {"name": "find", "args": GIVEN}}, [("find", GIVEN)]),
        ({"tool": "find", "title": "Kim"}, [("find", GIVEN)]),
        ({"type": "tool_call", "name": "lost"}, [("lost", {})]),
        ({"type": "final_answer", "content": "yes"}, [("answer", "yes")]),
        ({"action": "Final Answer", "action_input": "yes"}, [("answer", "yes")]),
        ({"action": "Final Answer", "action_input": {"answer": "yes"}}, [("answer", "yes")]),
        ({"action": "Final Answer", "action_input": ["a", "b"]}, [("answer", '["a", "b"]')]),
        ({"final_answer": "yes"}, [("answer", "yes")]),
        ({"最终答案": "是"}, [("answer", "是")]),
        ({"thought": "hm", "final_answer": "yes"}, [("answer", "yes")]),
    ],
)
def test_call_or_answer(value: Any, expected: list[tuple[str, Any]]) -> None:
    assert calls(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        [1, 2],
        ["find"],
        {"title": "Kim"},
        {"name": "Kim"},
        {"name": "Kim", "age": 3},
        {"find": 3},
        {"find": {"description": "searches", "parameters": {"title": "string"}}},
        {"find": {"title": {"type": "string"}}},
        {"find": GIVEN, "other": {}},
        [{"name": "find", "arguments": GIVEN}, {"rooms": 2}],
        {"action": "open", "at": "ten"},
        {"result": {"rows": 3, "name": "x"}},
    ],
)
def test_data(value: Any) -> None:
    assert calls(value) is None


def test_a_thought_beside_a_call_is_kept() -> None:
    (shape,) = shapes({"thought": "look", "name": "find", "arguments": GIVEN}, NAMES) or []
    assert isinstance(shape, Shape)
    assert shape.thought == "look"
    (answer,) = shapes({"思考": "够了", "type": "final_answer", "content": "是"}, NAMES) or []
    assert answer == AnswerShape("是", "够了")


def test_a_tool_named_like_an_answer_is_a_call() -> None:
    names = ToolNames([ToolSpec("finish")])
    (shape,) = shapes({"action": "finish", "action_input": {}}, names) or []
    assert isinstance(shape, Shape)


@pytest.mark.parametrize(
    ("raw", "echo"),
    [
        ({"type": "object", "properties": {"title": {"type": "string"}}}, True),
        ({"properties": {"title": {"type": "string", "description": "d"}}}, True),
        ({"title": {"type": "string"}}, True),
        ({"title": {"type": ["string", "null"], "default": None}}, True),
        ({"type": "object", "properties": {"title": "Kim"}}, False),
        ({"title": {"type": "string", "value": "Kim"}}, False),
        ({"title": {"type": "novel", "pages": 3}}, False),
        ({"title": "Kim"}, False),
        ({}, False),
        ("type", False),
    ],
)
def test_schema_echo(raw: Any, echo: bool) -> None:
    assert is_schema_echo(raw) is echo
