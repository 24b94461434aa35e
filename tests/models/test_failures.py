"""Wordings of servers are recognised, and only where they can apply."""

from __future__ import annotations

import pytest

from react_agent.models.failures import Situation, failure_of, is_transient, kind_of, refuses
from react_agent.models.faults import WORDS, Fault, words_of

ALL = frozenset({"messages", "tools", "stop", "stream_options"})
HERE = Situation("http://127.0.0.1:1/v1", "m", sent=ALL)

WORDINGS = [
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "tools_refused"),
    (400, 'tool_choice="required" requires --tool-call-parser to be set', "tools_refused"),
    (400, "Hermes 2 Pro Tool parser could not locate tool call start/end tokens in the tokenizer!", "tools_refused"),
    (400, "`tool calling` is not supported with this model", "tools_refused"),
    (400, "deepseek-reasoner does not support Function Calling", "tools_refused"),
    (400, "Unsupported tool_call_parser: None", "tools_refused"),
    (422, "body.tools: Extra inputs are not permitted [extra_forbidden]", "tools_refused"),
    (400, "this model doesn’t support tool calling", "tools_refused"),
    (400, "Argument not supported on this model: stop", "stop_refused"),
    (400, "Unknown parameter: 'stop'.", "stop_refused"),
    (400, "The input (5000 tokens) is longer than the model's context length (4096 tokens).", "context_overflow"),
    (400, "Trying to keep the first 111490 tokens when context the overflows.", "context_overflow"),
    (400, "Range of input length should be [1, 98304]", "context_overflow"),
    (500, "the request exceeds the available context size, try increasing it", "context_overflow"),
    (400, "The model `gpt-9` does not exist or you do not have access to it.", "unknown_model"),
    (400, "No models loaded. Please load a model in the developer page", "unknown_model"),
    (404, "", "unknown_model"),
    (401, "this model does not support tools", "unauthorized"),
    (429, "Request too large, reduce the length of the messages", "rate_limited"),
    (400, "Unsupported value: 'temperature' does not support 0 with this model.", "server"),
    (500, "CUDA out of memory", "server"),
    (400, "The response was filtered due to the prompt triggering Azure's content management policy.", "content_filter"),
    (400, "Content Exists Risk [invalid_request_error]", "content_filter"),
    (400, "Input data may contain inappropriate content. [data_inspection_failed]", "content_filter"),
    (400, "系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语", "content_filter"),
    (400, "The request was rejected because it was considered high risk [content_filter]", "content_filter"),
]


@pytest.mark.parametrize(("status", "words", "kind"), WORDINGS)
def test_wordings(status: int, words: str, kind: str) -> None:
    assert kind_of(Fault("status", status, words), HERE) == kind


TRANSIENT = [
    (Fault("connection"), True),
    (Fault("timeout"), True),
    (Fault("deadline"), False),
    (Fault("malformed"), False),
    (Fault("status", 429, "slow down"), True),
    (Fault("status", 429, "You exceeded your current quota [insufficient_quota]"), False),
    (Fault("status", 402, "Insufficient Balance"), False),
    (Fault("status", 408), True),
    (Fault("status", 500, "CUDA out of memory"), True),
    (Fault("status", 500, "tools param requires --jinja flag"), False),
    (Fault("status", 500, "the request exceeds the available context size"), False),
    (Fault("status", 501), False),
    (Fault("status", 503), True),
    (Fault("status", 504), True),
    (Fault("status", 529, "overloaded"), True),
    (Fault("status", 400, "anything"), False),
    (Fault("status", 401), False),
    (Fault("status", 404), False),
    (Fault("reported", words="worker died"), False),
    (Fault("reported", words="worker died", code=502), True),
    (Fault("reported", words="Overloaded"), True),
    (Fault("reported", words="Rate limit reached, try again later"), True),
]


@pytest.mark.parametrize(("fault", "transient"), TRANSIENT, ids=str)
def test_only_what_may_pass_is_tried_again(fault: Fault, transient: bool) -> None:
    assert is_transient(fault, HERE) is transient


def test_the_window_is_told_with_an_overflow() -> None:
    fault = Fault("status", 400, "This model's maximum context length is 8192 tokens.")
    assert failure_of(fault, HERE).window == 8192
    assert failure_of(Fault("status", 400, "no such thing as maximum 8192"), HERE).window == 0


def test_a_refusal_counts_only_for_what_was_sent() -> None:
    fault = Fault("status", 400, "m does not support tools")
    assert kind_of(fault, Situation("http://127.0.0.1:1/v1", "m", sent=frozenset({"messages"}))) == "server"
    assert not refuses(Fault("status", 400, "Unknown parameter: 'stream_options'"), "stream_options", frozenset({"tools"}))
    assert refuses(Fault("status", 400, "Unknown parameter: 'stream_options'"), "stream_options", ALL)


@pytest.mark.parametrize("fault", [*(fault for fault, _ in TRANSIENT), Fault("status", 401)], ids=str)
def test_no_login_of_the_address_is_shown(fault: Fault) -> None:
    there = Situation("http://someone:pass-word@127.0.0.1:1/v1?key=pass-word", "m", sent=ALL)
    message = failure_of(fault, there).message
    assert "someone" not in message
    assert "pass-word" not in message
    assert message == failure_of(fault, HERE).message


def test_the_network_is_not_quoted_as_the_server() -> None:
    assert "it says" not in failure_of(Fault("connection", words="Connection refused"), HERE).message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "a\n b", "code": "c"}}, "a b [c]"),
        ({"message": "a", "type": "t", "param": "stop", "code": 400}, "a [stop, t]"),
        ({"error": "a"}, "a"),
        ({"detail": "a"}, "a"),
        ({"detail": [{"loc": ["body", "tools", 0], "msg": "bad", "type": "missing"}]}, "body.tools.0: bad [missing]"),
        ("plain", "plain"),
        ("<html><head><title>Bad gateway</title></head></html>", "an HTML page: Bad gateway"),
        ("<!DOCTYPE html><body><h1>No</h1> entry</body>", "an HTML page: No entry"),
        ("if a < b: <b>x</b>", "if a < b: <b>x</b>"),
        (None, ""),
        ({"other": 1}, ""),
        (7, ""),
    ],
)
def test_the_words_of_an_error_body(body: object, words: str) -> None:
    assert words_of(body) == words


def test_words_are_bounded_in_length_and_depth() -> None:
    nested: object = "deep"
    for _ in range(10_000):
        nested = {"error": nested}
    assert words_of(nested) == ""
    assert len(words_of("x" * 1_000_000)) == WORDS
