"""What of the history goes into a request, so that it fits, and what a request cost.

In: the state.  Out: wire messages, or a failure when not even the task and the last round fit.  The room is `context_tokens` of
the settings, or what the server named when a request was too long; until then there is no limit.
"""

from __future__ import annotations

import json
from dataclasses import replace

from react_agent.events import Flow, HistoryShortened, ModelFailure
from react_agent.memory import Count
from react_agent.memory.counting import cost
from react_agent.messages import Json, Mode, Usage
from react_agent.prompting import Prompt, truncated

from .measuring import measure
from .reply import Reply
from .state import State
from .summarising import summarise

REPLY = 1024
"""Tokens kept free for a reply, where the settings name no limit; never more than a quarter of the room."""
TOO_LONG = ModelFailure(
    "context_overflow", "The task does not fit into the model's context: shorten it, or load the model with a longer context."
)


def messages(state: State) -> Flow[tuple[Json, ...] | ModelFailure]:
    """The wire messages of the next request."""
    memory = state.memory
    yield from measure(state)
    if not memory.fits(state.history, state.task_at, _fixed(state), _reply(state)):
        return TOO_LONG
    if memory.moves != state.moves:
        state.moves = memory.moves
        yield from summarise(state)
        yield HistoryShortened(memory.left_out, memory.summary)
    shown = memory.shown(state.history, truncated(state.prompt.lang, memory.left_out, memory.summary))
    return state.wire.messages(shown)


def shrunk(state: State, failure: ModelFailure) -> bool:
    """Whether a request that was too long can be tried again, shorter; once in a turn.

    What the server counted for it says by how much the guesses are too low; of a request that was guessed to fit, it counted at
    least what it takes.
    """
    if state.shrunk:
        return False
    state.shrunk = True
    memory, sent = state.memory, state.memory.guess(_fixed(state))
    fitted = sent * memory.scale.ratio < failure.window
    memory.learn(_fixed(state), failure.prompt or (failure.window if fitted else 0))
    memory.shrink(failure.window or None, sent)
    fits = memory.fits(state.history, state.task_at, _fixed(state), _reply(state))
    return fits and memory.guess(_fixed(state)) < sent


def counted(state: State, reply: Reply) -> Reply:
    """The reply with its usage: what the server counted teaches the memory; what it did not count is guessed.

    A reply that is stopped before its end goes without the server's numbers.
    """
    usage = reply.usage
    if usage.prompt_tokens:
        state.memory.learn(_fixed(state), usage.prompt_tokens)
        return reply
    ratio = state.memory.scale.ratio
    prompt = state.memory.guess(_fixed(state))
    written = state.memory.count(reply.text) + state.memory.count(reply.reasoning)
    guessed = Usage(round(prompt * ratio), usage.completion_tokens or round(written * ratio), usage.requests, estimated=True)
    return replace(reply, usage=guessed)


def _reply(state: State) -> int:
    room = state.memory.room
    wanted = state.settings.max_tokens or REPLY
    return wanted if room is None else min(wanted, room // 4)


def _fixed(state: State) -> float:
    """Guessed tokens of what every request of a mode begins with."""
    if state.mode not in state.fixed:
        state.fixed[state.mode] = _prefix(state.prompt, state.mode, state.memory.count)
    return state.fixed[state.mode]


def _prefix(prompt: Prompt, mode: Mode, count: Count) -> float:
    if mode == "native":
        return count(prompt.native_system) + count(json.dumps(prompt.wire_tools, ensure_ascii=False))
    return count(prompt.text_system) + sum(cost(message, count) for message in prompt.shots)
