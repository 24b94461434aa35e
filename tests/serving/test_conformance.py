"""Whatever is asked and whatever the model writes: what comes out is of the published shape, as the openai package types it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from tests.support.server import Reply, ScriptedServer

from .proxying import CALL, TIME, WEATHER, proxy
from .test_relay import post

TEXTS = st.sampled_from(
    ["", "hi", "天气？", CALL, "Action: get_weather\nAction Input: {", "最终答案：晴", "<tool_call>", '{"size": 7}']
)
REPLIES = st.builds(
    Reply,
    TEXTS,
    calls=st.lists(st.sampled_from([("get_weather", {"city": "Oslo"}), ("get_weather", "{"), ("nobody", {})]), max_size=2),
    reasoning=st.sampled_from(["", "hm"]),
    finish=st.sampled_from([None, "length"]),
)
PARTS: list[Any] = [[{"type": "text", "text": "part"}], [{"type": "image_url"}], 7]
MADE = {"name": "get_weather", "arguments": '{"city": "Oslo"}'}
CALLS = st.fixed_dictionaries(
    {
        "role": st.just("assistant"),
        "content": st.sampled_from([None, "", "I look."]),
        "tool_calls": st.just(
            [{"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}]
        ),
    }
)
MESSAGES = st.one_of(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "system", "developer", "assistant", "tool", "robot"]),
            "content": st.one_of(
                TEXTS, st.none(), st.just([{"type": "text", "text": "part"}]), st.just([{"type": "image_url"}]), st.just(7)
            ),
        }
    ),
    CALLS,
)
SCHEMA = {"name": "s", "schema": {"required": ["size"]}}
FORMATS = [{"type": "json_schema", "json_schema": SCHEMA}, {"type": "json_object"}, {"type": "x"}]
BODIES = st.fixed_dictionaries(
    {"model": st.just("m"), "messages": st.lists(MESSAGES, max_size=4), "tools": st.just([WEATHER, TIME])},
    optional={
        "stream": st.booleans(),
        "stream_options": st.just({"include_usage": True}),
        "n": st.sampled_from([1, 2, 0, "two"]),
        "tool_choice": st.sampled_from(["auto", "none", "required", {"type": "function", "function": {"name": "get_time"}}, 3]),
        "parallel_tool_calls": st.booleans(),
        "response_format": st.sampled_from(FORMATS),
        "temperature": st.sampled_from([0, 1.5, 9, None]),
        "max_tokens": st.sampled_from([1, 100, -1]),
        "stop": st.sampled_from(["x", ["x", "y"], [7], None]),
    },
)


@pytest.fixture(scope="module")
def upstream() -> Iterator[dict[str, Any]]:
    state: dict[str, Any] = {"reply": Reply("hi")}
    with ScriptedServer(lambda body: state["reply"]) as server, proxy(server.base_url) as url:
        yield {"url": url, "state": state}


@settings(max_examples=150)
@given(BODIES, REPLIES, st.sampled_from(["auto", "native", "text"]))
def test_every_answer_has_the_published_shape(upstream: dict[str, Any], body: Any, reply: Reply, mode: str) -> None:
    upstream["state"]["reply"] = reply
    status, came, _ = post(upstream["url"], json.dumps(body).encode(), **{"X-React-Agent-Mode": mode})
    if status != 200:
        assert status == 400, came
        assert isinstance(json.loads(came)["error"]["message"], str)
    elif body.get("stream"):
        check_stream(came.decode())
    else:
        check_whole(ChatCompletion.model_validate_json(came, strict=True))


def check_whole(completion: ChatCompletion) -> None:
    for choice in completion.choices:
        calls = choice.message.tool_calls or ()
        assert (choice.finish_reason == "tool_calls") == bool(calls)
        for call in calls:
            assert call.type == "function"
            check_call(call.function.name, call.function.arguments)


def check_stream(text: str) -> None:
    *events, done = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    assert done == "[DONE]"
    chunks = [ChatCompletionChunk.model_validate_json(event, strict=True) for event in events]
    choices = [choice for chunk in chunks for choice in chunk.choices]
    for index in {choice.index for choice in choices}:
        mine = [choice for choice in choices if choice.index == index]
        assert mine[0].delta.role == "assistant"
        assert [choice.finish_reason is not None for choice in mine] == [False] * (len(mine) - 1) + [True]
        pieces = [call for choice in mine for call in choice.delta.tool_calls or ()]
        for number in {piece.index for piece in pieces}:
            first, *rest = [piece.function for piece in pieces if piece.index == number]
            check_call(first.name, "".join(piece.arguments for piece in rest))


def check_call(name: str, arguments: str) -> None:
    """A call that comes out is declared and valid."""
    given = json.loads(arguments)
    assert name in ("get_weather", "get_time")
    assert name == "get_time" or isinstance(given["city"], str)
