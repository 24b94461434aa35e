"""`OpenAIModel` against a real server: good answers, what is learnt, misuse; blocking and asynchronous."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from react_agent.driving.ports import Model
from react_agent.errors import UsageError
from react_agent.events import ModelChunk, ModelRequest
from react_agent.messages import Usage
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import ADD, REQUEST, Ask, failure_of, text_of
from tests.models.serving import model_at
from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta

WHOLE = ModelRequest(messages=REQUEST.messages, stream=False)


@pytest.mark.parametrize("request_", [REQUEST, WHOLE], ids=["streamed", "whole"])
def test_text_reasoning_calls_and_counts_arrive(ask: Ask, request_: ModelRequest) -> None:
    reply = Reply("The beach is wide.", calls=[("add", {"a": "三"})], reasoning="Let me see", chunk=3)
    with ScriptedServer([reply]) as server:
        pieces = ask(model_at(server), request_)
    chunks = [piece for piece in pieces if isinstance(piece, ModelChunk)]
    calls = [call for chunk in chunks for call in chunk.tool_calls]
    assert text_of(pieces) == "The beach is wide."
    assert "".join(chunk.reasoning for chunk in chunks) == "Let me see"
    assert ("".join(call.name for call in calls), "".join(call.arguments for call in calls)) == ("add", '{"a": "三"}')
    assert "".join(chunk.finish_reason for chunk in chunks) == "tool_calls"
    assert (chunks[-1].usage, [chunk.last for chunk in chunks].index(True)) == (Usage(7, 3, 1), len(chunks) - 1)


def test_pieces_arrive_while_the_server_still_writes() -> None:
    gate = threading.Event()
    with ScriptedServer([Sse(delta("Hel"), gate, delta("lo", finish="stop"))]) as server:
        stream = model_at(server).stream(REQUEST)
        first = next(stream)
        assert isinstance(first, ModelChunk)
        assert first.text == "Hel"
        gate.set()
        assert text_of(list(stream)) == "lo"


def test_the_body_is_what_was_asked_and_no_more(ask: Ask) -> None:
    request = ModelRequest(
        messages=REQUEST.messages, tools=(ADD,), tool_choice="auto", stop=("X",), max_tokens=9, extra_body={"seed": 1}
    )
    with ScriptedServer(["ok", "ok"]) as server:
        model = model_at(server, extra_body={"enable_thinking": False}, headers={"X-Team": "a"}, api_key="secret")
        ask(model, request)
        ask(model, ModelRequest(messages=REQUEST.messages, temperature=None, stream=False))
    assert server.requests[0].body == {
        "model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": [ADD], "tool_choice": "auto", "stop": ["X"],
        "temperature": 0.0, "max_tokens": 9, "stream": True, "stream_options": {"include_usage": True},
        "enable_thinking": False, "seed": 1,
    }  # fmt: skip
    assert server.requests[1].body == {"model": "m", "messages": [{"role": "user", "content": "hi"}], "enable_thinking": False}
    assert server.requests[0].headers["authorization"] == "Bearer secret"
    assert server.requests[0].headers["x-team"] == "a"


def test_a_server_that_does_not_stream_is_understood(ask: Ask) -> None:
    body = b'{"choices": [{"message": {"content": "plain"}, "finish_reason": "stop"}]}'
    with ScriptedServer([Raw(body)]) as server:
        assert text_of(ask(model_at(server))) == "plain"


def test_a_stream_may_end_without_done_once_it_has_a_finish_reason(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("a"), delta(finish="stop"), RESET)]) as server:
        assert ask(model_at(server))[-1] == ModelChunk(last=True)


def test_a_stream_may_end_without_finish_reason_once_it_said_done(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("a"), "[DONE]", threading.Event())]) as server:
        pieces = ask(model_at(server))
    assert text_of(pieces) == "a"
    assert isinstance(last := pieces[-1], ModelChunk)
    assert (last.last, last.finish_reason) == (True, "")


def test_a_mislabelled_stream_is_understood(ask: Ask) -> None:
    body = b'data: {"choices": [{"delta": {"content": "plain"}}]}\n\ndata: [DONE]\n\n'
    with ScriptedServer([Raw(body, "application/json")]) as server:
        assert text_of(ask(model_at(server))) == "plain"


LINES = b"".join(json.dumps(delta(text)).encode() + b"\n" for text in ("The beach", " is", " wide."))


@pytest.mark.parametrize("end", [json.dumps(delta(finish="stop")).encode() + b"\n", b"[DONE]\n", b"data: [DONE]\n\n"])
def test_a_stream_of_lines_without_a_field_is_understood(ask: Ask, end: bytes) -> None:
    with ScriptedServer([Raw(LINES + end, "application/x-ndjson"), Sse(LINES, end)]) as server:
        for _ in range(2):
            assert text_of(ask(model_at(server))) == "The beach is wide."


def test_such_lines_arrive_while_the_server_still_writes() -> None:
    gate = threading.Event()
    with ScriptedServer([Sse(LINES[: LINES.index(b"\n") + 1], gate)]) as server:
        first = next(iter(model_at(server).stream(REQUEST)))
        gate.set()
        assert isinstance(first, ModelChunk)
        assert first.text == "The beach"


def test_such_lines_that_break_off_are_a_broken_stream(ask: Ask) -> None:
    for lines in (LINES, LINES[: LINES.index(b"\n") + 1]):
        with ScriptedServer([Raw(lines, "application/x-ndjson")]) as server:
            assert failure_of(ask(model_at(server))).kind == "broken_stream"


@pytest.mark.parametrize("ending", [[delta(finish="stop"), "[DONE]"], ["[DONE]"]], ids=["with a reason", "without"])
@pytest.mark.parametrize("text", ["Sunny.", "The beach is wide, and the sea is green."])
def test_deltas_that_repeat_the_text_so_far_are_told_once(ask: Ask, text: str, ending: list[Any]) -> None:
    deltas = [delta(text[:end]) for end in range(1, len(text) + 1)]
    with ScriptedServer([Sse(*deltas, *ending)]) as server:
        pieces = ask(model_at(server))
        assert text_of(pieces) == text
        assert pieces[-1].last  # type: ignore[union-attr]


def test_an_endless_reply_is_cut_and_the_connection_closed(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("a"), rest=itertools.repeat(delta("0123456789")))]) as server:
        pieces = ask(model_at(server, max_chars=50))
        assert pieces[-1] == ModelChunk(finish_reason="length", last=True)
        assert len(text_of(pieces)) == 51
        assert server.requests[0].closed_early.wait(10)


def test_an_endless_stream_of_empty_chunks_is_cut(ask: Ask) -> None:
    with ScriptedServer([Sse(rest=itertools.repeat(delta("")))]) as server:
        assert ask(model_at(server, max_chars=50)) == [ModelChunk(finish_reason="length", last=True)]


def test_half_a_surrogate_pair_in_the_history_does_not_stop_a_run(ask: Ask) -> None:
    request = ModelRequest(messages=({"role": "user", "content": "cut \ud83d, pair \ud83d\ude00"},))
    with ScriptedServer(["ok"]) as server:
        assert text_of(ask(model_at(server), request)) == "ok"
    assert server.requests[0].body["messages"][0]["content"] == "cut ?, pair 😀"


def test_native_calls_that_do_not_work_make_auto_mean_text() -> None:
    notes = Capabilities()
    options: dict[str, Any] = {"base_url": "http://127.0.0.1:1/v1", "capabilities": notes}
    model = OpenAIModel("a", **options)
    assert model.mode == "auto"
    model.learn("native", works=False)
    assert (model.mode, OpenAIModel("a", **options).mode) == ("text", "text")
    assert OpenAIModel("b", **options).mode == "auto"
    assert OpenAIModel("a", mode="native", **options).mode == "native"
    notes.clear()
    assert model.mode == "auto"


def test_without_a_name_the_first_model_is_taken_and_asked_for_once(ask: Ask) -> None:
    with ScriptedServer(["one", "two"], models=["qwen3", "glm4"]) as server:
        model = model_at(server, model=None)
        assert model.name == ""
        assert [text_of(ask(model)), text_of(ask(model))] == ["one", "two"]
        assert (model.name, server.listings) == ("qwen3", 1)
    assert [request.body["model"] for request in server.requests] == ["qwen3", "qwen3"]


def test_the_models_a_server_offers() -> None:
    with ScriptedServer(models=["qwen3", "glm4"]) as server:
        model = model_at(server)
        assert model.offered() == ("qwen3", "glm4")
        server.models = Fail(500, "busy")
        assert model.offered() == ()
    assert model.offered() == ()


@pytest.mark.parametrize(
    ("models", "kind", "says"),
    [([], "unknown_model", "offers no model"), (Fail(401, "no"), "unauthorized", "No model was named")],
)
def test_without_a_name_and_without_a_list_it_says_so(ask: Ask, models: Any, kind: str, says: str) -> None:
    with ScriptedServer(models=models) as server:
        failure = failure_of(ask(model_at(server, model=None)))
    assert (failure.kind, says in failure.message) == (kind, True)


def test_the_names_a_server_offers_can_be_asked_for() -> None:
    with ScriptedServer(models=["a", "b"]) as server:
        assert model_at(server).offered() == ("a", "b")
    with ScriptedServer(models=Fail(404, "no such page")) as server:
        assert model_at(server).offered() == ()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"base_url": "localhost:11434"}, "http://127.0.0.1:11434/v1"),
        ({"base_url": "http://"}, "must look like"),
        ({"base_url": "http://host:port/v1"}, "must look like"),
        ({"api_key": "sk-“quoted”"}, "the API key"),
        ({"api_key": "sk-1\n"}, "the API key"),
        ({"headers": {"X-A": "值"}}, "X-A"),
        ({"mode": "json"}, "auto, native, constrained, text"),
    ],
)
def test_what_cannot_work_is_refused_at_once(options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        OpenAIModel("m", **options)


def test_it_is_a_model() -> None:
    assert isinstance(OpenAIModel("m", base_url="http://127.0.0.1:1/v1"), Model)


def test_making_a_model_does_not_import_the_sdk() -> None:
    program = "import sys; from react_agent.models.openai import OpenAIModel as M; M('m'); print('openai' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
