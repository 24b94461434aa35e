"""Bytes to documents: any cut of an answer gives the same, and nothing is trusted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.models.documents import Documents
from react_agent.models.faults import Fault, words_of
from react_agent.models.pieces import Pieces

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["choices", "delta", "message", "content", "tool_calls", "function", "index", "id", "name", "arguments",
                         "usage", "finish_reason", "error", "detail", "loc"]), inner, max_size=4,
    ),
    max_leaves=15,
)  # fmt: skip


def read(answer: bytes, size: int = 1_000_000, limit: int = 1000) -> tuple[list[Any], bool]:
    """The documents, and whether the answer said that it is done."""
    reader = Documents(limit)
    found: list[Any] = []
    for start in range(0, len(answer), size):
        found += reader.feed(answer[start : start + size])
    return [*found, *reader.end()], reader.done


CHUNKS = [{"choices": [1]}, {"choices": [2]}]

STREAMS = {
    "as the standard says": (
        b'data: {"a": 1}\n\ndata: {"b": "\xe4\xb8\xad"}\n\ndata: [DONE]\n\n',
        [{"a": 1}, {"b": "中"}],
        True,
    ),
    "CRLF": (b'data: {"a": 1}\r\n\r\ndata: [DONE]\r\n\r\n', [{"a": 1}], True),
    "CR": (b'data: {"a": 1}\r\rdata: {"b": 2}\r\r', [{"a": 1}, {"b": 2}], False),
    "no blank after the colon": (b'data:{"a": 1}\n\ndata:[DONE]\n\n', [{"a": 1}], True),
    "no empty lines between": (b'data: {"a": 1}\ndata: {"b": 2}\ndata: [DONE]\n', [{"a": 1}, {"b": 2}], True),
    "no line end at the end": (b'data: {"a": 1}\n\ndata: {"b": 2}', [{"a": 1}, {"b": 2}], False),
    "comments and other fields": (b': ping\n\nevent: x\nid: 7\nretry: 10\ndata: {"a": 1}\n\nodd\n\n', [{"a": 1}], False),
    "white space and a mark first": (b'\xef\xbb\xbf\n\n  \ndata: {"a": 1}\n\n', [{"a": 1}], False),
    "empty data": (b'data:\n\ndata: \n\ndata: {"a": 1}\n\n', [{"a": 1}], False),
    "one document in two lines": (b'data: {"a":\ndata: 1}\n\ndata: {"b": 2}\n\n', [{"a": 1}, {"b": 2}], False),
    "a line separator inside a string": ('data: {"a": "\u2028\u0085"}\n\n'.encode(), [{"a": "\u2028\u0085"}], False),
    "nothing after done counts": (b'data: [DONE]\n\ndata: {"a": 1}\n\n', [], True),
    "a broken character": (b'data: {"a": "\xff"}\n\n', [{"a": "\ufffd"}], False),
    "not JSON": (b'data: {"a\n\ndata: {"b": 2}\n\n', [Fault("malformed", words='{"a'), {"b": 2}], False),
    "not an object": (b"data: [1]\n\n", [Fault("malformed", words="[1]")], False),
    "data that are none, before and between": (
        b'data: ping\n\ndata: null\ndata: {"a": 1}\ndata: ping\ndata: [1]\n\ndata: "x"\n\ndata: {"b":\ndata: 2}\n\n',
        [{"a": 1}, {"b": 2}],
        False,
    ),
    "data that are none, alone": (b"data: null\n\ndata: ping\n\n", [Fault("malformed", words="null")], False),
    "data that are none, then done": (b"data: ping\n\ndata: [DONE]\n\n", [Fault("malformed", words="ping")], True),
    "a damaged document between": (
        b'data: {"a": 1}\n\ndata: {"b\n\ndata: {"c": 3}\n\n',
        [{"a": 1}, Fault("malformed", words='{"b'), {"c": 3}],
        False,
    ),
    "an error": (b'data: {"error": {"message": "m"}}\n\n', [Fault("reported", words="m")], False),
    "an error of older llama.cpp": (b'error: {"message": "m"}\n\n', [Fault("reported", words="m")], False),
    "nothing": (b"", [], False),
    "only comments": (b": ping\n\n", [], False),
    "one body": (b'{\n "choices": [],\n "a": 1\n}', [{"choices": [], "a": 1}], False),
    "one body and a line end": (b'{"choices": [{"message": {}}]}\n', [{"choices": [{"message": {}}]}], False),
    "lines without a field": (b'{"choices": [1]}\n{"choices": [2]}\r\n\n{"a": 3}\n', [*CHUNKS, {"a": 3}], False),
    "such lines without an end": (b'{"choices": [1]}\n{"choices": [2]}', CHUNKS, False),
    "such lines and done": (b'{"choices": [1]}\n{"choices": [2]}\n[DONE]\n{"a": 3}\n', CHUNKS, True),
    "such lines and done as an event": (b'{"choices": [1]}\n{"choices": [2]}\ndata: [DONE]\n\n', CHUNKS, True),
    "a damaged line among such": (
        b'{"choices": [1]}\n{"choices\n{"choices": [2]}\n',
        [CHUNKS[0], Fault("malformed", words='{"choices'), CHUNKS[1]],
        False,
    ),
    "an error among such lines": (
        b'{"choices": [1]}\n{"error": {"message": "m"}}\n',
        [CHUNKS[0], Fault("reported", words="m")],
        False,
    ),
    "lines without a field among events": (
        b': ping\n{"choices": [1]}\ndata: {"choices": [2]}\n\n{"error": "m"}\n{"odd": 1}\n{"o\n',
        [*CHUNKS, Fault("reported", words="m")],
        False,
    ),
    "lines that are no completion": (b'{"a": 1}\n{"b": 1}\n', [Fault("malformed", words='{"a": 1}'), {"b": 1}], False),
    "a body that is no completion": (b'{"a": 1}', [Fault("malformed", words='{"a": 1}')], False),
    "a body that is an error": (b'{"error": "m"}', [Fault("reported", words="m")], False),
    "a page": (b"<html><title>Hello</title></html>", [Fault("malformed", words="an HTML page: Hello")], False),
    "a short body": (b"no", [Fault("malformed", words="no")], False),
    "deep nesting": (b"data: " + b"[" * 100_000 + b"\n\n", [Fault("malformed", words="[" * 300)], False),
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("size", [1, 2, 7, 1_000_000])
def test_any_cut_gives_the_same(name: str, size: int) -> None:
    answer, documents, done = STREAMS[name]
    assert read(answer, size, limit=20_000) == (documents, done)


@pytest.mark.parametrize("answer", [b"data: " + b"x" * 200_000, b'{"choices": "' + b"x" * 200_000, b"<html>" + b"x" * 200_000])
def test_a_line_without_end_is_not_kept(answer: bytes) -> None:
    reader = Documents(limit=1000)
    faults = [fault for start in range(0, len(answer), 1000) for fault in reader.feed(answer[start : start + 1000])]
    assert isinstance(faults[0], Fault)
    assert "without an end" in faults[0].words


@pytest.mark.parametrize(
    "flood", [b": ping\n\n", b"\n", b"\xef\xbb\xbf", b"event: x\n", b"data: [\n", b"data: {\n", b"data:\n"]
)
def test_bytes_without_a_document_have_an_end(flood: bytes) -> None:
    reader = Documents(limit=1000)
    block = flood * (65_536 // len(flood))
    faults = (fault for _ in range(40) for fault in reader.feed(block))
    assert "without an end" in next(fault.words for fault in faults if isinstance(fault, Fault))


@pytest.mark.parametrize("line", [b": " + b"x" * 2_000_000 + b"\n\n", b"data: ping\n\n" * 200_000])
def test_what_is_left_out_may_be_as_long_as_a_document(line: bytes) -> None:
    assert read(line + b'data: {"a": 1}\n\n', 65_536, limit=1_000_000) == ([{"a": 1}], False)


def test_a_document_now_and_then_lets_a_stream_go_on() -> None:
    reader = Documents(limit=1000)
    block = b": ping\n\n" * 20_000 + b'data: {"choices": []}\n\n'
    assert [item for _ in range(20) for item in reader.feed(block)] == [{"choices": []}] * 20


@given(st.binary(max_size=200), st.integers(1, 50))
def test_any_bytes_give_documents_or_faults(answer: bytes, size: int) -> None:
    whole, done = read(answer)
    assert all(isinstance(document, (dict, Fault)) for document in whole)
    assert read(answer, size) == (whole, done)


@given(st.lists(JSON, max_size=4))
def test_any_documents_give_chunks(documents: list[Any]) -> None:
    pieces = Pieces()
    answer = b"".join(b"data: %b\n\n" % json.dumps(document).encode() for document in documents)
    for document in read(answer)[0]:
        if isinstance(document, dict):
            chunk = pieces.read(document)
            assert type(chunk).from_dict(chunk.to_dict()) == chunk


@given(JSON)
def test_any_error_body_gives_one_short_line(body: Any) -> None:
    words = words_of(body)
    assert len(words) <= 300
    assert words == " ".join(words.split())
