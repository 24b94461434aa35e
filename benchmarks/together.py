"""A hundred runs at once, beside a bare async client that makes the same calls.

A scripted server in another process answers each request after 50 ms: two tool calls, then the answer.  The bare client is the
openai SDK, streaming, all runs at once, each run's requests in turn.  Both are timed by turns, the least of the rounds counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from react_agent import Agent, AskModel, ModelRequest, OpenAIModel

from .row import Row
from .stepping import TASK, count_words, server_process

RUNS = 100
STEPS = 3
LATENCY = 0.05
ROUNDS = 3


def measure(arguments: Sequence[str]) -> list[Row]:
    """An argument is the number of runs."""
    runs = int(arguments[0]) if arguments else RUNS
    with server_process(steps=STEPS, latency=LATENCY) as base_url:
        return asyncio.run(_measured(base_url, runs))


async def _measured(base_url: str, runs: int) -> list[Row]:
    import openai

    model = OpenAIModel("scripted", base_url=base_url, mode="text", max_retries=0)
    agent = Agent(model, tools=[count_words])
    requests = [event.request async for event in agent.astream(TASK) if isinstance(event, AskModel)]
    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as client:
        seconds = await _least(runs, {"engine": lambda: _run(agent), "client": lambda: _calls(client, requests)})
    await model.aclose()
    print(f"{runs} runs at once, seconds:", ", ".join(f"{name} {value:.2f}" for name, value in seconds.items()))
    return [Row(f"engine: {runs} runs at once ÷ the bare async client", seconds["engine"] / seconds["client"], 1.2, "x")]


async def _least(runs: int, ways: dict[str, Callable[[], Awaitable[None]]]) -> dict[str, float]:
    """Seconds of `runs` at once for each way."""
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.perf_counter()
            await asyncio.gather(*(way() for _ in range(runs)))
            least[name] = min(least[name], time.perf_counter() - start)
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
