"""Stop words that end a reply inside its reasoning are noticed, met in the same request, and remembered."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent import Agent
from react_agent.events import ModelChunk, ModelRequest
from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from react_agent.models.thinking import lesson_of_stops, said
from tests.models.asking import Ask, text_of
from tests.support.server import Reply, ScriptedServer

REQUEST = ModelRequest(({"role": "user", "content": "1 + 1?"},), stop=("\nThought:",))


def model_at(server: ScriptedServer, notes: Capabilities) -> OpenAIModel:
    return OpenAIModel("m", base_url=server.base_url, mode="text", capabilities=notes)


def reasoning_of(pieces: list[Any]) -> str:
    return "".join(piece.reasoning for piece in pieces if isinstance(piece, ModelChunk))


def half(number: int) -> float:
    """Half of a number."""
    return number / 2


def cuts(body: Json, *, inline: bool = False) -> Reply:
    """A server that looks for stop words in all that the model writes."""
    thought = "I should write\nThought: two.\n"
    shown = thought.split("\nThought:")[0] if "stop" in body else thought
    text = "" if "stop" in body else "Final Answer: 2"
    if inline:
        return Reply(f"<think>{shown}</think>{text}" if text else f"<think>{shown}")
    return Reply(text, reasoning=shown, finish="stop")


@pytest.mark.parametrize("inline", [False, True], ids=["reasoning_content", "think tags"])
def test_a_reply_that_a_stop_word_ended_in_its_reasoning_goes_on_in_the_same_request(ask: Ask, inline: bool) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda body: cuts(body, inline=inline)) as server:
        pieces = ask(model_at(server, notes), REQUEST)
        assert text_of(pieces).endswith("Final Answer: 2")
        assert (reasoning_of(pieces) + text_of(pieces)).count("I should write") == 1
        assert ["stop" in request.body for request in server.requests] == [True, False]
        assert notes.facts(server.base_url, "m").stop_spares_thinking is False
        ask(model_at(server, notes), REQUEST)
        assert ["stop" in request.body for request in server.requests] == [True, False, False]


def test_a_run_goes_on_without_a_correction() -> None:
    with ScriptedServer(cuts) as server:
        result = Agent(model_at(server, Capabilities()), [half]).run("1 + 1?")
    assert (result.answer, len(result.steps)) == ("2", 1)


def test_a_model_that_falls_silent_by_itself_is_asked_once_more_and_teaches_nothing(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda _: Reply("", reasoning="hm", finish="stop")) as server:
        assert text_of(ask(model_at(server, notes), REQUEST)) == ""
        assert len(server.requests) == 2
    assert notes.facts(server.base_url, "m").stop_spares_thinking is None


@pytest.mark.parametrize(
    "reply", [Reply("", reasoning="hm", finish="length"), Reply(calls=[("add", {})], reasoning="hm"), Reply("", finish="stop")]
)
def test_a_reply_that_ended_otherwise_is_not_asked_for_again(ask: Ask, reply: Reply) -> None:
    with ScriptedServer([reply]) as server:
        ask(model_at(server, Capabilities()), REQUEST)
        assert len(server.requests) == 1


def test_a_stop_word_that_stands_in_reasoning_has_spared_it(ask: Ask) -> None:
    notes = Capabilities()
    with ScriptedServer([Reply("2", reasoning="so\nThought: two")]) as server:
        ask(model_at(server, notes), REQUEST)
        assert notes.facts(server.base_url, "m").stop_spares_thinking is True


@pytest.mark.parametrize(
    ("reasoning", "content", "called", "thought_only"),
    [
        ("hm", "", False, True), ("hm", " \n", False, True), ("hm", "2", False, False), ("hm", "", True, False),
        ("", "", False, False), ("", "<think>hm", False, True), ("", "\n<think>hm</think>\n", False, True),
        ("", "<think>hm</think>2", False, False), ("", "2 <think>", False, False),
    ],
)  # fmt: skip
def test_what_is_reasoning_alone(reasoning: str, content: str, called: bool, thought_only: bool) -> None:
    reply = said(reasoning, content, called)
    assert reply.thought_only is thought_only
    assert lesson_of_stops({}, reply) == {}
