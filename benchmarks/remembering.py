"""What is shown of a long history, and what a trace costs: CPU time of the parts around a run.

The history has 10,000 messages, ten times as many as the second one: were the view quadratic, it would cost a hundred times as
much.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable

from react_agent import Agent, Event
from react_agent.memory import Memory
from react_agent.messages import Call, Message, Result
from react_agent.models.openai import OpenAIModel
from react_agent.tracing import RunTrace

from .row import Row
from .stepping import STEPS, TASK, count_words, server_process

MESSAGES = 10_000
ROUNDS = 30


def history_of(messages: int) -> list[Message]:
    """A task, then calls with their results."""
    history = [Message("user", TASK)]
    for number in range(messages // 2):
        call = Call("look", {"at": number}, f"c{number}")
        history.append(Message("assistant", f"Thought: I look at {number}.", (call,)))
        history.append(Message("tool", result=Result(call.id, "look", f"note {number} has {number * 7} words")))
    return history


def view(history: list[Message], room: int | None) -> Callable[[], None]:
    """A view of a history that is new to the memory."""

    def run() -> None:
        memory = Memory(room)
        if not memory.fits(history, 0, 500, 500):
            raise SystemExit("the view does not fit")
        memory.shown(history)

    return run


def grown(history: list[Message]) -> Callable[[], None]:
    """The next view of a history that has grown by a round."""
    memory = Memory(32_000)
    memory.fits(history[:-2], 0, 500, 500)

    def run() -> None:
        memory.fits(history, 0, 500, 500)
        memory.shown(history)

    return run


def least(run: Callable[[], object]) -> float:
    """CPU milliseconds, the least of many rounds, as noise only adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best * 1000


def trace_cost() -> float:
    """The share of a run's CPU time that its trace takes, over a real connection."""
    with server_process() as base_url:
        agent = Agent(OpenAIModel("scripted", base_url=base_url, mode="text"), tools=[count_words])
        events: list[Event] = list(agent.stream(TASK))

        def traced() -> None:
            trace = RunTrace(io.StringIO())
            for event in events:
                trace(event)

        run = least(lambda: agent.run(TASK))
        cost = least(traced)
    print(f"CPU ms: a run of {STEPS} steps {run:.1f}, its trace {cost:.2f}")
    return 100 * cost / run


def measure() -> list[Row]:
    long, short = history_of(MESSAGES), history_of(MESSAGES // 10)
    whole, tenth = least(view(long, None)), least(view(short, None))
    return [
        Row("memory: first view of 10,000 messages, room of 32,000 tokens", least(view(long, 32_000)), 5, "ms"),
        Row("memory: the next view", least(grown(long)), 1, "ms"),
        Row("memory: 10,000 messages without a limit, to 1,000 messages", whole / tenth, 20, "x"),
        Row("trace: share of a run's CPU", trace_cost(), 5, "%"),
    ]
