"""Streams: the order of the deltas, what comes early, and what an upstream that fails in the middle makes of them."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import openai
import pytest

from tests.support.server import RESET, Fail, Reply, ScriptedServer, Sse, delta

from .proxying import CALL, WEATHER, ask, client, proxy

TEXT = {"X-React-Agent-Mode": "text"}


@contextmanager
def streamed(script: Any, **more: Any) -> Iterator[tuple[Any, ScriptedServer]]:
    with ScriptedServer(script) as upstream, proxy(upstream.base_url) as url, client(url) as openai_client:
        fields: Any = {"model": "m", "messages": ask(), "tools": [WEATHER], "extra_headers": TEXT, **more}
        with openai_client.chat.completions.create(stream=True, **fields) as stream:
            yield stream, upstream


def deltas(script: Any, **more: Any) -> list[Any]:
    with streamed(script, **more) as (stream, _):
        return [*stream]


def test_a_call_in_deltas() -> None:
    chunks = deltas([f"I will look.\n{CALL}"], stream_options={"include_usage": True})
    *parts, counts = chunks
    assert counts.choices == []
    assert counts.usage.total_tokens > 0
    assert len({chunk.id for chunk in chunks}) == 1
    first, *middle, last = [chunk.choices[0] for chunk in parts]
    assert (first.delta.role, first.finish_reason) == ("assistant", None)
    assert last.finish_reason == "tool_calls"
    calls = [choice.delta.tool_calls[0] for choice in middle if choice.delta.tool_calls]
    assert (calls[0].index, calls[0].function.name, calls[0].type) == (0, "get_weather", "function")
    assert calls[0].id.startswith("call_")
    assert all(call.id is None and call.function.name is None for call in calls[1:])
    assert json.loads("".join(call.function.arguments for call in calls)) == {"city": "Oslo", "days": 3}
    assert "".join(choice.delta.content or "" for choice in middle) == "I will look."


def test_a_stream_says_in_its_headers_what_is_known_at_its_start() -> None:
    with streamed([CALL]) as (stream, upstream):
        headers, place = stream.response.headers, upstream.base_url.split("/")[2]
        assert headers["x-react-agent-mode"] == "text"
        assert headers["x-react-agent-dialect"] == "zh_json_steps"
        assert headers["x-react-agent-upstream"] == place


def test_text_comes_while_the_model_is_writing() -> None:
    gate = threading.Event()
    reply = Sse(delta("The weather in Oslo is fine to"), gate, delta("day."), delta(finish="stop"), "[DONE]")
    with streamed([reply]) as (stream, _):
        texts = (chunk.choices[0].delta.content for chunk in stream if chunk.choices and chunk.choices[0].delta.content)
        first = next(texts)
        gate.set()
        assert first + "".join(texts) == "The weather in Oslo is fine today."


def test_a_corrected_call_follows_the_text_that_was_shown() -> None:
    broken = f"I will look.\n{CALL.replace('city', 'town')}"
    chunks = deltas([broken, f"Sorry.\n{CALL}"])
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text == "I will look."
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


def test_several_answers_in_one_stream() -> None:
    chunks = deltas(lambda body: CALL, n=3)
    assert {chunk.choices[0].index for chunk in chunks} == {0, 1, 2}
    ends = [chunk.choices[0].index for chunk in chunks if chunk.choices[0].finish_reason == "tool_calls"]
    assert sorted(ends) == [0, 1, 2]


def test_a_failure_before_the_first_word_has_a_status() -> None:
    with pytest.raises(openai.RateLimitError):
        deltas([Fail(429, "slow down")])


def test_an_upstream_that_dies_in_the_middle_ends_the_stream_with_an_error() -> None:
    with pytest.raises(openai.APIError, match="broke"):
        deltas([Sse(delta("The weather in Oslo is "), RESET)])


def test_garbage_ends_in_an_error() -> None:
    with pytest.raises(openai.APIError):
        deltas([Sse(b"data: {nonsense\n\n")])


def test_a_client_that_goes_away_stops_the_upstream() -> None:
    endless = Sse(rest=(delta("word ") for _ in itertools.count()))
    with streamed([endless]) as (stream, upstream):
        next(iter(stream))
        stream.close()
        assert upstream.requests[0].closed_early.wait(20)


def test_a_client_that_does_not_wait_for_a_whole_answer_stops_the_upstream() -> None:
    gate = threading.Event()
    with ScriptedServer([Reply("late", gate=gate)]) as upstream, proxy(upstream.base_url) as url, client(url) as waiting:
        with pytest.raises(openai.APITimeoutError):
            waiting.with_options(timeout=1).chat.completions.create(model="m", messages=ask(), tools=[WEATHER])
        assert upstream.requests[0].closed_early.wait(20)


def test_where_a_call_is_required_failed_tries_are_not_joined_into_the_answer() -> None:
    chunks = deltas(["Hello there."] * 9, tool_choice="required")
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert said == "Hello there."
