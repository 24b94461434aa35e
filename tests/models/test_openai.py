"""`OpenAIModel` against a real server: every answer and every fault, blocking and asynchronous."""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from react_agent.driving.ports import Model
from react_agent.errors import UsageError
from react_agent.events import ModelChunk, ModelFailure, ModelRequest
from react_agent.messages import Usage
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import ADD, REQUEST, Ask, failure_of, text_of
from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta

TOOLS = ModelRequest(messages=REQUEST.messages, tools=(ADD,), stop=("Observation:",))
WHOLE = ModelRequest(messages=REQUEST.messages, stream=False)


def model_at(server: ScriptedServer, **options: Any) -> OpenAIModel:
    settings = {"model": "m", "max_retries": 0, "capabilities": Capabilities(), **options}
    return OpenAIModel(base_url=server.base_url, **settings)


# --- good answers ----------------------------------------------------------------------------------------------------


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


# --- hanging up ------------------------------------------------------------------------------------------------------


def test_closing_the_iterator_closes_the_connection() -> None:
    with ScriptedServer([Sse(delta("a"), threading.Event())]) as server:
        stream = model_at(server).stream(REQUEST)
        next(stream)
        stream.close()  # type: ignore[attr-defined]
        assert server.requests[0].closed_early.wait(10)


def test_the_connection_is_closed_before_the_last_piece_is_handed_out() -> None:
    with ScriptedServer([Sse(delta("a"), rest=itertools.repeat(delta("0123456789")))]) as server:
        stream = model_at(server, max_chars=50).stream(REQUEST)
        while not (isinstance(piece := next(stream), ModelChunk) and piece.last):
            pass
        assert server.requests[0].closed_early.wait(10)  # although the iterator is still open


def test_cancelling_the_task_closes_the_connection() -> None:
    async def cancel_after_first_piece(model: OpenAIModel) -> None:
        started = asyncio.Event()

        async def consume() -> None:
            async for _ in model.astream(REQUEST):
                started.set()

        task = asyncio.create_task(consume())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with ScriptedServer([Sse(delta("a"), threading.Event())]) as server:
        asyncio.run(cancel_after_first_piece(model_at(server)))
        assert server.requests[0].closed_early.wait(10)


def test_cancelling_before_the_answer_closes_the_connection() -> None:
    async def cancel(model: OpenAIModel) -> None:
        task = asyncio.create_task(anext(model.astream(REQUEST)))  # type: ignore[arg-type]
        while not server.requests:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with ScriptedServer([Reply("late", gate=threading.Event())]) as server:
        asyncio.run(cancel(model_at(server)))
        assert server.requests[0].closed_early.wait(10)


def test_one_model_serves_many_event_loops_and_threads() -> None:
    async def both(model: OpenAIModel) -> list[list[Any]]:
        async def one() -> list[Any]:
            return [piece async for piece in model.astream(REQUEST)]

        return list(await asyncio.gather(one(), one()))

    with ScriptedServer(lambda _: "ok") as server:
        model = model_at(server)
        replies = [*asyncio.run(both(model)), *asyncio.run(both(model)), list(model.stream(REQUEST))]
    assert [text_of(reply) for reply in replies] == ["ok"] * 5


def test_closing_lets_go_of_connections_and_a_later_request_makes_new_ones() -> None:
    async def twice(model: OpenAIModel) -> list[str]:
        first = text_of([piece async for piece in model.astream(REQUEST)])
        await model.aclose()
        return [first, text_of([piece async for piece in model.astream(REQUEST)])]

    with ScriptedServer(lambda _: "ok") as server:
        model = model_at(server)
        assert text_of(list(model.stream(REQUEST))) == "ok"
        model.close()
        assert text_of(list(model.stream(REQUEST))) == "ok"
        assert asyncio.run(twice(model)) == ["ok", "ok"]


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_connections_are_used_again(deadline: float | None) -> None:
    async def thrice(model: OpenAIModel) -> list[str]:
        replies = []
        for _ in range(3):
            replies.append([piece async for piece in model.astream(REQUEST)])
        return [text_of(reply) for reply in replies]

    with ScriptedServer(lambda _: "ok") as server:
        model = model_at(server, deadline=deadline)
        assert [text_of(list(model.stream(REQUEST))) for _ in range(3)] == ["ok"] * 3
        assert server.connections == 1
        assert asyncio.run(thrice(model)) == ["ok"] * 3
        assert server.connections == 2


def test_a_connection_that_stays_open_behind_the_end_is_left(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("ok"), "[DONE]", threading.Event())]) as server:
        assert text_of(ask(model_at(server))) == "ok"
        assert server.requests[0].closed_early.wait(10)


# --- faults ----------------------------------------------------------------------------------------------------------

FAULTS = [
    (Fail(401, "Incorrect API key provided"), "unauthorized", "OPENAI_API_KEY"),
    (Fail(403, "no access"), "unauthorized", "OPENAI_API_KEY"),
    (Fail(429, "insufficient_quota"), "rate_limited", "quota"),
    (Fail(400, "registry.ollama.ai/library/phi:latest does not support tools"), "tools_refused", 'mode="auto"'),
    (Fail(500, "tools param requires --jinja flag"), "tools_refused", "--jinja"),
    (Fail(404, "No endpoints found that support tool use."), "tools_refused", "tool use"),
    (Fail(400, "This model's maximum context length is 8192 tokens."), "context_overflow", "shorten"),
    (Fail(413, b"too big"), "context_overflow", "shorten"),
    (Fail(422, {"detail": "parameter error"}), "server", "status 422 (it says: parameter error)"),
    (Fail(502, b"<html><title>502 Bad Gateway</title></html>"), "server", "an HTML page: 502 Bad Gateway"),
    (Fail(504, b""), "timeout", "silent"),
    (Raw(b"<!DOCTYPE html><html>log in</html>", "text/html"), "server", "no chat completion (an HTML page: log in)"),
    (Raw(b'{"choices": [{"mess'), "server", "no chat completion"),
    (Raw(b"[1, 2]"), "server", "no chat completion"),
    (Raw(b'{"error": "out of memory"}'), "server", "reported an error (it says: out of memory)"),
    (Sse(delta("a"), {"error": {"message": "worker died"}}), "server", "worker died"),
    (Sse(delta("a"), {"error": {"message": "this exceeds the available context size"}}), "context_overflow", "shorten"),
    (Sse(delta("a"), '{"choices": [{"del'), "broken_stream", "try again"),
    (Sse(delta("a"), b"data: \xff\n\n"), "broken_stream", "try again"),
    (Sse(delta("a"), "[1]"), "broken_stream", "try again"),
    (Sse(delta("a"), b'error: {"code": 500, "message": "slot lost"}\n\n'), "server", "slot lost"),
    (Raw(b""), "broken_stream", "try again"),
    (Sse(delta("a"), RESET), "broken_stream", "try again"),
    (Sse(delta("a")), "broken_stream", "try again"),
    (Sse(), "broken_stream", "try again"),
    (Sse(RESET), "broken_stream", "try again"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "kind", "says"), FAULTS)
def test_every_fault_is_a_failure_that_says_what_to_do(ask: Ask, item: Any, kind: str, says: str) -> None:
    with ScriptedServer(lambda _: item) as server:
        failure = failure_of(ask(model_at(server), TOOLS))
    assert failure.kind == kind
    assert says in failure.message
    assert failure.message.count(". ") <= 1
    assert failure.status == (item.status if isinstance(item, Fail) else 0)


def test_a_server_that_is_not_there(ask: Ask) -> None:
    with ScriptedServer() as server:
        gone = model_at(server)
    failure = failure_of(ask(gone))
    assert failure.kind == "unreachable"
    assert gone.base_url in failure.message
    assert "ollama serve" in failure.message


def test_a_silent_server_times_out(ask: Ask) -> None:
    with ScriptedServer([Reply("late", gate=threading.Event())]) as server:
        failure = failure_of(ask(model_at(server, timeout=0.5)))
    assert (failure.kind, "silent for 0.5 s" in failure.message) == ("timeout", True)


def test_a_stream_that_falls_silent_times_out(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("a"), threading.Event())]) as server:
        pieces = ask(model_at(server, timeout=0.5))
    assert (text_of(pieces), failure_of(pieces).kind) == ("a", "timeout")


UNKNOWN_MODEL = [
    Fail(404, "model 'm' not found, try pulling it first"),
    Fail(400, {"detail": "Server is pinned to 'qwen3'; requested 'm'."}),
]


@pytest.mark.parametrize("refusal", UNKNOWN_MODEL, ids=["Ollama", "transformers"])
def test_an_unknown_model_is_answered_with_those_there_are(ask: Ask, refusal: Fail) -> None:
    with ScriptedServer([refusal], models=["qwen3", "glm4"]) as server:
        failure = failure_of(ask(model_at(server)))
    assert (failure.kind, "it offers qwen3, glm4" in failure.message) == ("unknown_model", True)


def test_a_wrong_path_is_told_when_no_models_can_be_listed(ask: Ask) -> None:
    with ScriptedServer(models=["never asked"]) as server:
        model = OpenAIModel("m", base_url=server.base_url.removesuffix("/v1") + "/wrong", max_retries=0)
        server.models = Fail(404, "no such page")
        failure = failure_of(ask(model))
    assert (failure.kind, "most end in /v1" in failure.message) == ("unknown_model", True)


def test_the_key_is_never_repeated(ask: Ask) -> None:
    with ScriptedServer([Fail(401, "bad key sk-very-secret")]) as server:
        failure = failure_of(ask(model_at(server, api_key="sk-very-secret")))
    assert "sk-very-secret" not in failure.message
    assert "check api_key" in failure.message


def test_the_keys_of_others_are_not_repeated_either(ask: Ask) -> None:
    with ScriptedServer(
        [Fail(401, "Incorrect API key provided: sk-proj-q7Rt2Lm9Xv4Kp8Wz3Nd6; it is sent on as Bearer q7Rt2Lm9Xv4K")]
    ) as server:
        message = failure_of(ask(model_at(server, api_key="of-the-gateway"))).message
    assert "q7Rt2Lm9Xv4K" not in message
    assert "Incorrect API key provided: ***" in message


def test_an_answer_without_choices_is_an_empty_reply(ask: Ask) -> None:
    with ScriptedServer([Raw(b'{"choices": []}')]) as server:
        assert ask(model_at(server)) == [ModelChunk(last=True)]


def test_a_huge_body_is_not_kept(ask: Ask) -> None:
    with ScriptedServer([Raw(b'{"choices": "' + b"x" * 100_000)]) as server:
        assert "more than" in failure_of(ask(model_at(server, max_chars=100))).message


# --- what is learnt --------------------------------------------------------------------------------------------------


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


# --- misuse and cost -------------------------------------------------------------------------------------------------


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


def test_a_failure_is_a_piece_and_no_exception(ask: Ask) -> None:
    with ScriptedServer(lambda _: Fail(400, "anything")) as server:
        assert [type(piece) for piece in ask(model_at(server))] == [ModelFailure]
