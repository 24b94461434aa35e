"""What can this endpoint do?  Asked of the endpoint itself, with three small requests.

In: a model.  Out: findings, each with a name, a verdict and one sentence.  This never raises for what a server does: the
verdict is False and the sentence says what happened.  Verdict None means that it does not matter or cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.agent import Agent
from react_agent.driving.ports import Model
from react_agent.events import ModelChunk, ModelFailure, ModelPiece, ModelRequest
from react_agent.messages import Json, Value
from react_agent.models.openai import OpenAIModel
from react_agent.parsing import parse
from react_agent.tools.builtin import calculator

QUESTION = "Use the calculator: what is 127 * 49?"
ANSWER = "6223"


@dataclass(frozen=True, slots=True)
class Finding(Value):
    """One thing that was looked at."""

    name: str
    works: bool | None
    detail: str = ""


def findings(model: Model) -> Iterator[Finding]:
    """The findings, as they come; ends early when the endpoint does not answer at all."""
    pieces = ask(model, "Say hello in five words.")
    failure = failure_in(pieces)
    yield Finding("reachable", failure is None, failure.message if failure else f"model {model.name}")
    if failure is None:
        yield from offered(model)
        yield streaming(pieces)
        yield from native(model)
        yield task(model)


def offered(model: Model) -> Iterator[Finding]:
    """Which models a server lists; a model on this machine is its own list."""
    if isinstance(model, OpenAIModel):
        names = model.offered()
        yield Finding("models", None, ", ".join(names) or "the server lists none")


def ask(model: Model, text: str, tools: tuple[Json, ...] = ()) -> list[ModelPiece]:
    """All pieces of one short reply."""
    return list(model.stream(ModelRequest(({"role": "user", "content": text},), tools=tools, max_tokens=200)))


def failure_in(pieces: list[ModelPiece]) -> ModelFailure | None:
    return next((piece for piece in pieces if isinstance(piece, ModelFailure)), None)


def streaming(pieces: list[ModelPiece]) -> Finding:
    spoken = sum(isinstance(piece, ModelChunk) and bool(piece.text or piece.reasoning) for piece in pieces)
    return Finding("streaming", spoken > 1, f"the reply came in {spoken} pieces")


def native(model: Model) -> Iterator[Finding]:
    """Native function calling, and whether calls leak into the text instead."""
    function = {"name": calculator.name, "description": calculator.description, "parameters": calculator.parameters}
    pieces = ask(model, QUESTION, tools=({"type": "function", "function": function},))
    chunks = [piece for piece in pieces if isinstance(piece, ModelChunk)]
    called = any(chunk.tool_calls for chunk in chunks)
    leaked = parse("".join(chunk.text for chunk in chunks), [calculator]).calls
    if failure := failure_in(pieces):
        yield Finding("native tools", False, failure.message)
        return
    yield Finding("native tools", called, "the server returned a native call" if called else "no native call was returned")
    if leaked:
        yield Finding("leaked call", None, f"a call came as text ({leaked[0].dialect}); auto mode reads and uses it")


def task(model: Model) -> Finding:
    """One whole tool task."""
    result = Agent(model, tools=[calculator]).run(QUESTION)
    called = any(step.calls for step in result.steps)
    right = result.ok and ANSWER in (result.answer or "").replace(",", "")
    said = result.error or (result.answer or "no answer").strip()
    how = "a tool was called" if called else "no tool was called"
    detail = f"{QUESTION} → {said} ({result.outcome}, {len(result.steps)} steps, {result.mode} mode, {how})"
    return Finding("tool task", right and called, detail)
