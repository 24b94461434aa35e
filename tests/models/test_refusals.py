"""Servers that refuse a part of a request are met in the same request, and remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import Ask, failure_of, text_of
from tests.models.refusing import REQUEST, Refuses, has, model_at, picky, role, roles, unanswered
from tests.support.server import Fail, Raw, Reply, ScriptedServer, Sse


def said(body: Json) -> str:
    return "\n".join(str(message["content"]) for message in body["messages"])


def repeats(body: Json) -> bool:
    """As templates count: the system text aside, user and assistant in turn, results of tools not among them."""
    turns = [name for name in roles(body) if name != "system"]
    return any(name != ("user", "assistant")[number % 2] for number, name in enumerate(turns))


def neighbours(body: Json) -> bool:
    return any(one == other != "tool" for one, other in zip(roles(body), roles(body)[1:], strict=False))


def long_ids(body: Json) -> bool:
    ids = [call["id"] for message in body["messages"] for call in message.get("tool_calls", ())]
    return any(not (len(each) == 9 and each.isalnum()) for each in ids)


def extra(loc: str) -> Json:
    return {"detail": [{"type": "extra_forbidden", "loc": ["body", loc], "msg": "Extra inputs are not permitted"}]}


MAX_4 = "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead."


REFUSALS: list[tuple[str, int, str | Json, Refuses, Callable[[Json], bool]]] = [
    ("35 stop", 400, "Unsupported parameter: 'stop' is not supported with this model.", has("stop"), lambda b: "stop" not in b),
    ("35 stop xAI", 400, "Argument not supported on this model: stop", has("stop"), lambda b: "stop" not in b),
    ("35 stop pydantic", 422, extra("stop"), has("stop"), lambda b: "stop" not in b),
    ("too many stops", 400, MAX_4, lambda b: len(b["stop"]) > 4, lambda b: b["stop"] == ["A", "B", "C", "D"]),
    ("one stop", 400, "stop: at most 1 word is supported, unsupported: 5", lambda b: b["stop"] != ["A"], has("stop")),
    ("many stops, no number", 400, "too many stop sequences", lambda b: len(b["stop"]) > 2, lambda b: b["stop"] == ["A", "B"]),
    ("stream_options", 400, extra("stream_options"), has("stream_options"), lambda b: b["stream"] is True),
    ("include_usage", 400, "unknown field include_usage", has("stream_options"), lambda b: b["stream"] is True),
    (
        "stream", 400, "Unsupported value: 'stream' does not support true with this model.",
        has("stream"), lambda b: "stream_options" not in b,
    ),
    ("stream with tools llama.cpp", 500, "Cannot use tools with stream", has("stream"), has("tools")),
    ("stream, not implemented", 400, "Streaming is not implemented", has("stream"), has("tools")),
    ("stream, 501", 501, "stream=true: not implemented", has("stream"), has("tools")),
    ("stream must be false", 400, "'stream' must be false", has("stream"), has("tools")),
    ("stream in Chinese", 400, "该模型不支持流式输出", has("stream"), has("tools")),
    ("stream with tools OpenAI", 400, "Streaming with tools is not supported", has("stream"), has("tools")),
    ("stream with tools", 400, "m does not support tools in streaming mode", has("stream"), has("tools")),
    ("parallel", 400, "Unknown name \"parallel_tool_calls\": Cannot find field.", has("parallel_tool_calls"), has("tools")),
    ("tool_choice", 400, "`tool_choice` is not supported", has("tool_choice"), has("tools")),
    ("temperature", 400, "Unsupported value: 'temperature' does not support 0 with this.", has("temperature"), has("stop")),
    ("temperature Moonshot", 400, "invalid temperature: only 1 is allowed for this model", has("temperature"), has("stop")),
    (
        "max_tokens", 400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        has("max_tokens"), lambda b: b["max_completion_tokens"] == 2048,
    ),
    ("max_tokens too large", 400, "Range of max_tokens should be [1, 1024]", has("max_tokens"), has("stop")),
    (
        "response_format", 400, "This response_format type is unavailable now",
        lambda b: b["response_format"]["type"] == "json_schema", lambda b: b["response_format"] == {"type": "json_object"},
    ),
    ("no response_format", 400, "response_format is not supported", has("response_format"), has("stop")),
    ("thinking", 400, extra("enable_thinking"), has("enable_thinking"), has("stop")),
    (
        "thinking transformers", 422, {"detail": "Unexpected fields in the request: {'enable_thinking'}"},
        has("enable_thinking"), has("stop"),
    ),
    (
        "37 system", 400, "System role not supported", role("system"),
        lambda b: b["messages"][0] == {"role": "user", "content": "Be short.\n\n1 + 1?"},
    ),
    (
        "37 system OpenAI", 400, "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        role("system"), lambda b: b["messages"][0]["content"].startswith("Be short."),
    ),
    (
        "38 neighbours", 400, "Conversation roles must alternate user/assistant/user/assistant/...", neighbours,
        lambda b: roles(b) == ["system", "user", "assistant", "tool", "user"],
    ),
    (
        "38 template without tools", 500, "Conversation roles must alternate user/assistant/user/assistant/...", repeats,
        lambda b: roles(b) == ["system", "user", "assistant", "user"],
    ),
    (
        "tool role pydantic", 422, {"detail": [{"loc": ["body", "messages", 2, "role"], "type": "enum",
        "msg": "Input should be 'system', 'user' or 'assistant'"}]}, role("tool"), has("tools"),
    ),
    (
        "tool role", 400, "Unexpected role 'user' after role 'tool'", role("tool"),
        lambda b: "<tool_response>\n2\n</tool_response>" in said(b) and '{"name": "add", "arguments": {"a":1}}' in said(b),
    ),
    ("ids", 400, "Tool call id was call_2_0 but must be a-z, A-Z, 0-9, with a length of 9.", long_ids, role("tool")),
    (
        "56 reasoning missing", 400, "Missing `reasoning_content` field in the assistant message at message index 2",
        unanswered, lambda b: b["messages"][2]["reasoning_content"] == "add them",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("status", "says", "refuses", "taken"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS]
)
def test_a_refusal_is_met_in_the_same_request_and_remembered(
    ask: Ask, status: int, says: str | Json, refuses: Refuses, taken: Refuses
) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(status, says, refuses)) as server:
        assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
        bodies = [request.body for request in server.requests]
        assert all(map(refuses, bodies[:-1]))
        assert len(bodies) > 1
        assert not refuses(bodies[-1])
        assert taken(bodies[-1])
        assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
        assert [request.body for request in server.requests[len(bodies) :]] == [bodies[-1]]


@pytest.mark.parametrize("body", ["whole", "streamed"])
def test_a_refusal_in_the_place_of_an_answer_is_met_too(ask: Ask, body: str) -> None:
    error = {"error": {"message": "Unknown parameter: 'stop'."}}
    refusal = Sse(error) if body == "streamed" else Raw(json.dumps(error).encode())
    notes = Capabilities()
    with ScriptedServer(lambda body: refusal if "stop" in body else "ok") as server:
        assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
        assert len(server.requests) == 2
        assert notes.facts(server.base_url, "m").stop is False


def test_an_answer_that_is_not_read_to_its_end_teaches_as_well() -> None:
    notes = Capabilities()
    with ScriptedServer([Fail(400, "Unknown parameter: 'stop'."), Reply("a long answer", chunk=1)]) as server:
        stream = model_at(server, notes).stream(REQUEST)
        next(stream)
        stream.close()  # type: ignore[attr-defined]
        assert notes.facts(server.base_url, "m").stop is False


def test_a_lesson_outlives_a_fault_that_passes(ask: Ask) -> None:
    busy = Fail(503, "busy", {"retry-after-ms": 1})
    with ScriptedServer([Fail(400, "Unknown parameter: 'stop'."), busy, "ok"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities())
        assert text_of(ask(model, REQUEST)) == "ok"
        assert ["stop" in request.body for request in server.requests] == [True, False, False]


def test_nothing_that_was_said_is_lost(ask: Ask) -> None:
    strict = picky(400, "Conversation roles must alternate", lambda body: repeats(body) or "system" in roles(body))
    with ScriptedServer(strict) as server:
        assert text_of(ask(model_at(server), REQUEST)) == "ok"
    body = server.requests[-1].body
    assert roles(body) == ["user", "assistant", "user"]
    for words in ("Be short.", "1 + 1?", "I add.", '"add"', '{"a":1}', "2", "Is that", "so?"):
        assert words in said(body)


def test_several_refusals_are_met_one_after_the_other(ask: Ask) -> None:
    def strict(body: Json) -> Any:
        for field in ("stream_options", "temperature", "stop", "parallel_tool_calls", "enable_thinking"):
            if field in body:
                return Fail(400, f"Unknown parameter: '{field}'.")
        return Fail(400, "System role not supported") if "system" in roles(body) else "ok"

    with ScriptedServer(strict) as server:
        assert text_of(ask(model_at(server), REQUEST)) == "ok"
        assert len(server.requests) == 7


def test_a_server_that_refuses_everything_is_not_asked_for_ever(ask: Ask) -> None:
    fields = ["stream_options", "temperature", "stop", "parallel_tool_calls", "enable_thinking", "tool_choice", "max_tokens"]

    def never(body: Json) -> Fail:
        return Fail(400, f"Unknown parameter: '{next((field for field in fields if field in body), 'model')}'.")

    with ScriptedServer(never) as server:
        failure = failure_of(ask(model_at(server), REQUEST))
        assert failure.status == 400
        assert len(server.requests) <= 9
