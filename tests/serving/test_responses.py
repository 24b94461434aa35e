"""`/v1/responses` with the client of OpenAI, over a model without tool calling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import openai
import pytest

from tests.support.server import RESET, Reply, ScriptedServer, Sse, delta

from .proxying import CALL, WEATHER, client, proxy

TOOL: Any = {"type": "function", "strict": False, **WEATHER["function"]}
TEXT = {"X-React-Agent-Mode": "text"}


@contextmanager
def talking(script: Any) -> Iterator[tuple[openai.OpenAI, list[Any]]]:
    with ScriptedServer(script) as upstream, proxy(upstream.base_url) as url, client(url) as made:
        yield made.with_options(default_headers=TEXT), upstream.requests


def test_a_call_and_its_result() -> None:
    with talking([f"I will look.\n{CALL}", "It rains."]) as (openai_client, requests):
        items: Any = [{"role": "user", "content": [{"type": "input_text", "text": "Weather in Oslo?"}]}]
        first = openai_client.responses.create(model="m", instructions="Be brief.", input=items, tools=[TOOL])
        message, call = first.output
        assert (first.status, first.output_text) == ("completed", "I will look.")
        assert (message.type, call.type, call.name) == ("message", "function_call", "get_weather")
        assert json.loads(call.arguments) == {"city": "Oslo", "days": 3}
        items += [item.model_dump() for item in first.output]
        items += [{"type": "function_call_output", "call_id": call.call_id, "output": "rain"}]
        second = openai_client.responses.create(model="m", input=items, tools=[TOOL])
        assert second.output_text == "It rains."
        roles = [message["role"] for message in requests[1].body["messages"]]
        assert roles == ["system", "user", "assistant", "user"]
        assert "rain" in requests[1].body["messages"][-1]["content"]


def test_an_answer_that_a_filter_has_cut() -> None:
    with talking([Reply("The sea is", finish="content_filter")]) as (openai_client, _):
        response = openai_client.responses.create(model="m", input="How is it?", tools=[TOOL])
    assert (response.status, response.output_text) == ("incomplete", "The sea is")
    assert response.incomplete_details.reason == "content_filter"


def test_a_stream() -> None:
    with talking([f"I will look.\n{CALL}"]) as (openai_client, _):
        with openai_client.responses.stream(model="m", input="Weather?", tools=[TOOL]) as stream:
            events = list(stream)
            response = stream.get_final_response()
        assert [event.sequence_number for event in events] == list(range(len(events)))
        assert events[0].type == "response.created"
        assert events[-1].type == "response.completed"
        assert [item.type for item in response.output] == ["message", "function_call"]
        assert json.loads(response.output[1].arguments) == {"city": "Oslo", "days": 3}


def test_an_answer_in_a_shape() -> None:
    schema = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}
    with talking(['{"size": "7"}']) as (openai_client, _):
        shape: Any = {"format": {"type": "json_schema", "name": "s", "schema": schema}}
        answer = openai_client.responses.create(model="m", input="How big?", text=shape)
        assert json.loads(answer.output_text) == {"size": 7}


def test_a_stream_that_fails_says_so() -> None:
    with talking([Sse(delta("The weather in Oslo is "), RESET)]) as (openai_client, _):
        events = list(openai_client.responses.create(model="m", input="Weather?", tools=[TOOL], stream=True))
        assert events[-1].type == "response.failed"


def test_what_is_not_kept_cannot_be_leant_on() -> None:
    with talking([]) as (openai_client, _), pytest.raises(openai.BadRequestError, match="previous_response_id"):
        openai_client.responses.create(model="m", input="hi", previous_response_id="resp_1")


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"metadata": ["x"]}, "metadata"),
        ({"metadata": {"a": 7}}, "metadata.a"),
        ({"top_p": "x"}, "top_p"),
        ({"tools": [{**TOOL, "strict": "x"}]}, "strict"),
    ],
)
def test_what_a_response_repeats_is_checked(more: Any, param: str) -> None:
    with talking([]) as (openai_client, _), pytest.raises(openai.BadRequestError) as caught:
        openai_client.responses.create(model="m", input="hi", **more)
    assert caught.value.param == param


def test_a_tool_that_is_named_as_in_chats_is_repeated_in_the_shape_of_responses() -> None:
    named: Any = {"type": "function", "function": {"name": "get_weather"}}
    with talking([CALL]) as (openai_client, _):
        response = openai_client.responses.create(model="m", input="hi", tools=[TOOL], tool_choice=named)
        assert response.tool_choice.model_dump() == {"type": "function", "name": "get_weather"}
