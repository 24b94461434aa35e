"""Servers that refuse tools, or to stream beside them.  Numbers are reported scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.events import ModelRequest
from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from tests.models.asking import ADD, Ask, failure_of, text_of
from tests.models.refusing import MESSAGES, REQUEST, has, model_at, picky, role
from tests.support.server import Fail, ScriptedServer


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
