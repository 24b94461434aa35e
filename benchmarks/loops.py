"""Ways to run a task, from a bare loop to the whole engine, for `ablation`.

Each way is a function of a task's prompt, its tools and where the model is.  All share prompt and parser, so what differs is
what happens between the replies:

    bare      run the call, show the result; what is no call is the answer; what fails ends the run
    errors    the same, but what fails is shown to the model
    guards    the engine, which shows all of a history
    memory    the engine with a limit for the tokens of a request
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import openai

from react_agent import Agent, OpenAIModel, Tool, parse
from react_agent.driving.ports import ModeChoice
from react_agent.engine import Settings
from react_agent.messages import Call, Message, Parsed, Result
from react_agent.models.capability import Capabilities
from react_agent.prompting import Prompt, language, text_messages
from react_agent.tools import RunContext


@dataclass(frozen=True)
class Place:
    """A model, and the limits of a run: replies with calls, tokens of a reply, tokens of a request for `memory`."""

    base_url: str
    model: str = "scripted"
    max_steps: int = 12
    max_tokens: int = 512
    context_tokens: int = 2_400
    max_seconds: float = 300.0


@dataclass(frozen=True)
class Report:
    """What came of a run; tokens as the server counted them, 0 where it does not count."""

    answer: str
    requests: int = 0
    tokens: int = 0
    how: str = ""


Way = Callable[[str, Sequence[Tool], Place], Report]


def bare(task: str, tools: Sequence[Tool], place: Place) -> Report:
    return _looped(task, tools, place, forgiving=False)


def errors(task: str, tools: Sequence[Tool], place: Place) -> Report:
    return _looped(task, tools, place, forgiving=True)


def guards(task: str, tools: Sequence[Tool], place: Place) -> Report:
    return _engine(task, tools, place, None)


def native(task: str, tools: Sequence[Tool], place: Place) -> Report:
    """The same with native calls."""
    return _engine(task, tools, place, None, "native")


def memory(task: str, tools: Sequence[Tool], place: Place) -> Report:
    return _engine(task, tools, place, place.context_tokens)


WAYS: dict[str, Way] = {"bare loop": bare, "+ errors as observations": errors, "+ guards": guards, "+ memory": memory}


def _engine(task: str, tools: Sequence[Tool], place: Place, context_tokens: int | None, mode: ModeChoice = "text") -> Report:
    model = OpenAIModel(place.model, base_url=place.base_url, mode=mode, capabilities=Capabilities())
    agent = Agent(
        model,
        tools,
        max_steps=place.max_steps,
        max_tokens=place.max_tokens,
        max_seconds=place.max_seconds,
        context_tokens=context_tokens,
    )
    result = agent.run(task)
    return Report(result.answer or "", result.usage.requests, result.usage.total_tokens, str(result.outcome))


def _looped(task: str, tools: Sequence[Tool], place: Place, *, forgiving: bool) -> Report:
    client = openai.OpenAI(base_url=place.base_url, api_key="none", max_retries=0, timeout=place.max_seconds)
    prompt = Prompt(tuple(tool.spec for tool in tools), language(task), Settings().dialect)
    history, tokens = [Message("user", task)], 0
    for number in range(1, place.max_steps + 1):
        said: Any = text_messages(prompt, history)
        try:
            reply = client.chat.completions.create(model=place.model, messages=said, temperature=0, max_tokens=place.max_tokens)
        except openai.OpenAIError as error:
            return Report("", number, tokens, type(error).__name__)
        text = reply.choices[0].message.content or ""
        tokens += reply.usage.total_tokens if reply.usage else 0
        parsed = parse(text, prompt.specs)
        if not parsed.calls and not (forgiving and parsed.rejected):
            return Report(parsed.answer or text, number, tokens, "answered")
        history.append(Message("assistant", text))
        try:
            history += _observed(parsed, tools, forgiving)
        except Exception as error:
            return Report("", number, tokens, type(error).__name__)
    return Report(text, place.max_steps, tokens, "step limit")


def _observed(parsed: Parsed, tools: Sequence[Tool], forgiving: bool) -> Iterable[Message]:
    if not parsed.calls:
        wrong = parsed.rejected[0]
        known = ", ".join(tool.name for tool in tools)
        problems = "; ".join(wrong.problems) or f"{wrong.reason} {wrong.name}; the tools are {known}"
        return [Message("user", f"Error: {problems}")]
    return [_result(parsed.calls[0], tools, forgiving)]


def _result(call: Call, tools: Sequence[Tool], forgiving: bool) -> Message:
    function = next(tool for tool in tools if tool.name == call.name)
    try:
        return Message("tool", result=Result("call", call.name, str(function.call(call.arguments, RunContext()))))
    except Exception as error:
        if not forgiving:
            raise
        return Message("tool", result=Result("call", call.name, f"Error: {type(error).__name__}: {error}", "error"))
