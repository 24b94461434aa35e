"""Every fault of a real server is a failure that says what to do, without keys."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from react_agent.events import ModelChunk, ModelFailure, ModelRequest
from react_agent.models.openai import OpenAIModel
from tests.models.asking import ADD, REQUEST, Ask, failure_of, text_of
from tests.models.serving import model_at
from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta

TOOLS = ModelRequest(messages=REQUEST.messages, tools=(ADD,), stop=("Observation:",))


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


def test_a_failure_is_a_piece_and_no_exception(ask: Ask) -> None:
    with ScriptedServer(lambda _: Fail(400, "anything")) as server:
        assert [type(piece) for piece in ask(model_at(server))] == [ModelFailure]
