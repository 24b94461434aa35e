"""Plays a run: a scripted model, plain functions as tools, the real engine and driver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from react_agent.driving.ports import ModeChoice
from react_agent.driving.sync import drive
from react_agent.engine import Settings, State, Traits, run
from react_agent.events import (
    CallTools,
    Corrected,
    Event,
    GuardTripped,
    ModeChanged,
    ModelChunk,
    ModelRequest,
    RunFinished,
    ToolCallDelta,
)
from react_agent.messages import Call, Json, Message, Mode, Result, RunResult, ToolSpec
from react_agent.models.scripted import Reply, ScriptedModel
from react_agent.prompting import Prompt, language
from react_agent.tools.results import render
from tests.driving.playing import noted


@dataclass
class Stage:
    """The tools of a play: what they do, and what was done with them."""

    functions: dict[str, Callable[..., Any]]
    specs: tuple[ToolSpec, ...]
    ran: list[tuple[str, Json]] = field(default_factory=list)

    def run(self, request: CallTools) -> tuple[Result, ...]:
        return tuple(self._one(call) for call in request.calls)

    def _one(self, call: Call) -> Result:
        self.ran.append((call.name, call.arguments))
        try:
            given = render(self.functions[call.name](**call.arguments), 100_000)
        except Exception as error:
            return Result(call.id, call.name, f"{type(error).__name__}: {error}", "error")
        return Result(call.id, call.name, given.content, given.status)


@dataclass
class Play:
    """What came of it."""

    result: RunResult
    events: list[Event]
    requests: list[ModelRequest]
    ran: list[tuple[str, Json]]
    learned: dict[Mode, bool]

    def said(self, request: int) -> str:
        """All that the model was told in a request (from 1), system text aside."""
        return "\n".join(
            str(message["content"]) for message in self.requests[request - 1].messages if message["role"] != "system"
        )

    @property
    def corrections(self) -> list[Corrected]:
        return [event for event in self.events if isinstance(event, Corrected)]

    @property
    def guards(self) -> list[str]:
        return [event.guard for event in self.events if isinstance(event, GuardTripped)]

    @property
    def modes(self) -> list[ModeChanged]:
        return [event for event in self.events if isinstance(event, ModeChanged)]


def tool(name: str, function: Callable[..., Any], *, required: Sequence[str] | None = None, **properties: Json) -> Any:
    """A tool for `play`: its schema and what it does."""
    wanted = list(properties) if required is None else list(required)
    return ToolSpec(name, "", {"type": "object", "properties": properties, "required": wanted}), function


INT: Json = {"type": "integer"}
TEXT: Json = {"type": "string"}


def add(a: int, b: int) -> int:
    return a + b


ADD = tool("add", add, a=INT, b=INT)


def play(
    replies: Iterable[Reply],
    *tools: Any,
    task: str = "What is 2 plus 40?",
    mode: ModeChoice = "text",
    traits: Traits = Traits(),  # noqa: B008 - it is frozen
    chunk: int | None = None,
    history: Sequence[Message] = (),
    aloud: bool = True,
    **settings: Any,
) -> Play:
    """Run `task` to its end; unused replies and a model asked too often are errors of the test."""
    model = ScriptedModel(replies, mode=mode, chunk=chunk)
    stage = Stage({spec.name: function for spec, function in tools}, tuple(spec for spec, _ in tools))
    chosen = Settings(**settings)
    prompt = Prompt(stage.specs, language(task), chosen.dialect, chosen.instructions, chosen.few_shot)
    begun = "native" if mode == "auto" else mode
    state = State(task, prompt, chosen, begun, mode == "auto", traits, list(history), aloud=aloud)
    events = list(drive(run(state), model, lambda request, note: noted(stage.run(request), note)))
    last = events[-1]
    assert isinstance(last, RunFinished)
    return Play(last.result, events, model.requests, stage.ran, model.learned)


def native(
    *calls: tuple[str, str] | tuple[str, str, str], text: str = "", finish: str = "tool_calls", reasoning: str = ""
) -> ModelChunk:
    """A reply of the native API in one piece; each call is (name, arguments[, id])."""
    deltas = tuple(
        ToolCallDelta(index, call[2] if len(call) > 2 else f"id_{index}", call[0], call[1]) for index, call in enumerate(calls)
    )
    return ModelChunk(text, reasoning, deltas, finish, last=True)


def action(name: str, **arguments: Any) -> str:
    """A call in the house dialect."""
    body = json.dumps({"type": "tool_call", "name": name, "args": arguments}, ensure_ascii=False)
    return f"Thought: I call {name}.\nAction: {body}"


def answer(text: str) -> str:
    """A final answer in the house dialect."""
    return f"Thought: done.\nAction: {json.dumps({'type': 'final_answer', 'content': text}, ensure_ascii=False)}"
