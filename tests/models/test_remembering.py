"""What refusals teach: for whom, how long, and how much room there is.  Numbers are reported scenarios."""

from __future__ import annotations

from react_agent.events import ModelRequest
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import Ask, failure_of, text_of
from tests.models.refusing import MESSAGES, REQUEST, model_at, picky, unanswered
from tests.support.server import Fail, Reply, ScriptedServer


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
