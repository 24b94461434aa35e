"""Refusals without a word of what is refused, and of calls without one.  Numbers are reported scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.events import ModelRequest
from react_agent.models.capability import Capabilities
from tests.models.asking import ADD, Ask, text_of
from tests.models.refusing import CALL, REQUEST, has, model_at, picky
from tests.support.server import Fail, ScriptedServer

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
