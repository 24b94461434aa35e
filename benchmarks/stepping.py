"""CPU time of the engine per step, beside the bare openai client, for the same requests.

A scripted server in another process answers: nine steps with one tool call each, then the answer, streamed in pieces of four
characters.  What `OpenAIModel` alone costs is shown too: the rest is parsing, prompting and the loop.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from react_agent import Agent, AskModel, ModelRequest, OpenAIModel, tool
from tests.support.server import Reply, ScriptedServer

from .row import Row

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

STEPS = 10
ROUNDS = 20
TASK = "How many words do the nine notes have?"


@tool
def count_words(note: int) -> str:
    """Count the words of a note.

    Args:
        note: The number of the note.
    """
    return f"note {note} has {note * 7} words"


def reply(body: dict[str, Any], steps: int, latency: float) -> Reply:
    """The next step, as far as the conversation has come."""
    time.sleep(latency)
    done = sum(message["role"] == "assistant" for message in body["messages"])
    if done == steps - 1:
        action: dict[str, Any] = {"type": "final_answer", "content": "They have 315 words."}
    else:
        action = {"type": "tool_call", "name": "count_words", "args": {"note": done + 1}}
    return Reply(f"Thought: note {done + 1} is next.\nAction: {json.dumps(action)}")


def serve(pipe: Connection, steps: int, latency: float) -> None:
    with ScriptedServer(lambda body: reply(body, steps, latency)) as server:
        pipe.send(server.base_url)
        pipe.recv()


@contextmanager
def server_process(*, steps: int = STEPS, latency: float = 0.0) -> Iterator[str]:
    """The address of a server that shares no CPU time with this process; each reply begins after `latency` seconds."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, steps, latency))
    process.start()
    yield ours.recv()
    ours.send("stop")
    process.join()


def measure() -> list[Row]:
    with server_process() as base_url:
        model = OpenAIModel("scripted", base_url=base_url, mode="text")
        agent = Agent(model, tools=[count_words])
        requests = [event.request for event in agent.stream(TASK) if isinstance(event, AskModel)]
        runs = {"engine": engine_run(agent), "model": model_run(model, requests), "client": client_run(base_url, requests)}
        cost = cheapest(runs)
    print("CPU ms per step:", ", ".join(f"{name} {value:.2f}" for name, value in cost.items()))
    return [Row("engine: CPU per step beyond the openai client", cost["engine"] - cost["client"], 0.5, "ms")]


def cheapest(runs: dict[str, Callable[[], None]]) -> dict[str, float]:
    """CPU milliseconds per step of each, by turns; the least of many rounds, as noise only adds."""
    cost = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start = time.process_time()
            run()
            cost[name] = min(cost[name], (time.process_time() - start) * 1000 / STEPS)
    return cost


def engine_run(agent: Agent) -> Callable[[], None]:
    """A whole run: requests, parsing, tools, history."""

    def run() -> None:
        result = agent.run(TASK)
        if not result.ok or len(result.steps) != STEPS:
            raise SystemExit(f"the run went wrong: {result}")

    return run


def model_run(model: OpenAIModel, requests: list[ModelRequest]) -> Callable[[], None]:
    """The same requests and nothing else."""

    def run() -> None:
        for request in requests:
            for _ in model.stream(request):
                pass

    return run


def client_run(base_url: str, requests: list[ModelRequest]) -> Callable[[], None]:
    """The same requests by the openai client as its manual shows it."""
    import openai

    client = openai.OpenAI(base_url=base_url, api_key="none")

    def run() -> None:
        for request in requests:
            messages: Any = list(request.messages)
            for _ in client.chat.completions.create(model="scripted", messages=messages, stream=True):
                pass

    return run
