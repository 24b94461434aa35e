"""Anthropic's own client on `/v1/messages`, over a model without tool calling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
import pytest

from tests.support.server import Fail, Reply, ScriptedServer

from .proxying import CALL, WEATHER, ask, proxy

TOOL: Any = {"name": "get_weather", "description": "Weather.", "input_schema": WEATHER["function"]["parameters"]}
TEXT = {"X-React-Agent-Mode": "text"}


@contextmanager
def talking(script: Any) -> Iterator[tuple[anthropic.Anthropic, list[Any]]]:
    with ScriptedServer(script) as upstream, proxy(upstream.base_url) as url:
        root = url.removesuffix("/v1")
        with anthropic.Anthropic(base_url=root, api_key="any", max_retries=0, default_headers=TEXT) as client:
            yield client, upstream.requests


def test_a_call_and_its_result() -> None:
    with talking([f"I will look.\n{CALL}", "It rains."]) as (client, requests):
        messages: Any = ask()
        first = client.messages.create(model="m", max_tokens=99, system="Be brief.", messages=messages, tools=[TOOL])
        assert first.stop_reason == "tool_use"
        text, use = first.content
        assert (text.text, use.name, use.input) == ("I will look.", "get_weather", {"city": "Oslo", "days": 3})
        result = {"type": "tool_result", "tool_use_id": use.id, "content": [{"type": "text", "text": "rain"}]}
        messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
        second = client.messages.create(model="m", max_tokens=99, messages=messages, tools=[TOOL])
        assert (second.content[0].text, second.stop_reason) == ("It rains.", "end_turn")
        assert second.usage.output_tokens > 0
        assert "Be brief." in requests[0].body["messages"][0]["content"]
        assert "rain" in requests[1].body["messages"][-1]["content"]


def test_an_answer_that_a_filter_has_cut() -> None:
    with talking([Reply("The sea is", finish="content_filter")]) as (client, _):
        message = client.messages.create(model="m", max_tokens=99, messages=ask(), tools=[TOOL])
    assert (message.stop_reason, message.content[0].text) == ("refusal", "The sea is")


@pytest.mark.parametrize("mode", ["text", "native"])
def test_tokens_are_guessed_before_a_request(mode: str) -> None:
    with talking([]) as (client, requests):
        count = client.with_options(default_headers={"X-React-Agent-Mode": mode}).messages.count_tokens
        short, long = ask("hi"), ask("How is the weather in Oslo? " * 50)
        bare = count(model="m", messages=short).input_tokens
        with_tool = count(model="m", messages=short, tools=[TOOL], system="Be brief.").input_tokens
        use = {"type": "tool_use", "id": "a", "name": "get_weather", "input": {"city": "Oslo " * 20}}
        called = [*short, {"role": "assistant", "content": [use]}]
        assert 1 <= bare < 30 < with_tool < count(model="m", messages=called, tools=[TOOL]).input_tokens
        assert 300 < count(model="m", messages=long).input_tokens < 600
        assert not requests, "nothing is completed"


def test_tokens_are_counted_by_a_server_that_does() -> None:
    with ScriptedServer(pages={"POST /tokenize": {"count": 1_000}}) as upstream, proxy(upstream.base_url) as url:
        with anthropic.Anthropic(base_url=url.removesuffix("/v1"), api_key="any", max_retries=0) as client:
            assert 1_000 < client.messages.count_tokens(model="m", messages=ask()).input_tokens < 1_010
        assert upstream.asked == ["POST /tokenize"]


def test_what_cannot_be_counted_is_refused_as_it_would_be_later() -> None:
    with talking([]) as (client, _), pytest.raises(anthropic.BadRequestError, match="messages"):
        client.messages.count_tokens(model="m", messages=[])


DOT = "iVBORw0KGgo="
PIXEL: Any = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DOT}}


@pytest.mark.parametrize("more", [{}, {"tools": [TOOL]}], ids=["without tools", "with a tool"])
def test_images_are_counted_at_a_usual_number(more: Any) -> None:
    text = {"type": "text", "text": "What is this?"}
    result = {"type": "tool_result", "tool_use_id": "c", "content": [PIXEL, text]}
    with talking([]) as (client, _):

        def count(*parts: Any) -> int:
            return client.messages.count_tokens(model="m", messages=[{"role": "user", "content": parts}], **more).input_tokens

        bare = count(text)
        assert 1_500 < count(PIXEL, text) - bare < 1_700
        assert 3_000 < count(PIXEL, PIXEL, text) - bare < 3_400
        assert 1_500 < count(result) - bare < 1_700
        assert count(PIXEL) > 1_500


def test_what_is_no_message_is_refused_by_who_counts() -> None:
    with talking([]) as (client, _):
        for messages in ("x", [7], [{"role": "user", "content": [7]}], [{"role": "user", "content": [[PIXEL]]}]):
            with pytest.raises(anthropic.BadRequestError, match="messages"):
                client.messages.count_tokens(model="m", messages=messages)  # type: ignore[arg-type]


LINKED: Any = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
WHAT: Any = {"type": "text", "text": "What is this?"}


def picture(*parts: Any) -> Any:
    return [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": list(parts)},
    ]


@pytest.mark.parametrize("streams", [False, True])
def test_images_beside_no_tools_are_shown_to_the_model(streams: bool) -> None:
    with talking([Reply("A dot.\nAction: none", chunk=3, finish="length")]) as (client, requests):
        asking: Any = {
            "model": "m",
            "max_tokens": 99,
            "system": "Be brief.",
            "stop_sequences": ["END"],
            "extra_body": {"top_p": 0.5},
        }
        if streams:
            with client.messages.stream(messages=picture(PIXEL, LINKED, WHAT), **asking) as stream:
                answer = stream.get_final_message()
        else:
            answer = client.messages.create(messages=picture(PIXEL, LINKED, WHAT), **asking)
    assert (answer.content[0].text, answer.stop_reason) == ("A dot.\nAction: none", "max_tokens")
    assert answer.usage.output_tokens > 0
    (request,) = requests
    assert (request.body["max_tokens"], request.body["top_p"], request.body["stop"]) == (99, 0.5, ["END"])
    *before, last = request.body["messages"]
    assert [(message["role"], message["content"]) for message in before] == [
        ("system", "Be brief."),
        ("user", "hi"),
        ("assistant", "Yes?"),
    ]
    images = [
        {"type": "image_url", "image_url": {"url": url}}
        for url in (f"data:image/png;base64,{DOT}", "https://example.com/a.png")
    ]
    assert last == {"role": "user", "content": [*images, WHAT]}


@pytest.mark.parametrize(
    ("messages", "more", "says"),
    [
        pytest.param(picture(PIXEL), {"tools": [TOOL]}, "no images", id="beside tools"),
        pytest.param(picture({"type": "image", "source": {"type": "file", "file_id": "f"}}), {}, "base64", id="a file"),
        pytest.param(picture({"type": "image"}), {}, "base64", id="no source"),
        pytest.param(picture({"type": "image", "source": {"type": "url", "url": "file:///a.png"}}), {}, "http", id="a path"),
        pytest.param(
            picture({"type": "image", "source": {**PIXEL["source"], "media_type": "text/html"}}), {}, "image/", id="no image"
        ),
        pytest.param([{"role": "assistant", "content": [PIXEL]}], {}, "of the user", id="by the assistant"),
        pytest.param(picture(PIXEL, {"type": "document"}), {}, "only text", id="a document beside it"),
        pytest.param(picture(PIXEL, {"type": ["image"]}), {}, "only text", id="no type"),
        pytest.param(
            picture({"type": "tool_result", "tool_use_id": "c", "content": [PIXEL]}), {}, "no images", id="in a result"
        ),
    ],
)
def test_images_that_cannot_be_passed_on_are_refused(messages: Any, more: Any, says: str) -> None:
    with talking([]) as (client, requests):
        with pytest.raises(anthropic.BadRequestError, match=says) as caught:
            client.messages.create(model="m", max_tokens=99, messages=messages, **more)
        assert caught.value.body["error"]["type"] == "invalid_request_error"  # type: ignore[index]
        assert not requests


def test_a_model_that_fails_at_an_image_is_told_as_any_failure() -> None:
    says = "image input is not supported"
    with talking(lambda _: Fail(400, says)) as (client, _), pytest.raises(anthropic.APIStatusError, match=says):
        client.messages.create(model="m", max_tokens=99, messages=picture(PIXEL, WHAT))


def test_a_stream() -> None:
    with talking([f"I will look.\n{CALL}"]) as (client, _):
        with client.messages.stream(model="m", max_tokens=99, messages=ask(), tools=[TOOL]) as stream:
            kinds = [event.type for event in stream if event.type not in ("text", "input_json")]
            message = stream.get_final_message()
        assert kinds[0] == "message_start"
        assert kinds[-1] == "message_stop"
        assert kinds.count("content_block_start") == kinds.count("content_block_stop") == 2
        assert [block.type for block in message.content] == ["text", "tool_use"]
        assert message.content[1].input == {"city": "Oslo", "days": 3}
        assert message.stop_reason == "tool_use"


def test_without_tools_it_is_a_chat() -> None:
    with talking(["Thought: as it is\nAction: none"]) as (client, requests):
        answer = client.messages.create(model="m", max_tokens=99, messages=ask("hi"), stop_sequences=["END"])
        assert answer.content[0].text == "Thought: as it is\nAction: none"
        assert requests[0].body["stop"] == ["END"]


def test_a_demanded_tool() -> None:
    with talking(["No.", CALL]) as (client, _):
        choice: Any = {"type": "tool", "name": "get_weather"}
        answer = client.messages.create(model="m", max_tokens=99, messages=ask(), tools=[TOOL], tool_choice=choice)
        assert answer.stop_reason == "tool_use"


def test_errors_have_the_shape_of_the_api() -> None:
    with talking([Fail(429, "slow down")]) as (client, _):
        with pytest.raises(anthropic.RateLimitError) as caught:
            client.messages.create(model="m", max_tokens=99, messages=ask())
        assert json.loads(caught.value.response.text)["type"] == "error"
        with pytest.raises(anthropic.BadRequestError, match="messages"):
            client.messages.create(model="m", max_tokens=99, messages=[])
