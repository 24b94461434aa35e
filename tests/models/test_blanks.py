"""White space without end is cut, and nothing else is."""

from __future__ import annotations

import itertools

import pytest

from react_agent import Agent
from react_agent.events import ModelChunk, ModelPiece, ToolCallDelta
from react_agent.messages import Outcome
from react_agent.models.blanks import LIMIT, Blanks
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import Ask, text_of
from tests.support.server import Json, Reply, ScriptedServer, Sse, delta


def model_at(server: ScriptedServer) -> OpenAIModel:
    return OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities())


def last(pieces: list[ModelPiece]) -> ModelPiece:
    return pieces[-1]


@pytest.mark.parametrize("blank", ["\n", " ", "\n\n\t", "\u3000"])
@pytest.mark.parametrize("before", ["", "The beach is wide."])
def test_a_flood_of_blanks_is_cut_and_the_connection_closed(ask: Ask, blank: str, before: str) -> None:
    with ScriptedServer([Sse(delta(before), rest=itertools.repeat(delta(blank)))]) as server:
        pieces = ask(model_at(server))
        assert last(pieces) == ModelChunk(finish_reason="stopped", last=True)
        assert text_of(pieces).strip() == before
        assert len(text_of(pieces)) <= len(before) + LIMIT + len(blank)
        assert server.requests[0].closed_early.wait(10)


def test_a_flood_inside_the_arguments_of_a_call_is_cut_and_the_call_is_not_run() -> None:
    ran = []

    def add(a: int, b: int) -> int:
        """Add two numbers."""
        ran.append((a, b))
        return a + b

    def call(text: str) -> Json:
        return delta(calls=[{"index": 0, "id": "x", "function": {"name": "add", "arguments": text}}])

    flood = Sse(call('{"a": 1,'), rest=itertools.repeat(call("\n ")))
    with ScriptedServer([flood, Reply(calls=[("add", {"a": 1, "b": 2})]), "3"]) as server:
        result = Agent(model_at(server), [add], mode="native").run("1 + 2?")
        assert (result.answer, result.outcome, ran) == ("3", Outcome.COMPLETED, [(1, 2)])
        assert result.steps[0].rejected[0].reason == "cut"
        assert server.requests[0].closed_early.wait(10)


def test_a_reply_of_blanks_alone_is_an_empty_one() -> None:
    with ScriptedServer([Sse(rest=itertools.repeat(delta("\n\n"))), "Hello."]) as server:
        result = Agent(model_at(server)).run("hello")
    assert result.answer == "Hello."


@pytest.mark.parametrize(
    "texts",
    [[" " * LIMIT, "x", " " * LIMIT], ["a\n" * LIMIT], ["x" + " " * LIMIT, "y"], ["\n" * (LIMIT // 2)] * 2, [""] * 9999],
)  # fmt: skip
def test_code_and_tables_are_not_cut(texts: list[str]) -> None:
    blanks = Blanks()
    assert not any(blanks.flooded(ModelChunk(text)) for text in texts)


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_any_cut_of_a_flood_is_noticed_at_the_same_place(size: int) -> None:
    flood = "x" + "\n" * (LIMIT + 1)
    blanks = Blanks()
    seen = [blanks.flooded(ModelChunk(flood[at : at + size])) for at in range(0, len(flood), size)]
    assert seen == [False] * (len(seen) - 1) + [True]


def test_the_arguments_of_calls_count_together_with_the_text() -> None:
    blanks = Blanks()
    assert not blanks.flooded(ModelChunk(" " * LIMIT))
    assert blanks.flooded(ModelChunk(tool_calls=(ToolCallDelta(0, arguments="\n"),)))
