"""What needs nothing is passed on as it is."""

from __future__ import annotations

import http.client
import json
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest

from react_agent.serving import Upstream
from tests.support.server import RESET, Fail, Raw, ScriptedServer, Sse, delta

from .proxying import ask, client, proxy


def post(url: str, body: bytes, path: str = "/chat/completions", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers, as they come over the socket."""
    place = urlsplit(url)
    with closing(http.client.HTTPConnection(place.netloc, timeout=30)) as connection:
        connection.request("POST", place.path + path, body, headers)
        with connection.getresponse() as response:
            return response.status, response.read(), {name.lower(): value for name, value in response.getheaders()}


def body(**more: Any) -> bytes:
    return json.dumps({"model": "m", "messages": ask(), **more}).encode()


def test_a_request_without_tools_is_passed_on_byte_for_byte() -> None:
    answer = b'{ "odd":   "spacing", "choices":[] }'
    with ScriptedServer([Raw(answer)]) as upstream, proxy(upstream.base_url) as url:
        status, came, headers = post(url, body(unknown={"a": 1}))
        assert (status, came) == (200, answer)
        assert headers["x-react-agent-mode"] == "pass-through"
        assert upstream.requests[0].body == json.loads(body(unknown={"a": 1}))


def test_a_stream_without_tools_is_passed_on_byte_for_byte() -> None:
    parts = [b": remark\n\n", b"data: {}\n\n", b"event: x\ndata: [DONE]\n\n"]
    with ScriptedServer([Sse(*parts)]) as upstream, proxy(upstream.base_url) as url:
        _, came, headers = post(url, body(stream=True))
        assert came == b"".join(parts)
        assert headers["content-type"].startswith("text/event-stream")


def test_a_refusal_of_the_upstream_is_passed_on() -> None:
    with ScriptedServer([Fail(429, {"error": {"message": "slow"}}, {"retry-after": "7"})]) as upstream:
        with proxy(upstream.base_url) as url:
            status, came, headers = post(url, body())
        assert (status, json.loads(came), headers["retry-after"]) == (429, {"error": {"message": "slow"}}, "7")


def test_a_stream_that_breaks_off_ends_in_an_error() -> None:
    with ScriptedServer([Sse(delta("Hel"), RESET)]) as upstream, proxy(upstream.base_url) as url, client(url) as openai_client:
        stream = openai_client.chat.completions.create(model="m", messages=ask(), stream=True)
        with pytest.raises(openai.APIError, match="broke off"):
            list(stream)


def test_completions_and_embeddings_are_passed_on() -> None:
    pages = {"POST /v1/embeddings": {"data": [1]}, "POST /v1/completions": {"choices": [2]}}
    with ScriptedServer(pages=pages) as upstream, proxy(upstream.base_url) as url:
        assert json.loads(post(url, body(input="x"), "/embeddings")[1]) == {"data": [1]}
        assert json.loads(post(url, body(prompt="x"), "/completions")[1]) == {"choices": [2]}


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"messages": []}', b"[" * 100_000, b'{"model": 7, "messages": [1]}'])
def test_what_is_no_request_is_refused(raw: bytes) -> None:
    with ScriptedServer() as upstream, proxy(upstream.base_url) as url:
        status, came, _ = post(url, raw)
        assert status == 400
        assert json.loads(came)["error"]["message"]


def test_the_key_of_the_upstream_is_not_in_an_error_that_quotes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPSTREAM_KEY", "sk-upstream-0123")
    with ScriptedServer([Fail(401, {"error": {"message": "bad key sk-upstream-0123"}})]) as upstream:
        with proxy(Upstream(upstream.base_url, key_env="UPSTREAM_KEY")) as url:
            status, came, _ = post(url, body())
        assert (status, json.loads(came)) == (401, {"error": {"message": "bad key ***"}})
