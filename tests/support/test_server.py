"""The scripted server does what its docstring teaches; the client here is the standard library's."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta


@contextlib.contextmanager
def asked(server: ScriptedServer, method: str, path: str, body: str = "") -> Iterator[http.client.HTTPResponse]:
    address = server.base_url.removeprefix("http://").removesuffix("/v1")
    with contextlib.closing(http.client.HTTPConnection(address)) as client:
        client.request(method, path, body, {"X-Mark": "a"})
        with client.getresponse() as response:
            yield response


def post(server: ScriptedServer, **body: Any) -> contextlib.AbstractContextManager[http.client.HTTPResponse]:
    return asked(server, "POST", "/v1/chat/completions", json.dumps(body))


def whole(server: ScriptedServer, **body: Any) -> Any:
    with post(server, **body) as response:
        return json.load(response)


def lines(server: ScriptedServer, **body: Any) -> Iterator[str]:
    with post(server, stream=True, **body) as response:
        yield from (line.decode().removeprefix("data: ").strip() for line in response if line.strip())


def test_replies_come_in_order_and_requests_are_kept() -> None:
    with ScriptedServer(["one", lambda body: f"you said {body['said']}"]) as server:
        answers = [whole(server, said=word)["choices"][0]["message"]["content"] for word in ("x", "y")]
        assert answers == ["one", "you said y"]
        assert [request.body["said"] for request in server.requests] == ["x", "y"]
        assert server.requests[0].headers["x-mark"] == "a"


def test_the_same_reply_streams_in_pieces_of_the_chosen_size() -> None:
    with ScriptedServer([Reply("中文字", chunk=1)]) as server:
        *chunks, done = lines(server, stream_options={"include_usage": True})
    pieces = [json.loads(chunk) for chunk in chunks]
    assert [piece["choices"][0]["delta"].get("content") for piece in pieces[:-1]] == ["", "中", "文", "字", None]
    assert pieces[-1]["usage"]["total_tokens"] == 10
    assert done == "[DONE]"


def test_calls_and_reasoning_stand_in_the_message() -> None:
    with ScriptedServer([Reply(None, calls=[("add", {"a": 1})], reasoning="hm")]) as server:
        choice = whole(server)["choices"][0]
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "add", "arguments": '{"a": 1}'}
    assert (choice["message"]["reasoning_content"], choice["finish_reason"]) == ("hm", "tool_calls")


@pytest.mark.parametrize(
    ("item", "status", "body"),
    [
        (Fail(429, "slow down"), 429, b"slow down"),
        (Fail(502, b"<html>bad gateway</html>"), 502, b"<html>bad gateway</html>"),
        (Raw(b'{"cut', status=200), 200, b'{"cut'),
        (lambda body: body["absent"], 418, b"KeyError('absent')"),
    ],
)
def test_errors_and_odd_bodies(item: Any, status: int, body: bytes) -> None:
    with ScriptedServer([item]) as server, post(server) as response:
        assert response.status == status
        assert body in response.read()


def test_a_request_beyond_the_script_is_told_so() -> None:
    with ScriptedServer([]) as server, post(server) as response:
        assert (response.status, b"request 1" in response.read()) == (418, True)


def test_a_gate_holds_the_stream_back_until_it_opens() -> None:
    gate = threading.Event()
    with ScriptedServer([Sse(delta("a"), gate, delta("b"))]) as server:
        stream = lines(server)
        assert '"a"' in next(stream)
        gate.set()
        assert '"b"' in next(stream)
        assert list(stream) == []


def test_a_reset_breaks_the_stream() -> None:
    with ScriptedServer([Sse(delta("a"), RESET)]) as server:
        stream = lines(server)
        next(stream)
        with pytest.raises((ConnectionError, http.client.IncompleteRead)):
            next(stream)


@pytest.mark.parametrize("stream", [Sse(delta("a"), rest=itertools.repeat(delta("b"))), Sse(delta("a"), threading.Event())])
def test_a_client_that_hangs_up_is_noticed(stream: Sse) -> None:
    with ScriptedServer([stream]) as server:
        client = lines(server)
        next(client)
        client.close()
        assert server.requests[0].closed_early.wait(10)


def test_the_listing_of_models_can_be_counted() -> None:
    with ScriptedServer(models=["a", "b"]) as server, asked(server, "GET", "/v1/models") as response:
        assert [row["id"] for row in json.load(response)["data"]] == ["a", "b"]
        assert server.listings == 1


def test_the_listing_of_models_can_fail() -> None:
    with ScriptedServer(models=Fail(401, "no")) as server, asked(server, "GET", "/v1/models") as response:
        assert response.status == 401
