"""Oddities of servers, as documents in and chunks out."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.events import ModelChunk
from react_agent.messages import Usage
from react_agent.models.pieces import Pieces, joined


def streamed(*deltas: Any) -> list[dict[str, Any]]:
    return [{"choices": [{"delta": delta}]} for delta in deltas]


def whole(message: Any) -> list[dict[str, Any]]:
    return [{"choices": [{"message": message}]}]


def calls_in(documents: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """(id, name, arguments) of each call, put together as the engine does."""
    pieces = Pieces()
    calls: dict[int, list[str]] = {}
    for document in documents:
        for part in pieces.read(document).tool_calls:
            call = calls.setdefault(part.index, ["", "", ""])
            call[:] = [call[0] + part.id, call[1] + part.name, call[2] + part.arguments]
    assert list(calls) == list(range(len(calls)))
    return [(call[0], call[1], call[2]) for call in calls.values()]


def call(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    function = {key: value for key, value in {"name": name, "arguments": arguments}.items() if value is not None}
    return {"function": function, **more}


CALLS = {
    "as the API says": (
        streamed(
            {"tool_calls": [call("f", "", index=0, id="a")]},
            {"tool_calls": [call(None, '{"x"', index=0)]},
            {"tool_calls": [call(None, ": 1}", index=0)]},
            {"tool_calls": [call("g", "{}", index=1, id="b")]},
        ),
        [("a", "f", '{"x": 1}'), ("b", "g", "{}")],
    ),
    "deltas of two calls in turns": (
        streamed(
            {"tool_calls": [call("f", "", index=0, id="a"), call("g", "", index=1, id="b")]},
            {"tool_calls": [call(None, "1", index=1), call(None, "2", index=0)]},
        ),
        [("a", "f", "2"), ("b", "g", "1")],
    ),
    "no index, ids tell": (
        streamed(
            {"tool_calls": [call("f", "{", id="a")]},
            {"tool_calls": [call(None, "}")]},
            {"tool_calls": [call("f", "{}", id="b")]},
        ),
        [("a", "f", "{}"), ("b", "f", "{}")],
    ),
    "null index, no ids, names tell": (
        streamed({"tool_calls": [call("f", "{}", index=None)]}, {"tool_calls": [call("g", "{}", index=None)]}),
        [("", "f", "{}"), ("", "g", "{}")],
    ),
    "no index, neighbours in one delta": (
        streamed({"tool_calls": [call("f", "1", id="x"), call("f", "2", id="x")]}),
        [("x", "f", "1"), ("x", "f", "2")],
    ),
    "all at index 0": (
        streamed({"tool_calls": [call("f", "1", index=0, id="a")]}, {"tool_calls": [call("g", "2", index=0, id="b")]}),
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    "a new id in every delta": (
        streamed({"tool_calls": [call("f", "1", index=0, id="a")]}, {"tool_calls": [call(None, "2", index=0, id="b")]}),
        [("a", "f", "12")],
    ),
    "name and id repeated": (
        streamed(*[{"tool_calls": [call("f", part, index=0, id="a")]} for part in ("{", "}")]),
        [("a", "f", "{}")],
    ),
    "name in pieces": (
        streamed({"tool_calls": [call("get_", index=0, id="a")]}, {"tool_calls": [call("time", index=0)]}),
        [("a", "get_time", "")],
    ),
    "id comes later": (
        streamed({"tool_calls": [call("f", index=0)]}, {"tool_calls": [call(None, "{}", index=0, id="a")]}),
        [("a", "f", "{}")],
    ),
    "whole, same id twice": (
        whole({"content": None, "tool_calls": [call("f", "{}", id="call_0"), call("g", "{}", id="call_0")]}),
        [("call_0", "f", "{}"), ("call_0", "g", "{}")],
    ),
    "whole, empty ids": (
        whole({"tool_calls": [call("f", "{}", id=""), call("f", "{}", id="")]}),
        [("", "f", "{}"), ("", "f", "{}")],
    ),
    "arguments as an object": (whole({"tool_calls": [call("f", {"市": 1})]}), [("", "f", '{"市": 1}')]),
    "arguments null": (whole({"tool_calls": [{"function": {"name": "f", "arguments": None}}]}), [("", "f", "")]),
    "old function_call, streamed": (
        streamed({"function_call": {"name": "f", "arguments": ""}}, {"function_call": {"arguments": "{}"}}),
        [("", "f", "{}")],
    ),
    "old function_call, whole": (whole({"function_call": {"name": "f", "arguments": "{}"}}), [("", "f", "{}")]),
    "no calls but rubbish": (whole({"tool_calls": [None, 3, "x"]}), []),
    "one call instead of a list": (whole({"tool_calls": call("f", "{}", id="a")}), [("a", "f", "{}")]),
    "name and arguments beside the id": (
        whole({"tool_calls": [{"id": "a", "name": "f", "arguments": {"a": 1}}]}),
        [("a", "f", '{"a": 1}')],
    ),
    "the function as its name": (
        whole({"tool_calls": [{"id": 7, "function": "f", "parameters": {"a": 1}}, {"id": 8, "function": "g", "input": {}}]}),
        [("7", "f", '{"a": 1}'), ("8", "g", "{}")],
    ),
    "an index that is text": (
        streamed(
            {"tool_calls": [call("f", "", index="0"), call("g", "", index="1")]},
            {"tool_calls": [call(None, "1", index="1"), call(None, "2", index="0")]},
        ),
        [("", "f", "2"), ("", "g", "1")],
    ),
    "a message that repeats the deltas": (
        [*streamed({"tool_calls": [call("f", "{}", index=0)]}), *whole({"tool_calls": [call("f", "{}", id="a")]})],
        [("", "f", "{}")],
    ),
    "no index, several calls go on under their ids": (
        streamed(
            {"tool_calls": [call("f", id="a"), call("g", id="b")]},
            {"tool_calls": [call(None, "1", id="a")]},
            {"tool_calls": [call(None, "2", id="b")]},
            {"tool_calls": [call(None, "4", id="b"), call(None, "3", id="a")]},
        ),
        [("a", "f", "13"), ("b", "g", "24")],
    ),
    "no index, names and ids repeated": (
        streamed(*[{"tool_calls": [call("f", part, id="a"), call("g", part, id="b")]} for part in ("{", "}")]),
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "an index first, then ids only": (
        streamed(
            {"tool_calls": [call("f", "", index=0, id="a"), call("g", "", index=1, id="b")]},
            {"tool_calls": [call(None, "1", id="a")]},
            {"tool_calls": [call(None, "2", id="b")]},
        ),
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    "a role, then a whole message": (
        [*streamed({"role": "assistant", "content": ""}), *whole({"content": "a", "tool_calls": [call("f", "{}", id="a")]})],
        [("a", "f", "{}")],
    ),
    "text in deltas, calls in a message": (
        [*streamed({"content": "a"}), *whole({"content": "a", "tool_calls": [call("f", "{}", id="a")]})],
        [("a", "f", "{}")],
    ),
    "calls that are text": (whole({"tool_calls": "f()"}), []),
}


@pytest.mark.parametrize("name", CALLS)
def test_tool_calls(name: str) -> None:
    documents, expected = CALLS[name]
    assert calls_in(documents) == expected


@pytest.mark.parametrize(
    ("part", "text", "reasoning"),
    [
        ({"content": "a"}, "a", ""),
        ({"content": None}, "", ""),
        ({"content": "", "reasoning_content": "r"}, "", "r"),
        ({"content": "a", "reasoning": "r"}, "a", "r"),
        ({"content": "a", "reasoning": {"effort": "low"}}, "a", ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, "b", {"type": "text", "text": "c"}]}, "ac", ""),
        ({"content": None, "refusal": "I will not"}, "I will not", ""),
        ({"content": 5}, "", ""),
    ],
)
def test_text_and_reasoning(part: dict[str, Any], text: str, reasoning: str) -> None:
    for documents in (streamed(part), whole(part)):
        chunk = Pieces().read(documents[0])
        assert (chunk.text, chunk.reasoning) == (text, reasoning)


def test_finish_reason_and_usage_are_kept() -> None:
    pieces = Pieces()
    pieces.read({"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": None})
    pieces.read({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 1}})
    pieces.read({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
    assert (pieces.finish_reason, pieces.usage) == ("stop", Usage(5, 2, 1))


def test_a_message_behind_the_deltas_repeats_them() -> None:
    pieces = Pieces()
    said = [
        pieces.read(document).text for document in (*streamed({"content": "a"}, {"content": "b"}), *whole({"content": "ab"}))
    ]
    assert said == ["a", "b", ""]


@pytest.mark.parametrize(
    ("deltas", "message", "expected"),
    [
        ([{"role": "assistant"}], {"content": "Hello!"}, ("Hello!", "")),
        ([{"role": "assistant", "content": ""}, {"content": None}], {"content": "Hello!"}, ("Hello!", "")),
        ([{"reasoning": "hm"}], {"content": "Hello!", "reasoning_content": "hm"}, ("Hello!", "hm")),
        ([{"content": "Hello!"}], {"content": "Hello!", "reasoning": "hm"}, ("Hello!", "hm")),
        ([{"content": "Hel"}, {"content": "lo!"}], {"content": "Hello!"}, ("Hello!", "")),
        ([{"refusal": "No."}], {"content": "", "refusal": "No."}, ("No.", "")),
    ],
)
def test_a_message_adds_what_the_deltas_have_not_said(
    deltas: list[dict[str, Any]], message: dict[str, Any], expected: tuple[str, str]
) -> None:
    apart = [*streamed(*deltas), *whole(message)]
    together = [*streamed(*deltas[:-1]), {"choices": [{"delta": deltas[-1], "message": message}]}]
    for documents in (apart, together):
        pieces = Pieces()
        chunks = [pieces.read(document) for document in documents]
        assert ("".join(chunk.text for chunk in chunks), "".join(chunk.reasoning for chunk in chunks)) == expected


@pytest.mark.parametrize("first", [{}, {"index": None}, {"index": 0}, {"index": "0"}])
@pytest.mark.parametrize("then", [{}, {"index": None}, {"index": 0}, {"index": "0"}])
def test_an_index_of_a_choice_may_be_written_in_any_way(first: dict[str, Any], then: dict[str, Any]) -> None:
    pieces = Pieces()
    choices = [{**first, "delta": {"content": "Hel"}}, {**then, "delta": {"content": "lo!"}}]
    assert "".join(pieces.read({"choices": [choice]}).text for choice in choices) == "Hello!"


def test_deltas_that_repeat_the_text_so_far_add_what_is_new() -> None:
    """In reasoning, in text and in the arguments of each call."""
    sayings = [
        *({"reasoning": text} for text in ("Let", "Let me", "Let me see")),
        *({"content": text} for text in ("I", "I add", "I add them", "I add them.")),
        *({"tool_calls": [call("f", text, index=0, id="a")]} for text in ('{"a"', '{"a": 1', '{"a": 1}')),
        *({"tool_calls": [call("g", text, index=1, id="b")]} for text in ('{"b"', '{"b": 2', '{"b": 2}')),
    ]
    for ending in ([{"choices": [{"delta": {}, "finish_reason": "stop"}]}], []):
        pieces = Pieces()
        reply = joined([*(pieces.read(document) for document in [*streamed(*sayings), *ending]), pieces.rest()])
        assert (reply.reasoning, reply.text) == ("Let me see", "I add them.")
        arguments = {0: "", 1: ""}
        for part in reply.tool_calls:
            arguments[part.index] += part.arguments
        assert arguments == {0: '{"a": 1}', 1: '{"b": 2}'}
        assert pieces.rest() == ModelChunk()


def test_one_of_several_choices_is_the_reply() -> None:
    pieces = Pieces()
    choices = [{"index": index, "delta": {"content": text}} for index, text in ((0, "a"), (1, "b"), (0, "c"))]
    assert "".join(pieces.read({"choices": [choice]}).text for choice in choices) == "ac"
    assert pieces.read({"choices": choices[1:]}).text == "c"


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_every_word_for_the_limit_means_length(reason: str) -> None:
    assert Pieces().read({"choices": [{"delta": {}, "finish_reason": reason}]}).finish_reason == "length"


@pytest.mark.parametrize("reason", ["content_filter", "sensitive", "SAFETY", "refusal", "content_filtered"])
def test_every_word_for_a_filter_means_one(reason: str) -> None:
    assert Pieces().read({"choices": [{"delta": {}, "finish_reason": reason}]}).finish_reason == "content_filter"


@pytest.mark.parametrize(
    "document",
    [{}, {"choices": None}, {"choices": {}}, {"choices": [None]}, {"choices": [{"delta": None}]}, {"usage": "many"},
     {"choices": [{"delta": "x", "message": []}]}, {"choices": [{"finish_reason": 3}], "usage": {"prompt_tokens": "5"}}],
)  # fmt: skip
def test_what_cannot_be_read_is_nothing(document: dict[str, Any]) -> None:
    pieces = Pieces()
    assert pieces.read(document) == type(pieces.read(document))()


_DELTAS = st.fixed_dictionaries(
    {},
    optional={
        "content": st.sampled_from(["", "a", "bc", None, 7, [{"text": "d"}]]),
        "role": st.sampled_from(["assistant", None]),
        "reasoning_content": st.sampled_from(["", "hm"]),
        "tool_calls": st.just([{"index": 0, "function": {"name": "f", "arguments": "{}"}}]),
    },
)
_CHOICES = st.fixed_dictionaries(
    {"delta": st.one_of(_DELTAS, _DELTAS, st.none(), st.just("x"))},
    optional={
        "index": st.sampled_from([0, 0, 1, None, "0", False, True, 0.0]),
        "finish_reason": st.sampled_from([None, None, "stop", "max_tokens", ""]),
        "message": st.sampled_from([None, {}, {"content": "abc", "refusal": "no"}]),
    },
)
_DOCUMENTS = st.fixed_dictionaries(
    {"choices": st.one_of(st.lists(_CHOICES, max_size=2), st.lists(_CHOICES, min_size=1, max_size=1), st.just([7]), st.none())},
    optional={"usage": st.sampled_from([None, {"prompt_tokens": 3, "completion_tokens": 1}, "x"])},
)


class _Long(Pieces):
    """Reads every document the long way."""

    def _text_alone(self, document: object) -> str:
        return ""


@given(st.lists(_DOCUMENTS, max_size=6))
def test_a_document_of_text_alone_is_read_as_any_other(documents: list[Any]) -> None:
    short, long = Pieces(), _Long()
    assert [short.read(document) for document in documents] == [long.read(document) for document in documents]
    assert (short.finish_reason, short.usage, short.streamed, short.lesson()) == (
        long.finish_reason,
        long.usage,
        long.streamed,
        long.lesson(),
    )


@given(st.lists(_DOCUMENTS, max_size=8), st.integers(1, 5))
def test_texts_that_wait_are_taken_as_they_would_be_read(documents: list[Any], room: int) -> None:
    whole = Pieces()
    read = [whole.read(document) for document in documents]
    together, waiting, found = Pieces(), deque(documents), []
    while waiting:
        chunk = together.read(waiting.popleft())
        found.append(replace(chunk, text=chunk.text + together.take_texts(waiting, room)))
    for name in ("text", "reasoning"):
        assert "".join(getattr(chunk, name) for chunk in found) == "".join(getattr(chunk, name) for chunk in read)
    assert [chunk.tool_calls for chunk in found if chunk.tool_calls] == [chunk.tool_calls for chunk in read if chunk.tool_calls]
    assert (together.finish_reason, together.usage, together.streamed) == (whole.finish_reason, whole.usage, whole.streamed)
