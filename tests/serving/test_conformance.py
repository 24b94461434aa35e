"""Whatever is asked and whatever the upstream makes of it: what comes out is of the published shape, as the clients type it.

Three hundred requests; `pytest --hypothesis-profile=thorough tests/serving/test_conformance.py` makes more than 5,000.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import hypothesis
import pytest
from anthropic.types import Message, RawMessageStreamEvent
from hypothesis import given
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from tests.support.server import ScriptedServer

from .asking import CHATS, HEADERS, RESPONSES, SCRIPTS, TOOLS, TURNS
from .proxying import proxy
from .test_relay import post

NAMES = [tool["function"]["name"] for tool in TOOLS]
FAILED = {400, 401, 403, 404, 413, 418, 422, 429, 502, 503, 504}
RESPONSE_EVENTS: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
MESSAGE_EVENTS: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)

pytestmark = pytest.mark.timeout(3600)


@dataclass
class Line:
    """A proxy before an upstream whose script is changed from request to request."""

    url: str = ""
    script: list[Any] = field(default_factory=list)

    def next(self, body: Any) -> Any:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def ask(self, path: str, body: Any, script: list[Any], headers: dict[str, str]) -> str | None:
        """The answer of the proxy; None when it was an error, whose shape is checked here."""
        self.script = list(script)
        status, came, said = post(self.url, json.dumps(body).encode(), path, **headers)
        hypothesis.event(f"status {status}")
        if said.get("x-react-agent-mode") == "pass-through":
            return None  # what the upstream says is passed on as it is
        if status == 200:
            return came.decode()
        assert status in FAILED, came
        check_error(json.loads(came), of_anthropic=path == "/messages")
        return None


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    found = Line()
    with ScriptedServer(found.next) as server, proxy(server.base_url) as found.url:
        yield found


def check_error(said: Any, *, of_anthropic: bool = False) -> None:
    assert said["error"]["message"]
    assert said["error"]["type"]
    assert said.get("type") == ("error" if of_anthropic else None)


def events_of(text: str) -> list[str]:
    return [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data: ")]


def check_call(name: str, arguments: str | dict[str, Any]) -> None:
    """A call that comes out is declared and valid."""
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    assert name in NAMES
    assert isinstance(given, dict)
    assert name == "get_time" or isinstance(given["city"], str)
    assert name != "book_hotel" or type(given["price"]) in (int, float)


# --- chat completions ------------------------------------------------------------------------------------------------


@given(CHATS, SCRIPTS, HEADERS)
def test_chat_completions(line: Line, body: Any, script: list[Any], headers: dict[str, str]) -> None:
    came = line.ask("/chat/completions", body, script, headers)
    if came is None:
        return
    if body.get("stream"):
        check_chunks(events_of(came), body)
    else:
        check_completion(ChatCompletion.model_validate_json(came, strict=True), body)


def check_completion(completion: ChatCompletion, body: Any) -> None:
    assert [choice.index for choice in completion.choices] == list(range(body.get("n") or 1))
    for choice in completion.choices:
        calls = choice.message.tool_calls or ()
        assert (choice.finish_reason == "tool_calls") == bool(calls)
        assert len(calls) <= (1 if body.get("parallel_tool_calls") is False else 99)
        for call in calls:
            assert call.type == "function"
            check_call(call.function.name, call.function.arguments)
    ids = [call.id for choice in completion.choices for call in choice.message.tool_calls or ()]
    assert len(set(ids)) == len(ids)


def check_chunks(events: list[str], body: Any) -> None:
    *events, last = events
    if last != "[DONE]":
        check_error(json.loads(last))
        assert all(ChatCompletionChunk.model_validate_json(event, strict=True) for event in events)
        return
    chunks = [ChatCompletionChunk.model_validate_json(event, strict=True) for event in events]
    assert sum(chunk.usage is not None for chunk in chunks) == bool(body.get("stream_options"))
    choices = [choice for chunk in chunks for choice in chunk.choices]
    assert {choice.index for choice in choices} == set(range(body.get("n") or 1))
    for index in {choice.index for choice in choices}:
        check_deltas([choice for choice in choices if choice.index == index])


def check_deltas(choices: list[Any]) -> None:
    assert choices[0].delta.role == "assistant"
    assert [choice.finish_reason is not None for choice in choices] == [False] * (len(choices) - 1) + [True]
    pieces = [call for choice in choices for call in choice.delta.tool_calls or ()]
    assert (choices[-1].finish_reason == "tool_calls") == bool(pieces)
    for number in range(len({piece.index for piece in pieces})):
        first, *rest = [piece for piece in pieces if piece.index == number]
        assert first.id
        check_call(first.function.name, "".join(piece.function.arguments for piece in rest))


# --- responses -------------------------------------------------------------------------------------------------------


@given(RESPONSES, SCRIPTS, HEADERS)
def test_responses(line: Line, body: Any, script: list[Any], headers: dict[str, str]) -> None:
    came = line.ask("/responses", body, script, headers)
    if came is None:
        return
    if body.get("stream"):
        check_response_events([RESPONSE_EVENTS.validate_json(event, strict=True) for event in events_of(came)])
    else:
        check_response(Response.model_validate_json(came, strict=True))


def check_response(response: Response) -> None:
    assert (response.status == "incomplete") == (response.incomplete_details is not None)
    for item in response.output:
        if item.type == "function_call":
            check_call(item.name, item.arguments)


def check_response_events(events: list[Any]) -> None:
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.type for event in events[:2]] == ["response.created", "response.in_progress"]
    last = events[-1]
    assert last.type in ("response.completed", "response.incomplete", "response.failed")
    check_response(last.response)
    if last.type == "response.failed":
        assert last.response.error.message
        return
    done = [event.item for event in events if event.type == "response.output_item.done"]
    assert done == last.response.output
    for place, item in enumerate(done):
        kind = "response.output_text" if item.type == "message" else "response.function_call_arguments"
        said = "".join(event.delta for event in events if event.type == f"{kind}.delta" and event.output_index == place)
        assert said == (item.content[0].text if item.type == "message" else item.arguments)


# --- messages --------------------------------------------------------------------------------------------------------


@given(TURNS, SCRIPTS, HEADERS)
def test_messages(line: Line, body: Any, script: list[Any], headers: dict[str, str]) -> None:
    came = line.ask("/messages", body, script, headers)
    if came is None:
        return
    if body.get("stream"):
        check_message_events(events_of(came))
    else:
        message = Message.model_validate_json(came, strict=True)
        assert (message.stop_reason == "tool_use") == any(block.type == "tool_use" for block in message.content)
        for block in message.content:
            if block.type == "tool_use":
                check_call(block.name, block.input)


def check_message_events(said: list[str]) -> None:
    broke = json.loads(said[-1])["type"] == "error"
    if broke:
        check_error(json.loads(said.pop()), of_anthropic=True)
    events = [MESSAGE_EVENTS.validate_json(event, strict=True) for event in said]
    kinds = [event.type for event in events]
    assert kinds[:1] == ["message_start"]
    assert broke or kinds[-2:] == ["message_delta", "message_stop"]
    blocks = [event for event in events if event.type.startswith("content_block")]
    starts = [event.index for event in blocks if event.type == "content_block_start"]
    assert starts == list(range(len(starts)))
    assert sorted(event.index for event in blocks) == [event.index for event in blocks]
    if broke:
        return
    assert [event.index for event in blocks if event.type == "content_block_stop"] == starts
    for start in blocks:
        if start.type == "content_block_start" and start.content_block.type == "tool_use":
            parts = [
                event.delta.partial_json for event in blocks if event.index == start.index and event.type.endswith("delta")
            ]
            check_call(start.content_block.name, "".join(parts))
