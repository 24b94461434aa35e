"""A task of three steps, beside a bare loop on the openai SDK: `python -m benchmarks transports`.

A scripted server in another process answers at once: two tool calls, then the answer, streamed in pieces of four characters.
The bare loop is what one writes in an hour: it joins the deltas, takes the JSON behind the last `Action:`, calls the function
and appends the result; nothing is checked.  It runs blocking, in an event loop, and there also on the SDK's aiohttp transport.
All take turns in this process; the least of the rounds counts, of time and of CPU time each.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from react_agent import Agent, OpenAIModel
from react_agent.messages import RunResult

from .holding import holding_server
from .row import Row
from .stepping import TASK, count_words

STEPS = 3
ROUNDS = 40
LIMIT = 1.2

Way = Callable[[], Awaitable[None]]
Cost = tuple[float, float]
"""Milliseconds and milliseconds of CPU, per step."""


def measure(arguments: Sequence[str]) -> list[Row]:
    """An argument is the number of rounds."""
    with holding_server(STEPS) as base_url:
        costs = asyncio.run(_measured(base_url, int(arguments[0]) if arguments else ROUNDS))
    for name, (wall, cpu) in costs.items():
        print(f"{name:<34} {wall:6.2f} ms per step, {cpu:6.2f} ms of CPU")
    pairs = (
        ("engine", "bare loop"),
        ("engine, in a loop", "bare loop, in a loop"),
        ("engine, in a loop", "bare loop, aiohttp"),
    )
    return [
        Row(f"{one} ÷ {other}: {unit} per step", costs[one][place] / costs[other][place], LIMIT, "x")
        for one, other in pairs
        for place, unit in enumerate(("time", "CPU"))
    ]


async def _measured(base_url: str, rounds: int) -> dict[str, Cost]:
    import openai

    place: Any = {"base_url": base_url, "api_key": "none", "max_retries": 0}
    model = OpenAIModel("scripted", base_url=base_url, mode="text", max_retries=0)
    agent = Agent(model, tools=[count_words])
    with openai.OpenAI(**place) as blocking:
        async with (
            openai.AsyncOpenAI(**place) as looped,
            openai.AsyncOpenAI(http_client=openai.DefaultAioHttpClient(), **place) as aiohttp,
        ):
            ways: dict[str, Way] = {
                "engine": lambda: _run(agent),
                "engine, in a loop": lambda: _run_in_loop(agent),
                "bare loop": lambda: _bare(blocking),
                "bare loop, in a loop": lambda: _bare_in_loop(looped),
                "bare loop, aiohttp": lambda: _bare_in_loop(aiohttp),
            }
            costs = await _least(ways, rounds)
    model.close()
    await model.aclose()
    return costs


async def _least(ways: dict[str, Way], rounds: int) -> dict[str, Cost]:
    least = dict.fromkeys(ways, (float("inf"), float("inf")))
    for _ in range(rounds):
        for name, way in ways.items():
            start, cpu = time.perf_counter(), time.process_time()
            await way()
            took = (time.perf_counter() - start) * 1000 / STEPS, (time.process_time() - cpu) * 1000 / STEPS
            least[name] = min(least[name][0], took[0]), min(least[name][1], took[1])
    return least


async def _run(agent: Agent) -> None:
    _check(agent.run(TASK))


async def _run_in_loop(agent: Agent) -> None:
    _check(await agent.arun(TASK))


def _check(result: RunResult) -> None:
    if not result.ok or len(result.steps) != STEPS:
        raise SystemExit(f"the run went wrong: {result}")


async def _bare(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(STEPS):
        chunks = client.chat.completions.create(model="scripted", messages=messages, stream=True)
        _go_on(messages, "".join(chunk.choices[0].delta.content or "" for chunk in chunks))
    _check_bare(messages)


async def _bare_in_loop(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(STEPS):
        chunks = await client.chat.completions.create(model="scripted", messages=messages, stream=True)
        _go_on(messages, "".join([chunk.choices[0].delta.content or "" async for chunk in chunks]))
    _check_bare(messages)


def _go_on(messages: list[Any], said: str) -> None:
    messages.append({"role": "assistant", "content": said})
    action = json.loads(said.rpartition("Action:")[2])
    if action["type"] == "tool_call":
        messages.append({"role": "user", "content": f"Observation: {count_words(**action['args'])}"})


def _check_bare(messages: list[Any]) -> None:
    if len(messages) != 2 * STEPS or "315" not in messages[-1]["content"]:
        raise SystemExit(f"the loop went wrong: {messages}")
