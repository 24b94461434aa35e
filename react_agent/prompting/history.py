"""The neutral history as wire messages, in text mode and in native mode.

In: a `Prompt` and the history, which only grows.  Out: OpenAI-shaped messages.  Rules kept in both modes: the content is never
null, two messages of one role never stand in a row, and the messages of step n are the beginning of those of step n+1.

Text mode: an assistant message is what the model wrote; the results of one step are one user message, as bounded data.  Native
calls made earlier in the run are written in the dialect, so a run can fall from native to text at any point.  Native mode:
calls with canonical JSON arguments, each result right behind them under its call's id.  Calls that came as text stay text,
with their results as user messages: a call never loses its result.  The reasoning that led to native calls stands beside them;
a model sends it only to a server that demands it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile

from react_agent.messages import Call, Json, Message, Result
from react_agent.parsing.dialects import render
from react_agent.schema import canonical
from react_agent.tools.results import NO_VALUE

from . import files
from .defang import defang
from .prompt import Prompt

_GAP = "\n\n"


class Wire:
    """Writes one history again and again as it grows: what was written stays so, as long as the history begins as before."""

    def __init__(self, prompt: Prompt, *, native: bool) -> None:
        self._prompt = prompt
        self._turns = _native_turns if native else _text_turns
        self._system = prompt.native_system if native else prompt.text_system
        self._shots = () if native else prompt.shots
        self._begin()

    def _begin(self) -> None:
        self._known: tuple[Message, ...] = ()
        self._native_ids: set[str] = set()
        self._written = _joined([], [{"role": "system", "content": self._system}])

    def messages(self, history: Sequence[Message]) -> tuple[Json, ...]:
        """The messages of a request that shows `history`; they are the caller's own."""
        shown = self._with_shots(history)
        if shown[: len(self._known)] != self._known:  # the view has moved
            self._begin()
        settled = _last_results(shown)
        self._written = _joined(self._written, self._turns(self._prompt, shown[len(self._known) : settled], self._native_ids))
        self._known = shown[:settled]
        wire = _joined(self._written, self._turns(self._prompt, shown[settled:], self._native_ids))
        return tuple([_copied(message) if "tool_calls" in message else message.copy() for message in wire])

    def _with_shots(self, history: Sequence[Message]) -> tuple[Message, ...]:
        """The examples stand behind the system text that the history begins with."""
        if not self._shots:
            return tuple(history)
        lead = tuple(takewhile(lambda message: message.role == "system", history))
        return (*lead, *self._shots, *history[len(lead) :])


def text_messages(prompt: Prompt, history: Sequence[Message]) -> tuple[Json, ...]:
    """Messages for a request without tools."""
    return Wire(prompt, native=False).messages(history)


def native_messages(prompt: Prompt, history: Sequence[Message]) -> tuple[Json, ...]:
    """Messages for a request with native tools."""
    return Wire(prompt, native=True).messages(history)


def _copied(message: Json) -> Json:
    """A copy of a message with calls, which are all in it that is nested."""
    return {**message, "tool_calls": [{**call, "function": {**call["function"]}} for call in message["tool_calls"]]}


def _last_results(history: Sequence[Message]) -> int:
    """Where the results begin at the end of a history: more of them would go into the same message."""
    at = len(history)
    while at and history[at - 1].role == "tool":
        at -= 1
    return at


@functools.lru_cache(maxsize=256)
def observation(results: tuple[Result, ...], lang: str) -> str:
    """What the tools of one step gave, as the model is told; remembered, as each request repeats it."""
    shown = [{"name": result.name, "status": _mark(result), "content": defang(result.content)} for result in results]
    return files.fill(lang, "observation", results=shown, nothing=files.fill(lang, "nothing"))


def _mark(result: Result) -> str:
    """The status, where a tool that looked for something and found nothing differs from one that returns nothing."""
    return "nothing" if result.status == "empty" and result.content != NO_VALUE else result.status


def _text_turns(prompt: Prompt, history: Sequence[Message], native_ids: set[str]) -> Iterator[Json]:
    for role, group in groupby(history, key=lambda message: message.role):
        if role == "tool":
            yield _observed(prompt, group)
            continue
        for message in group:
            content = _rewritten(prompt, message) if message.native and message.calls else message.content
            yield {"role": role, "content": content}


def _observed(prompt: Prompt, group: Iterable[Message]) -> Json:
    return {"role": "user", "content": observation(tuple(message.result for message in group if message.result), prompt.lang)}


def _rewritten(prompt: Prompt, message: Message) -> str:
    return render(prompt.dialect, thought=message.content.strip(), calls=message.calls, lang=prompt.lang)


def _native_turns(prompt: Prompt, history: Sequence[Message], native_ids: set[str]) -> Iterator[Json]:
    """`native_ids` has the native calls that were written before, and takes up those of `history`."""
    for is_tool, group in groupby(history, key=lambda message: message.role == "tool"):
        if is_tool:
            yield from _native_results(prompt, list(group), native_ids)
            continue
        for message in group:
            native_ids |= {call.id for call in message.calls if message.native}
            yield _native_message(prompt, message)


def _native_message(prompt: Prompt, message: Message) -> Json:
    wire: Json = {"role": message.role, "content": message.content}
    if message.native and message.calls:
        wire["tool_calls"] = [_native_call(prompt, call) for call in message.calls]
        if message.reasoning:
            wire["reasoning_content"] = message.reasoning
    return wire


def _native_call(prompt: Prompt, call: Call) -> Json:
    function = {"name": prompt.names.to_wire(call.name), "arguments": canonical(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _native_results(prompt: Prompt, group: Sequence[Message], native_ids: set[str]) -> Iterator[Json]:
    results = [message.result for message in group if message.result]
    for result in results:
        if result.call_id in native_ids:
            yield {"role": "tool", "tool_call_id": result.call_id, "content": _native_content(result, prompt.lang)}
    as_text = tuple(result for result in results if result.call_id not in native_ids)
    if as_text:
        yield {"role": "user", "content": observation(as_text, prompt.lang)}


def _native_content(result: Result, lang: str) -> str:
    hint = f" ({files.fill(lang, 'nothing')})" if _mark(result) == "nothing" else ""
    return defang(result.content) + hint


def _joined(wire: Sequence[Json], more: Iterable[Json]) -> list[Json]:
    """`wire` with `more` behind it: without empty messages, and neighbours of one role as one; tool messages stay single, each
    has its id."""
    joined = list(wire)
    for message in more:
        if not message["content"].strip() and message["role"] != "tool" and "tool_calls" not in message:
            continue
        if joined and _joinable(joined[-1], message):
            joined[-1] = {"role": message["role"], "content": joined[-1]["content"] + _GAP + message["content"]}
        else:
            joined.append(message)
    return joined


def _joinable(before: Json, after: Json) -> bool:
    return before["role"] == after["role"] != "tool" and "tool_calls" not in before and "tool_calls" not in after
