"""Whether a server goes on with a last message of the assistant is tried once, and remembered."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.support.server import RESET, Fail, ScriptedServer, Sse

WORDS = "Assistant response prefill is incompatible with enable_thinking."


@pytest.mark.parametrize(
    ("reply", "continues"),
    [
        ("day, Wednesday", True), ("Monday, Tuesday, Wednesday", True), ("Tuesday, Wednesday", False), ("", False),
        ("Sure! Monday", False), (Fail(400, WORDS), False), (Fail(500, "Cannot continue"), False),
    ],
)  # fmt: skip
def test_what_a_reply_tells(reply: Any, continues: bool) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda _: reply) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=notes)
        assert model.continues() is continues
        assert server.requests[0].body["messages"][-1] == {"role": "assistant", "content": "Monday, Tues"}
        assert notes.facts(server.base_url, "m").known() == {"assistant_prefix": continues}
        asked = len(server.requests)
        assert model.continues() is continues
        assert len(server.requests) == asked


@pytest.mark.parametrize("reply", [Fail(503, "busy"), Fail(401, "no key"), Sse(RESET)])
def test_a_server_without_an_answer_tells_nothing(reply: Any) -> None:
    with ScriptedServer([reply, "day"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities())
        assert model.continues() is None
        assert model.continues() is True


def test_a_model_without_a_name_is_not_tried() -> None:
    with ScriptedServer() as server:
        assert OpenAIModel(base_url=server.base_url, capabilities=Capabilities()).continues() is None


@pytest.mark.parametrize(
    ("server", "fields", "more"),
    [("vllm", {}, {"continue_final_message": True, "add_generation_prompt": False}), ("moonshot", {"partial": True}, {})],
)
def test_the_fields_of_the_server_are_sent(server: str, fields: Json, more: Json) -> None:
    notes = Capabilities()
    with ScriptedServer(["day"]) as scripted:
        notes.learn(scripted.base_url, "m", server=server)
        assert OpenAIModel("m", base_url=scripted.base_url, capabilities=notes).continues() is True
        body = scripted.requests[0].body
    assert body["messages"][-1] == {"role": "assistant", "content": "Monday, Tues", **fields}
    assert {name: body.get(name) for name in more} == more
