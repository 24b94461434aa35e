"""The measuring itself: every way of asking a model for calls, on the same tasks.

In: a model, tasks, a time.  Out: an `Attempt` for each run.  All ways get a task before the next task begins, so that what is
known when the time is up is comparable.  A way that the server refuses is given up at once; one that has fallen behind the best
by two tasks, before the next task.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from react_agent.agent import Agent
from react_agent.driving.ports import Model
from react_agent.messages import Mode, Outcome, RunResult, Usage, Value
from react_agent.parsing.dialects import PROMPTED

from .tasks import TASKS, TOOLS, Task

MAX_STEPS = 4
MAX_TOKENS = 512
BEHIND = 2
"""So many tasks fewer than the best, and a way is given up."""


@dataclass(frozen=True, slots=True)
class Trial(Value):
    """A way of asking for calls; `dialect` is "" for native ones."""

    mode: Mode
    dialect: str = ""


TRIALS = (
    Trial("native"),
    *(Trial("text", dialect) for dialect in PROMPTED),
    *(Trial("constrained", dialect) for dialect in PROMPTED if dialect in ("zh_json_steps", "json_steps")),
)
"""Constrained decoding needs a dialect whose answers are marked; others leave a model free to write anything."""


@dataclass(frozen=True, slots=True)
class Attempt(Value):
    """One run: `available` is False where the server does not know this way."""

    trial: Trial
    task: str
    solved: bool
    available: bool
    outcome: Outcome
    steps: int
    usage: Usage
    seconds: float


def probe(
    model: Model,
    *,
    trials: Sequence[Trial] = TRIALS,
    tasks: Sequence[Task] = TASKS,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Attempt]:
    """The attempts, as they end; none begins after `seconds`, and one that is running then ends."""
    started, score, running = clock(), dict.fromkeys(trials, 0), list(trials)
    for task in tasks:
        for trial in tuple(running):
            left = None if seconds is None else seconds - (clock() - started)
            if left is not None and left <= 0:
                return
            attempt = _attempt(model, trial, task, left, clock)
            if attempt.outcome is Outcome.DEADLINE:
                return
            yield attempt
            score[trial] += attempt.solved
            if not attempt.available:
                running.remove(trial)
        lead = max(score.values(), default=0)
        running = [trial for trial in running if lead - score[trial] < BEHIND]


def _attempt(model: Model, trial: Trial, task: Task, left: float | None, clock: Callable[[], float]) -> Attempt:
    begun = clock()
    agent = Agent(
        model,
        TOOLS,
        mode=trial.mode,
        dialect=trial.dialect or None,
        max_steps=MAX_STEPS,
        max_tokens=MAX_TOKENS,
        max_seconds=left,
    )
    result = agent.run(task.question)
    available = result.mode == trial.mode and not _refused(result)
    return Attempt(
        trial,
        task.name,
        available and task.solved(result),
        available,
        result.outcome,
        len(result.steps),
        result.usage,
        clock() - begun,
    )


def _refused(result: RunResult) -> bool:
    return result.outcome is Outcome.SERVER_ERROR and not result.steps
