"""CPU time of the pure core per step: the flow of a run, with every request answered at once by what lies ready.

No connection, no event loop, no tool runs: what is measured is prompting, memory, parsing and all guards.  The replies come in
pieces of four characters, as a server streams them, and as a whole.  `Agent.run` reads them unheard, `Agent.stream` tells what
is certain with each piece.  A task of three steps is a typical one; in one of twenty,
what is done again each step for all that was said would show, as its steps would cost more.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from react_agent import CallTools, Limits, ModelChunk, Result, RunFinished, RunResult, tool
from react_agent.engine import Settings, State, run, traits
from react_agent.events import AskModel, Event, MoreFromModel
from react_agent.prompting import Prompt
from react_agent.tools import Tool

from .row import Row

SHORT, LONG = 3, 20
PIECE = 4
ROUNDS = 60
TASK = "Add up the orders of Ms Lind, beginning with order 1001, and tell me the sum."
ORDER = (
    "Order {number} of Ms Lind, placed on 2025-03-{day:02}, paid by card, shipped to Oslo in {day} days.\nTotal: {total} EUR"
)
SETTINGS = Settings(max_steps=LONG, context_tokens=32_000, max_tokens=512, limits=Limits(max_run_tokens=1_000_000))
"""All guards: those that are on anyway, the room of a request, and a limit for the tokens of a run."""


@tool
def get_order(number: int) -> str:
    """Look up an order.

    Args:
        number: Number of the order.
    """
    return f"Order {number}"


@tool
def find_orders(customer: str, open_only: bool = False) -> str:
    """Find the orders of a customer.

    Args:
        customer: The name.
        open_only: Only those that are not paid.
    """
    return f"Orders of {customer}, {open_only}"


@tool
def refund_order(number: int, reason: str) -> str:
    """Refund an order.

    Args:
        number: Number of the order.
        reason: What to tell the customer.
    """
    return f"{number}: {reason}"


TOOLS: tuple[Tool, ...] = (get_order, find_orders, refund_order)


class Ready:
    """All that a run of `steps` will be answered, cut beforehand."""

    def __init__(self, steps: int, piece: int | None) -> None:
        self._pieces = [_cut(_said(number, steps), piece) for number in range(1, steps + 1)]
        self._results = [_found(number) for number in range(1, steps)]
        self._reply: Iterator[ModelChunk] = iter(())

    def to(self, event: Event) -> Any:
        """The reply to an event, None where none is wanted."""
        if isinstance(event, MoreFromModel):
            return next(self._reply)
        if isinstance(event, AskModel):
            self._reply = iter(self._pieces[event.number - 1])
            return next(self._reply)
        if isinstance(event, CallTools):
            (call,) = event.calls
            return (replace(self._results[event.number - 1], call_id=call.id),)
        return None


def _said(number: int, steps: int) -> str:
    if number == steps:
        action: dict[str, Any] = {"type": "final_answer", "content": "Together they come to 1,234 EUR."}
    else:
        action = {"type": "tool_call", "name": get_order.name, "args": {"number": 1000 + number}}
    return f"Thought: I need order {1000 + number} now, and then the one after it.\nAction: {json.dumps(action)}"


def _cut(text: str, piece: int | None) -> list[ModelChunk]:
    """As the models hand them out: what came as a whole is one piece, a stream ends with an empty one."""
    if piece is None:
        return [ModelChunk(text, finish_reason="stop", last=True)]
    chunks = [ModelChunk(text[at : at + piece]) for at in range(0, len(text), piece)]
    return [*chunks, ModelChunk(finish_reason="stop", last=True)]


def _found(number: int) -> Result:
    content = ORDER.format(number=1000 + number, day=number, total=number * 17)
    return Result("", get_order.name, f"{content}\nThe next one is {1001 + number}.", seconds=0.1)


def cost(steps: int, piece: int | None, *, aloud: bool = False) -> float:
    """CPU milliseconds per step, the least of many rounds, as noise only adds; `aloud`: for somebody who reads along."""
    prompt, known = Prompt(tuple(each.spec for each in TOOLS), "en"), traits(TOOLS)
    least = float("inf")
    for _ in range(ROUNDS):
        state, ready = State(TASK, prompt, SETTINGS, traits=known, aloud=aloud), Ready(steps, piece)
        start = time.process_time()
        result = driven(state, ready)
        least = min(least, time.process_time() - start)
        if not result.ok or len(result.steps) != steps:
            raise SystemExit(f"the run went wrong: {result}")
    return least * 1000 / steps


def driven(state: State, ready: Ready) -> RunResult:
    """A run without a driver."""
    flow, reply = run(state), None
    while not isinstance(event := flow.send(reply), RunFinished):
        reply = ready.to(event)
    return event.result


def measure() -> list[Row]:
    short, long, whole, aloud = cost(SHORT, PIECE), cost(LONG, PIECE), cost(LONG, None), cost(LONG, PIECE, aloud=True)
    return [
        Row(f"core: CPU per step of {SHORT}, in pieces", short, 0.3, "ms"),
        Row(f"core: CPU per step of {LONG}, in pieces", long, 0.3, "ms"),
        Row(f"core: CPU per step of {LONG}, whole replies", whole, 0.3, "ms"),
        Row(f"core: CPU per step of {LONG}, in pieces that are told as they come", aloud, 0.3, "ms"),
        Row(f"core: a step of {LONG} ÷ a step of {SHORT}", long / short, 1.3, "x"),
    ]
