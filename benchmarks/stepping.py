"""CPU time of the engine per step, beside the bare openai client that makes the same requests.

A scripted server in another process answers both: nine steps with one tool call each, then the answer, streamed in pieces of
four characters.  What the client alone costs for the same requests is subtracted.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from react_agent import Agent, OpenAIModel, tool
from tests.support.server import Reply, ScriptedServer

from .row import Row

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

STEPS = 10
RUNS = 20
TASK = "How many words do the nine notes have?"
LIMIT = 0.5  # milliseconds


@tool
def count_words(note: int) -> str:
    """Count the words of a note.

    Args:
        note: The number of the note.
    """
    return f"note {note} has {note * 7} words"


def reply(body: dict[str, Any]) -> Reply:
    """The next step, as far as the conversation has come."""
    done = sum(message["role"] == "assistant" for message in body["messages"])
    if done == STEPS - 1:
        action: dict[str, Any] = {"type": "final_answer", "content": "They have 315 words."}
    else:
        action = {"type": "tool_call", "name": "count_words", "args": {"note": done + 1}}
    return Reply(f"Thought: note {done + 1} is next.\nAction: {json.dumps(action)}")


def serve(pipe: Connection) -> None:
    with ScriptedServer(reply) as server:
        pipe.send(server.base_url)
        pipe.recv()


@contextmanager
def server_process() -> Iterator[str]:
    """The address of a server that shares no CPU time with this process."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,))
    process.start()
    yield ours.recv()
    ours.send("stop")
    process.join()


def measure() -> list[Row]:
    with server_process() as base_url:
        engine, client = engine_run(base_url), client_run(base_url)
        engine(), client()
        ours, theirs = [], []
        for _ in range(RUNS):
            ours.append(cpu_per_step(engine))
            theirs.append(cpu_per_step(client))
    print(f"CPU per step: engine {min(ours):.2f} ms, bare client {min(theirs):.2f} ms")
    return [Row("engine CPU per step beyond the openai client", min(ours) - min(theirs), LIMIT, "ms")]


def cpu_per_step(run: Callable[[], None]) -> float:
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1000 / STEPS


def engine_run(base_url: str) -> Callable[[], None]:
    agent = Agent(OpenAIModel("scripted", base_url=base_url, mode="text"), tools=[count_words])

    def run() -> None:
        result = agent.run(TASK)
        if not result.ok or len(result.steps) != STEPS:
            raise SystemExit(f"the run went wrong: {result}")

    return run


def client_run(base_url: str) -> Callable[[], None]:
    """The same requests by the openai client alone: what was said so far, streamed reply joined."""
    import openai

    client = openai.OpenAI(base_url=base_url, api_key="none")

    def run() -> None:
        messages: list[Any] = [{"role": "user", "content": TASK}]
        for _ in range(STEPS):
            stream = client.chat.completions.create(model="scripted", messages=messages, stream=True)
            text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": "Observation: note has words"}]

    return run
