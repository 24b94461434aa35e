"""Whatever a model writes, the history of the next request is one that a strict server takes, and begins as the one before."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.driving.ports import ModeChoice
from react_agent.events import ModelChunk, ModelRequest
from react_agent.messages import Json
from react_agent.schema import canonical

from .playing import ADD, TEXT, action, answer, native, play, tool

FAIL = tool("look", lambda path: 1 / 0, path=TEXT)

IDS = st.sampled_from(["", "call_0", "call_1", "call_2_0", "x"])
NAMES = st.sampled_from(["add", "look", "sub", "", "functions.add", "加 法"])
ARGUMENTS = st.sampled_from(
    ['{"a": 1, "b": 2}', '{"b":2,"a":1}', "{'a': 1, 'b': 3}", '{"a": "one"}', '{"path": "x"}', "", "null", '{"a": 1', "[]",
     "{}{}", '{"a": 1, "b": 2}{"a": 3, "b": 4}', '{"path": "\\ud83d"}', '"text"', "a=1"]
)  # fmt: skip
CALLS = st.lists(st.tuples(NAMES, ARGUMENTS, IDS), min_size=1, max_size=3)
NATIVE = st.builds(
    lambda calls, text, finish, reasoning: native(*calls, text=text, finish=finish, reasoning=reasoning),
    CALLS,
    st.sampled_from(["", "I look.", '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>']),
    st.sampled_from(["tool_calls", "stop", "length"]),
    st.sampled_from(["", "hm"]),
)
WRITTEN = st.sampled_from(
    [action("add", a=1, b=2), action("add", a=3, b=4), action("sub"), action("look", path="x"), "Thought: I wonder.", "",
     "  \n", '```json\n{"name": "add", "arguments": {"a": 5, "b": 6}}\n```', "<think>hm</think>", "Let me look.",
     answer("42"), "42"]
)  # fmt: skip
REPLIES = st.lists(NATIVE | WRITTEN | st.just(ModelChunk(finish_reason="stop", last=True)), min_size=1, max_size=7)


def requests_of(replies: list[Any], mode: ModeChoice) -> list[ModelRequest]:
    """The requests of a run whose model goes on with an answer when the replies are used up."""
    return play([*replies, *["42"] * 30], ADD, FAIL, mode=mode, max_steps=5).requests


def complaints(messages: tuple[Json, ...]) -> list[str]:
    """What a strict server says about a history."""
    said: list[str] = []
    made = [call for message in messages for call in message.get("tool_calls", ())]
    if len({call["id"] for call in made}) < len(made) or not all(call["id"] for call in made):
        said.append("ids are not unique")
    for call in made:
        if call["function"]["arguments"] != canonical(json.loads(call["function"]["arguments"])):
            said.append("arguments are not canonical")
        if not call["function"]["name"].isascii():
            said.append("a name is not allowed")
    if any(not isinstance(message["content"], str) for message in messages):
        said.append("a content is no text")
    waiting: list[str] = []
    before = ""
    for message in messages:
        if message["role"] == "tool":
            if not waiting or message["tool_call_id"] != waiting.pop(0):
                said.append("a result does not follow its call")
        elif waiting:
            said.append("a call has no result")
            waiting = []
        if message["role"] == before != "tool":
            said.append("a role comes twice")
        before = message["role"]
        waiting += [call["id"] for call in message.get("tool_calls", ())]
    return [*said, *(["a call has no result"] if waiting else [])]


def begins_like(longer: tuple[Json, ...], shorter: tuple[Json, ...]) -> bool:
    """Equal up to the last message, which may have grown at its end: a server's prefix cache holds up to there."""
    *same, last = shorter
    grown = longer[len(same)]
    return list(longer[: len(same)]) == same and grown == {**last, "content": grown["content"]} and grown["content"].startswith(
        last["content"]
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["native", "auto", "text"])
@settings(max_examples=40)
@given(replies=REPLIES)
def test_a_strict_server_takes_every_request(mode: ModeChoice, replies: list[Any]) -> None:
    for request in requests_of(replies, mode):
        assert complaints(request.messages) == []
        json.dumps(request.to_dict())


@pytest.mark.parametrize("mode", ["native", "auto", "text"])
@settings(max_examples=40)
@given(replies=REPLIES)
def test_every_request_begins_like_the_one_before(mode: ModeChoice, replies: list[Any]) -> None:
    requests = requests_of(replies, mode)
    for before, after in itertools.pairwise(requests):
        in_one_mode = before.messages[0] == after.messages[0]  # falling to text changes the system text, once
        assert in_one_mode or mode == "auto"
        assert not in_one_mode or begins_like(after.messages, before.messages)


def test_the_complaints_are_heard() -> None:
    call = {"id": "a", "function": {"name": "f", "arguments": '{"a": 1}'}}
    said: Json = {"role": "assistant", "content": None, "tool_calls": [call, call]}
    result = {"role": "tool", "tool_call_id": "b", "content": ""}
    heard = complaints((said, result, {"role": "user", "content": ""}, {"role": "user", "content": ""}, said))
    assert set(heard) == {
        "ids are not unique", "arguments are not canonical", "a content is no text", "a result does not follow its call",
        "a call has no result", "a role comes twice",
    }  # fmt: skip
