"""A hundred runs at once, beside a bare async client that makes the same calls: `python -m benchmarks together [RUNS]`.

A scripted server in another process answers each request after 50 ms: two tool calls, then the answer.  The bare client is the
openai SDK on its aiohttp transport, streaming, all runs at once, each run's requests in turn.  Both are timed by turns, in
seconds and in CPU time of this process; the least of the rounds counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from react_agent import Agent, AskModel, ModelRequest, OpenAIModel

from .holding import holding_server
from .row import Row
from .stepping import TASK, count_words

RUNS = 100
STEPS = 3
LATENCY = 0.05
ROUNDS = 5

Times = tuple[float, float]
"""Seconds, and seconds of CPU."""


def measure(arguments: Sequence[str]) -> list[Row]:
    """An argument is the number of runs."""
    runs = int(arguments[0]) if arguments else RUNS
    with holding_server(STEPS, seconds=LATENCY) as base_url:
        return asyncio.run(_measured(base_url, runs))


async def _measured(base_url: str, runs: int) -> list[Row]:
    import openai

    model = OpenAIModel("scripted", base_url=base_url, mode="text", max_retries=0)
    agent = Agent(model, tools=[count_words])
    requests = [event.request async for event in agent.astream(TASK) if isinstance(event, AskModel)]
    http = openai.DefaultAioHttpClient()
    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, http_client=http) as client:
        times = await _least(runs, {"engine": lambda: _run(agent), "client": lambda: _calls(client, requests)})
    await model.aclose()
    for name, (seconds, cpu) in times.items():
        print(f"{runs} runs at once, {name}: {seconds:.2f} s, {cpu:.2f} s of CPU")
    (seconds, cpu), (bare_seconds, bare_cpu) = times["engine"], times["client"]
    what = f"{runs} runs at once ÷ the bare async client"
    return [
        Row(f"engine: {what}", seconds / bare_seconds, 1.2, "x"),
        Row(f"engine: CPU of {what}", cpu / bare_cpu, 1.2, "x"),
    ]


async def _least(runs: int, ways: dict[str, Callable[[], Awaitable[None]]]) -> dict[str, Times]:
    """What `runs` at once take in each way."""
    least = dict.fromkeys(ways, (float("inf"), float("inf")))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start, cpu = time.perf_counter(), time.process_time()
            await asyncio.gather(*(way() for _ in range(runs)))
            took = time.perf_counter() - start, time.process_time() - cpu
            least[name] = min(least[name][0], took[0]), min(least[name][1], took[1])
    return least


async def _run(agent: Agent) -> None:
    result = await agent.arun(TASK)
    if not result.ok or len(result.steps) != STEPS:
        raise SystemExit(f"the run went wrong: {result}")


async def _calls(client: Any, requests: list[ModelRequest]) -> None:
    for request in requests:
        messages = list(request.messages)
        async for _ in await client.chat.completions.create(model="scripted", messages=messages, stream=True):
            pass
