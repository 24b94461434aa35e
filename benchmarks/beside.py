"""The engine beside a bare loop, LangChain's create_agent and LlamaIndex's ReActAgent: `python -m benchmarks beside`.

Out: a table with, for each, the CPU time of a run of three steps, the peak of the memory of a process that made such runs and
nothing else, and which faults of a scripted model (`misbehaving`) it survives.  Those that are not installed are left out
(`pip install langchain langchain-openai llama-index-core llama-index-llms-openai-like`).

Each is used as its manual shows it, with its own defaults; only the limit of steps is set, the same for all.  Each runs in a
process of its own; for the three steps the server is another process, so its time does not count.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from react_agent import Tool
from tests.support.server import Plain, ScriptedServer

from .crowd import MEGABYTE
from .loops import Place, Report, Way, bare, guards, native
from .misbehaving import TASKS, Act, Done, playing, store, written
from .row import Row

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

STEPS = 3
ROUNDS = 30
MAX_STEPS = 12
MOST = 2.0
"""How many times the CPU time of another loop a run of the engine may take."""


def langchain(task: str, tools: Sequence[Tool], place: Place) -> Report:
    create_agent = import_module("langchain.agents").create_agent
    structured = import_module("langchain_core.tools").StructuredTool.from_function
    model = import_module("langchain_openai").ChatOpenAI(
        model=place.model, base_url=place.base_url, api_key="none", temperature=0
    )
    agent = create_agent(model, [structured(tool.function) for tool in tools])
    asked = {"messages": [{"role": "user", "content": task}]}
    result = agent.invoke(asked, {"recursion_limit": 2 * place.max_steps + 1})
    return Report(str(result["messages"][-1].content))


def llamaindex(task: str, tools: Sequence[Tool], place: Place) -> Report:
    react = import_module("llama_index.core.agent.workflow").ReActAgent
    function = import_module("llama_index.core.tools").FunctionTool.from_defaults
    like = import_module("llama_index.llms.openai_like").OpenAILike
    model = like(model=place.model, api_base=place.base_url, api_key="none", is_chat_model=True, temperature=0)
    agent = react(tools=[function(tool.function) for tool in tools], llm=model)

    async def run() -> str:
        return str(await agent.run(task, max_iterations=place.max_steps))

    return Report(asyncio.run(run()))


CONTENDERS: dict[str, Way] = {
    "react_agent, text": guards,
    "react_agent, native": native,
    "bare loop, text": bare,
    "LangChain create_agent, native": langchain,
    "LlamaIndex ReActAgent, text": llamaindex,
}


def measure(_: Sequence[str] = ()) -> Iterator[Row]:
    """The table, printed; and how our CPU time compares with that of each of the others."""
    cost: dict[str, float] = {}
    print(f"{'':<32} {'CPU ms per run':>14} {'peak MB':>8} {'survived':>9}")
    for name in CONTENDERS:
        found = _apart(name)
        if found is None:
            continue
        cost[name], peak, survived = found
        lost = [task.name for task, solved in zip(TASKS, survived, strict=True) if not solved]
        print(
            f"{name:<32} {cost[name]:14.1f} {peak:8.0f} {sum(survived):>6}/{len(TASKS)}   not: {', '.join(lost) or 'none'}",
            flush=True,
        )
    ours = cost["react_agent, text"]
    for name in CONTENDERS:
        if name in cost and not name.startswith("react_agent"):
            yield Row(f"engine: CPU of a run / {name}", ours / cost[name], MOST, "x")


def _apart(name: str) -> tuple[float, float, list[bool]] | None:
    """What a contender does in a process of its own; None when it is not installed."""
    context = multiprocessing.get_context("spawn")
    server, theirs = context.Pipe()
    serving = context.Process(target=_serve, args=(theirs,))
    serving.start()
    ours, pipe = context.Pipe()
    process = context.Process(target=_measured, args=(pipe, name, server.recv()))
    process.start()
    pipe.close()  # a process that breaks down then ends the wait for what it finds
    found = ours.recv()
    process.join()
    server.send("stop")
    serving.join()
    return found  # type: ignore[no-any-return]


def _serve(pipe: Connection) -> None:
    """The model of a run of three steps, which does everything right."""

    def reply(body: Any) -> Plain:
        done = sum(message["role"] == "assistant" for message in body["messages"])
        return written(Act("count_boxes", {"shelf": done + 1}) if done < STEPS - 1 else Done("There are 42 boxes."), body)

    with ScriptedServer(reply) as server:
        pipe.send(server.base_url)
        pipe.recv()


def _measured(pipe: Connection, name: str, base_url: str) -> None:
    way = CONTENDERS[name]
    try:
        cost = _cost(lambda: way("How many boxes are there?", store([]), Place(base_url, max_steps=MAX_STEPS)))
    except ImportError:
        return pipe.send(None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    return pipe.send((cost, peak, [_survives(way, number) for number in range(len(TASKS))]))


def _cost(run: Callable[[], Report]) -> float:
    """CPU milliseconds, the least of many rounds, as noise only adds."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        report = run()
        least = min(least, time.process_time() - start)
        if "42" not in report.answer:
            raise SystemExit(f"the run went wrong: {report}")
    return least * 1000


def _survives(way: Way, number: int) -> bool:
    task, log = TASKS[number], []  # type: ignore[var-annotated]
    with playing(task) as (base_url, _):
        try:
            report = way(task.prompt, task.tools(log), Place(base_url, max_steps=MAX_STEPS))
        except Exception:  # a framework's way to give up
            return False
    return task.solved(report.answer, log)
