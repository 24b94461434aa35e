"""A thousand runs at once on one event loop, beside a bare async client: `python -m benchmarks crowd [RUNS]`.

A server in another process holds the answers of a step back until all runs have asked for one, so that all are under way at the
same time: two tool calls each, then the answer.  All runs begin at once, and all answers of a step come at once.  The bare
client is the openai SDK on its aiohttp transport, and makes the same calls.  Each is alone in a process, of which the peak of
the resident memory counts, with the interpreter, the engine and the SDK in it; what it is after one run is shown beside it.
"""

from __future__ import annotations

import asyncio
import importlib
import resource
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from react_agent import Agent, OpenAIModel
from react_agent.models import ScriptedModel

from .holding import holding_server, process
from .row import Row
from .stepping import TASK, count_words, reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

RUNS = 1_000
STEPS = 3
MEGABYTE = 1024  # ru_maxrss counts in kB

Way = Callable[[str, int], Coroutine[Any, Any, None]]
"""Makes so many runs at once with the server of an address."""


@dataclass(frozen=True)
class Found:
    """The peak of the memory of a process, and what its runs took."""

    megabytes: float
    seconds: float
    cpu: float


def measure(arguments: Sequence[str] = ()) -> list[Row]:
    """An argument is the number of runs."""
    runs = int(arguments[0]) if arguments else RUNS
    one, engine, client = _found(_runs, 1), _found(_runs, runs), _found(_calls, runs)
    print(f"peak of the memory: {one.megabytes:.0f} MB with one run, {engine.megabytes:.0f} MB with {runs} at once")
    for name, found in {"engine": engine, "client": client}.items():
        print(f"{runs} runs at once, {name}: {found.megabytes:.0f} MB, {found.seconds:.1f} s, {found.cpu:.1f} s of CPU")
    what = f"engine: {runs} runs at once"
    return [
        Row(f"{what}, peak of the process", engine.megabytes, 150, "MB"),
        Row(f"{what} ÷ the bare async client", engine.seconds / client.seconds, 1.2, "x"),
        Row(f"{what} ÷ the bare async client, CPU", engine.cpu / client.cpu, 1.2, "x"),
    ]


def _found(way: Way, runs: int) -> Found:
    with holding_server(STEPS, crowd=runs) as base_url, process(_crowd, way, runs, base_url) as crowd:
        found: Found = crowd.recv()
        return found


def _crowd(pipe: Connection, way: Way, runs: int, base_url: str) -> None:
    importlib.import_module("openai")  # what loading it takes is no part of the time
    began, cpu = time.perf_counter(), time.process_time()
    asyncio.run(way(base_url, runs))
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    pipe.send(Found(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE, seconds, cpu))


async def _runs(base_url: str, runs: int) -> None:
    model = OpenAIModel("scripted", base_url=base_url, mode="text")
    agent = Agent(model, tools=[count_words])
    await asyncio.gather(*(_run(agent) for _ in range(runs)))
    await model.aclose()


async def _run(agent: Agent) -> None:
    result = await agent.arun(TASK)
    if not result.ok or len(result.steps) != STEPS:
        raise SystemExit(f"the run went wrong: {result}")


async def _calls(base_url: str, runs: int) -> None:
    import openai

    http = openai.DefaultAioHttpClient()
    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, timeout=600, http_client=http) as client:
        asked = _asked()
        await asyncio.gather(*(_called(client, asked) for _ in range(runs)))


async def _called(client: Any, asked: list[list[Any]]) -> None:
    for messages in asked:
        said = await client.chat.completions.create(model="scripted", messages=messages, stream=True)
        if not [chunk async for chunk in said]:
            raise SystemExit("no answer came")


def _asked() -> list[list[Any]]:
    """The messages of the requests of a run."""
    done = [[{"role": "assistant"}] * number for number in range(STEPS)]
    model = ScriptedModel([reply({"messages": messages}, STEPS, 0.0).text or "" for messages in done], mode="text")
    Agent(model, tools=[count_words]).run(TASK)
    return [list(request.messages) for request in model.requests]
