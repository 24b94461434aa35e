"""Answers one request: the flow of `turns`, driven over an upstream, or over the next one when that fails.

In: `Asked` and the pool.  Out: `Began`, `TextDelta` and `ThoughtDelta` as they come, and `Told` as the last event.  An upstream
that fails before anything was shown is replaced by the next candidate; nothing is ever shown twice.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from react_agent.driving import aio
from react_agent.driving.ports import ModeChoice
from react_agent.engine import STOPS, State
from react_agent.events import CallTools, Event, MoreFromModel, Note, RetryWaiting, TextDelta, ThoughtDelta
from react_agent.messages import Mode

from .asked import Asked, Told
from .config import Upstream
from .pool import DOWN, ELSEWHERE, Pool, Served
from .preparing import prepared
from .seeing import seen
from .turns import told


@dataclass(frozen=True, slots=True)
class Manner:
    """How a request is to be served: how tools are offered, and how often the model may be asked again."""

    mode: ModeChoice = "auto"
    dialect: str = ""
    rounds: int = 2


@dataclass(frozen=True, slots=True)
class Began(Event):
    """An upstream has begun to answer; `dialect` is the one that text mode asks for."""

    upstream: str
    mode: Mode
    dialect: str


def answered(asked: Asked, pool: Pool, manner: Manner) -> AsyncGenerator[Event, None]:
    """The events of an answer.

    Raises:
        Refusal: no upstream serves the model.
    """
    end = time.monotonic() + pool.limits.seconds
    *others, last = pool.candidates(asked.model)
    return _in_turn(asked, pool, manner, end, others, last) if others else _tried(asked, pool, last, manner, end)


async def _in_turn(
    asked: Asked, pool: Pool, manner: Manner, end: float, others: Sequence[Upstream], last: Upstream
) -> AsyncGenerator[Event, None]:
    for upstream in others:
        shown = False
        async with aclosing(_tried(asked, pool, upstream, manner, end)) as events:
            async for event in events:
                if isinstance(event, Told) and event.failure and event.failure.kind in ELSEWHERE and not shown:
                    break
                shown = shown or not isinstance(event, Began)
                yield event
            else:
                return
    async with aclosing(_tried(asked, pool, last, manner, end)) as events:
        async for event in events:
            yield event


async def _tried(asked: Asked, pool: Pool, upstream: Upstream, manner: Manner, end: float) -> AsyncGenerator[Event, None]:
    """The events of an answer by one upstream, those that a client may see."""
    model = pool.model(upstream, asked.model)
    begun = waiting = False
    state = opening_state(asked, model, manner)
    flow = seen(asked, state.mode) if asked.seen else told(asked, state, budget=manner.rounds, seed=secrets.token_hex(8))
    async with aclosing(aio.drive(flow, model, _no_tools, end - time.monotonic())) as events:
        async for event in events:
            failed = False
            if isinstance(event, Told):
                failed = event.failure is not None
                pool.report(upstream, well=event.failure is None or event.failure.kind not in DOWN)
            visible = isinstance(event, (Told, TextDelta, ThoughtDelta))
            if not begun and not failed and (visible or (isinstance(event, MoreFromModel) and not waiting)):
                begun = True
                yield Began(upstream.name, state.mode, state.settings.dialect)
            waiting = isinstance(event, RetryWaiting)
            if visible:
                yield event


def opening_state(asked: Asked, model: Served, manner: Manner) -> State:
    """The state that a request begins with, at this model."""
    advice = model.advice()
    mode = advice.mode if manner.mode == "auto" else manner.mode
    dialect = manner.dialect or (advice.dialect if advice.dialect in STOPS else "")
    return prepared(asked, mode, dialect, constrains=advice.constrains)


async def _no_tools(request: CallTools, note: Note) -> AsyncGenerator[None, None]:
    """The tools are the client's: a turn never runs one."""
    raise AssertionError("a turn runs no tools")
    yield
