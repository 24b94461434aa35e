"""Servers that refuse a part of a request are met in the same request, and remembered.  Numbers are reported scenarios."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from react_agent.events import ModelRequest
from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import ADD, Ask, failure_of, text_of
from tests.support.server import Fail, Raw, Reply, ScriptedServer, Sse

CALL: Json = {"id": "call_2_0", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}}
MESSAGES: tuple[Json, ...] = (
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "1 + 1?"},
    {"role": "assistant", "content": "I add.", "tool_calls": [CALL], "reasoning_content": "add them"},
    {"role": "tool", "tool_call_id": "call_2_0", "content": "2"},
    {"role": "user", "content": "Is that"},
    {"role": "user", "content": "so?"},
)
FORMAT: Json = {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}}
REQUEST = ModelRequest(
    MESSAGES,
    tools=(ADD,),
    tool_choice="auto",
    stop=("A", "B", "C", "D", "E"),
    max_tokens=2048,
    extra_body={"parallel_tool_calls": False, "response_format": FORMAT, "enable_thinking": False},
)

Refuses = Callable[[Json], bool]


def has(field: str) -> Refuses:
    return lambda body: field in body


def role(name: str) -> Refuses:
    return lambda body: name in roles(body)


def roles(body: Json) -> list[str]:
    return [message["role"] for message in body["messages"]]


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


def unanswered(body: Json) -> bool:
    return any(message["role"] == "assistant" and "reasoning_content" not in message for message in body["messages"])


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


def picky(status: int, says: str | Json, refuses: Refuses) -> Callable[[Json], Any]:
    return lambda body: Fail(status, says) if refuses(body) else "ok"


def model_at(server: ScriptedServer, notes: Capabilities | None = None) -> OpenAIModel:
    notes = Capabilities() if notes is None else notes
    return OpenAIModel("m", base_url=server.base_url, max_retries=0, capabilities=notes)


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


SPEECHLESS = ModelRequest(
    (
        {"role": "user", "content": "1 + 1?"},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_2_0", "content": "2"},
    ),
    tools=(ADD,),
)


@pytest.mark.parametrize(
    ("says", "refused", "taken"),
    [
        ("messages: text content blocks must be non-empty", [""], None),
        ("message at position 1 with role 'assistant' must not be empty", ["", None], "…"),
        ("Invalid value for 'content': expected a string, got null.", [None, ""], "…"),
    ],
)
def test_calls_without_a_word_where_a_message_may_not_be_empty(ask: Ask, says: str, refused: list[Any], taken: Any) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(400, says, lambda body: body["messages"][1]["content"] in refused)) as server:
        assert text_of(ask(model_at(server, notes), SPEECHLESS)) == "ok"
        assert text_of(ask(model_at(server, notes), SPEECHLESS)) == "ok"
        assert [request.body["messages"][1]["content"] for request in server.requests[-2:]] == [taken, taken]


WORDLESS = [
    (422, {"detail": "parameter error"}, "stop"),
    (400, "API 调用参数有误，请检查文档", "temperature"),
    (400, {}, "stop"),
]


@pytest.mark.parametrize(("status", "says", "field"), WORDLESS)
def test_40_a_refusal_without_a_word_is_met_and_remembered_when_it_came_twice(
    ask: Ask, status: int, says: Any, field: str
) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(status, says, has(field))) as server:
        for known in (None, False, False):
            assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
            assert notes.facts(server.base_url, "m").options is known
        assert [field in request.body for request in server.requests] == [True, False, True, False, False]
        assert server.requests[-1].body.keys() == {"model", "messages", "tools", "stream"}


def test_40_a_refusal_without_a_word_that_has_passed_is_not_remembered(ask: Ask) -> None:
    notes = Capabilities()
    odd = Fail(400, {})
    with ScriptedServer([odd, "ok", "ok", odd, "ok", "ok"]) as server:
        for _ in range(4):
            assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
        assert ["stop" in request.body for request in server.requests] == [True, False, True, True, False, True]
    assert notes.facts(server.base_url, "m").options is None


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


def test_31_tools_that_are_refused_are_the_engines_business_and_remembered(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda _: Fail(400, "m does not support tools")) as server:
        model = model_at(server, notes)
        assert failure_of(ask(model, REQUEST)).kind == "tools_refused"
        assert len(server.requests) == 1
        assert (model.mode, notes.facts(server.base_url, "m").tools) == ("text", "refused")


WITHOUT_TOOLS = ModelRequest(({"role": "user", "content": "hi"},))


@pytest.mark.parametrize(
    "says",
    ["Streaming with tools is not supported", "Cannot use tools with stream", "This does not support tools with stream."],
)
def test_a_server_that_does_not_stream_beside_tools_streams_the_rest(ask: Ask, says: str) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(400, says, lambda body: "tools" in body and "stream" in body)) as server:
        assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
        assert text_of(ask(model_at(server, notes), WITHOUT_TOOLS)) == "ok"
        assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
        assert ["stream" in request.body for request in server.requests] == [True, False, True, False]
        assert notes.facts(server.base_url, "m").tools is None


@pytest.mark.parametrize(
    ("status", "says"), [(400, {}), (400, "Bad Request"), (405, "Method Not Allowed"), (422, {"detail": "no"}), (501, "")]
)
@pytest.mark.parametrize("request_of", [REQUEST, WITHOUT_TOOLS], ids=["tools", "none"])
def test_a_server_that_refuses_to_stream_without_a_word_of_it(
    ask: Ask, status: int, says: Any, request_of: ModelRequest
) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(status, says, has("stream"))) as server:
        assert text_of(ask(model_at(server, notes), request_of)) == "ok"
        taken = server.requests[-1].body
        assert ("tools" in taken, "stop" in taken) == (bool(request_of.tools), bool(request_of.stop))
        known = notes.facts(server.base_url, "m")
        assert (known.stream, known.stream_tools, known.options, known.tools) == (None, None, None, None)
        assert text_of(ask(model_at(server, notes), request_of)) == "ok"
        before = len(server.requests)
        assert text_of(ask(model_at(server, notes), request_of)) == "ok"
        assert [request.body for request in server.requests[before:]] == [taken]


ODD: Json = {"type": "function", "function": {"name": "getOdd", "parameters": {"oneOf": []}}}


@pytest.mark.parametrize(
    "says",
    [
        "Invalid schema for function 'getOdd': 'oneOf' is not permitted.",
        "tools[1]: not supported",
        {"detail": [{"loc": ["body", "tools", 1, "function", "strict"], "msg": "Extra inputs are not permitted"}]},
        "Unknown name \"$defs\" at 'request.tools[0].function_declarations[1].parameters': Cannot find field.",
        "tool use: the function `getOdd` is not allowed",
        "bad request",
    ],
)
def test_what_is_refused_of_one_tool_is_not_remembered_of_all(ask: Ask, says: Any) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(400, says, lambda body: ODD in body.get("tools", ()))) as server:
        odd = ModelRequest(MESSAGES, tools=(ADD, ODD))
        model = model_at(server, notes)
        assert failure_of(ask(model, odd)).kind == "tools_refused"
        assert (model.mode, notes.known()) == ("auto", {})
        assert text_of(ask(model, REQUEST)) == "ok"
        assert "tools" in server.requests[-1].body


SILENT = [(400, "Bad Request"), (422, {"detail": "parameter error"}), (501, "not implemented"), (500, "template error")]


@pytest.mark.parametrize(("status", "says"), SILENT)
def test_40_tools_that_are_refused_without_a_word_of_it(ask: Ask, status: int, says: Any) -> None:
    notes = Capabilities()
    with ScriptedServer(picky(status, says, has("tools"))) as server:
        failure = failure_of(ask(model_at(server, notes), REQUEST))
        assert failure.kind == "tools_refused"
        assert [("tools" in request.body, role("tool")(request.body)) for request in server.requests] == [
            *[(True, True)] * (len(server.requests) - 1), (False, False),
        ]  # fmt: skip
        assert notes.facts(server.base_url, "m").tools is None


def test_88_notes_are_kept_per_model(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda body: Fail(400, "does not support tools") if body["model"] == "a" else "ok") as server:
        one, other = (OpenAIModel(name, base_url=server.base_url, capabilities=notes) for name in "ab")
        ask(one, REQUEST)
        ask(other, REQUEST)
    assert (one.mode, other.mode) == ("text", "auto")
    notes.clear()
    assert one.mode == "auto"


def test_a_refusal_that_nothing_mends_teaches_nothing(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda _: Fail(422, {"detail": "parameter error"})) as server:
        failure = failure_of(ask(model_at(server, notes), REQUEST))
        assert "parameter error" in failure.message
        assert ["tools" in request.body for request in server.requests] == [True, True, True, False]
        assert server.requests[-1].body.keys() == {"model", "messages"}
        ask(model_at(server, notes), ModelRequest(MESSAGES, stop=("A",)))
        rest = [("stop" in request.body, "stream" in request.body) for request in server.requests[4:]]
        assert rest == [(True, True), (False, True), (True, False), (False, False)]
    assert notes.known() == {}


def test_a_shorter_reply_is_asked_for_when_only_that_does_not_fit(ask: Ask) -> None:
    says = (
        "This model's maximum context length is 4096 tokens. However, you requested 5048 tokens (3000 in the messages, 2048 in "
        "the completion). Please reduce the length of the messages or completion."
    )
    with ScriptedServer(picky(400, says, lambda body: body["max_tokens"] > 1096)) as server:
        assert text_of(ask(model_at(server), REQUEST)) == "ok"
    assert [request.body["max_tokens"] for request in server.requests] == [2048, 1096]


def test_29_a_prompt_that_does_not_fit_is_told_with_the_window_which_is_remembered(ask: Ask) -> None:
    notes = Capabilities()
    says = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    with ScriptedServer(lambda _: Fail(400, says)) as server:
        failure = failure_of(ask(model_at(server, notes), REQUEST))
        assert (failure.kind, failure.window, len(server.requests)) == ("context_overflow", 8192, 1)
    assert notes.facts(server.base_url, "m").context == 8192


def test_a_window_that_turns_out_larger_is_forgotten(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer([Reply("ok", usage=(9000, 1)), Reply("ok", usage=(5, 1))]) as server:
        notes.learn(server.base_url, "m", context=8192)
        ask(model_at(server, notes), REQUEST)
        assert notes.facts(server.base_url, "m").context is None


def test_what_was_taken_is_known(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer([Reply(calls=[("add", {})], reasoning="hm")]) as server:
        ask(model_at(server, notes), REQUEST)
    assert notes.facts(server.base_url, "m").known() == {
        "tools": "works", "tool_choice": True, "parallel_tool_calls": True, "stop": True, "system_role": True,
        "free_roles": True, "tool_role": True, "long_ids": True, "json_schema": True, "stream_usage": True, "temperature": True,
        "token_limit": "max_tokens", "thinking_switch": True, "reasoning": "reasoning_content",
    }  # fmt: skip


def test_a_server_that_has_changed_is_learnt_again(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer(["ok", Fail(400, "Unknown parameter: 'stop'."), "ok", "ok"]) as server:
        for _ in range(3):
            ask(model_at(server, notes), REQUEST)
        assert ["stop" in request.body for request in server.requests] == [True, True, False, False]
    assert notes.facts(server.base_url, "m").stop is False


def test_reasoning_is_not_sent_back_unasked(ask: Ask) -> None:
    with ScriptedServer(["ok"]) as server:
        ask(model_at(server), REQUEST)
    assert "reasoning_content" not in server.requests[0].body["messages"][2]


def test_56_a_server_that_refuses_reasoning_after_all_gets_none(ask: Ask) -> None:
    notes = Capabilities()
    refuses = picky(400, "reasoning_content is not allowed in messages", lambda body: not unanswered(body))
    with ScriptedServer(refuses) as server:
        notes.learn(server.base_url, "m", replay_reasoning=True)
        assert text_of(ask(model_at(server, notes), REQUEST)) == "ok"
    assert notes.facts(server.base_url, "m").replay_reasoning is False
