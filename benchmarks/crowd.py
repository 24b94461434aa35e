"""The memory of a thousand runs at once on one event loop: `python -m benchmarks crowd [RUNS]`.

A server in another process holds the answers of a step back until all runs have asked for one, so that all are under way at the
same time: two tool calls each, then the answer.  What counts is the peak of the resident memory of a process that does nothing
else, with the interpreter, the engine and the SDK in it; what it had after one run is shown beside it.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Sequence
from typing import TYPE_CHECKING

from react_agent import Agent, AskModel, OpenAIModel, RunFinished, RunResult

from .holding import holding_server, process
from .row import Row
from .stepping import TASK, count_words

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

RUNS = 1_000
STEPS = 3
MEGABYTE = 1024  # ru_maxrss counts in kB


def measure(arguments: Sequence[str] = ()) -> list[Row]:
    """An argument is the number of runs."""
    runs = int(arguments[0]) if arguments else RUNS
    one, together = _peak_of(1), _peak_of(runs)
    print(f"peak of the memory: {one:.0f} MB with one run, {together:.0f} MB with {runs} at once")
    return [Row(f"engine: {runs} runs at once, peak of the process", together, 150, "MB")]


def _peak_of(runs: int) -> float:
    """The peak in MB of a process that makes so many runs at once."""
    with holding_server(STEPS, crowd=runs) as base_url, process(_crowd, runs, base_url) as crowd:
        return float(crowd.recv())


def _crowd(pipe: Connection, runs: int, base_url: str) -> None:
    asyncio.run(_runs(base_url, runs))
    pipe.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE)


async def _runs(base_url: str, runs: int) -> None:
    model = OpenAIModel("scripted", base_url=base_url, mode="text")
    agent = Agent(model, tools=[count_words])
    for finished in asyncio.as_completed([await _begun(agent) for _ in range(runs)]):
        result = await finished
        if not result.ok or len(result.steps) != STEPS:
            raise SystemExit(f"the run went wrong: {result}")
    await model.aclose()


async def _begun(agent: Agent) -> asyncio.Task[RunResult]:
    """A run whose first request is on its way: a loop that begins all at once is too busy to connect in time."""
    asked = asyncio.Event()
    task = asyncio.create_task(_run(agent, asked))
    await asked.wait()
    return task


async def _run(agent: Agent, asked: asyncio.Event) -> RunResult:
    async for event in agent.astream(TASK):
        if isinstance(event, AskModel):
            asked.set()
        elif isinstance(event, RunFinished):
            return event.result
    raise AssertionError("a run ends with RunFinished")
