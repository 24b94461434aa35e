"""The memory of a thousand runs at once on one event loop: `python -m benchmarks crowd [RUNS]`.

A server in another process holds the answers of a step back until all runs have asked for one, so that all are under way at the
same time: two tool calls each, then the answer.  What counts is the peak of the resident memory of a process that does nothing
else, with the interpreter, the engine and the SDK in it; what it had after one run is shown beside it.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from react_agent import Agent, AskModel, OpenAIModel, RunFinished, RunResult
from tests.support.server import delta

from .row import Row
from .stepping import TASK, count_words, reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

RUNS = 1_000
STEPS = 3
AT_ONCE = 1
"""So many runs begin at the same time: a loop that is busy with beginning more has no time to connect."""
MEGABYTE = 1024  # ru_maxrss counts in kB


def measure(arguments: Sequence[str] = ()) -> list[Row]:
    """An argument is the number of runs."""
    runs = int(arguments[0]) if arguments else RUNS
    one, together = _peak_of(1), _peak_of(runs)
    print(f"peak of the memory: {one:.0f} MB with one run, {together:.0f} MB with {runs} at once")
    return [Row(f"engine: {runs} runs at once, peak of the process", together, 150, "MB")]


def _peak_of(runs: int) -> float:
    """The peak in MB of a process that makes so many runs at once."""
    with _process(_serve, runs) as server, _process(_crowd, runs, server.recv()) as crowd:
        return float(crowd.recv())


@contextmanager
def _process(target: object, *arguments: object) -> Iterator[Connection]:
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=target, args=(theirs, *arguments))  # type: ignore[arg-type]
    process.start()
    theirs.close()  # a process that breaks down then ends the wait for what it finds
    yield ours
    process.terminate()
    process.join()


# --- the runs --------------------------------------------------------------------------------------------------------


def _crowd(pipe: Connection, runs: int, base_url: str) -> None:
    asyncio.run(_runs(base_url, runs))
    pipe.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE)


async def _runs(base_url: str, runs: int) -> None:
    model = OpenAIModel("scripted", base_url=base_url, mode="text")
    agent = Agent(model, tools=[count_words])
    gate = asyncio.Semaphore(AT_ONCE)
    for finished in asyncio.as_completed([_run(agent, gate) for _ in range(runs)]):
        result = await finished
        if not result.ok or len(result.steps) != STEPS:
            raise SystemExit(f"the run went wrong: {result}")
    await model.aclose()


async def _run(agent: Agent, gate: asyncio.Semaphore) -> RunResult:
    """A run that begins behind the gate, which it leaves when its first request is on its way."""
    await gate.acquire()
    async for event in agent.astream(TASK):
        if isinstance(event, AskModel) and event.number == 1:
            gate.release()
        elif isinstance(event, RunFinished):
            return event.result
    raise AssertionError("a run ends with RunFinished")


# --- the server ------------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, runs: int) -> None:
    asyncio.run(_served(pipe, runs))


async def _served(pipe: Connection, runs: int) -> None:
    everyone = Everyone(runs)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while length := await _head(reader):
            body = json.loads(await reader.readexactly(length))
            await everyone.wait()
            writer.write(_stream(reply(body, STEPS, 0.0).text or ""))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=2 * RUNS)
    pipe.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    await server.serve_forever()


class Everyone:
    """Lets nobody pass before `size` wait (an `asyncio.Barrier`, which Python 3.10 lacks)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting = 0
        self._here = asyncio.Event()

    async def wait(self) -> None:
        here = self._here
        self._waiting += 1
        if self._waiting == self._size:
            self._waiting, self._here = 0, asyncio.Event()
            here.set()
        await here.wait()


async def _head(reader: asyncio.StreamReader) -> int:
    """The length of the next request's body; 0 when there is none any more."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return 0
    return next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))


def _stream(text: str) -> bytes:
    events = [delta("", role="assistant"), *(delta(text[at : at + 4]) for at in range(0, len(text), 4)), delta(finish="stop")]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n\r\n"
    return f"{head}{body}".encode()
