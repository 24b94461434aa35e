"""A scripted server for many connections at once, in a process of its own: it holds its answers back.

In: how many steps a run has, and what an answer waits for: some seconds, or until a whole crowd waits.  Out: the server's
address, and streams in pieces of four characters.  It does as little as can be done: who asks is measured, not the server.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.server import delta

from .stepping import reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

BACKLOG = 2_000
"""Connections that may wait to be accepted."""


@contextmanager
def holding_server(steps: int, *, seconds: float = 0.0, crowd: int = 1) -> Iterator[str]:
    """The address of a server; an answer waits for `seconds`, or until `crowd` requests wait."""
    with process(_serve, steps, seconds, crowd) as server:
        yield server.recv()


@contextmanager
def process(target: Callable[..., None], *arguments: object) -> Iterator[Connection]:
    """A process that is given a pipe to this one, and the arguments."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    started = context.Process(target=target, args=(theirs, *arguments))
    started.start()
    theirs.close()  # a process that breaks down then ends the wait for what it finds
    yield ours
    started.terminate()
    started.join()


def _serve(pipe: Connection, steps: int, seconds: float, crowd: int) -> None:
    asyncio.run(_served(pipe, steps, seconds, Everyone(crowd)))


async def _served(pipe: Connection, steps: int, seconds: float, everyone: Everyone) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while length := await _head(reader):
            body = json.loads(await reader.readexactly(length))
            await asyncio.sleep(seconds)
            await everyone.here()
            text = reply(body, steps, 0.0).text or ""
            writer.write(_stream(text))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=BACKLOG)
    pipe.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    await server.serve_forever()


class Everyone:
    """Lets nobody pass before `size` wait."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting = 0
        self._complete: asyncio.Event | None = None

    async def here(self) -> None:
        """Wait for the others."""
        complete = self._complete = self._complete or asyncio.Event()
        self._waiting += 1
        if self._waiting == self._size:
            self._waiting, self._complete = 0, None
            complete.set()
        await complete.wait()


async def _head(reader: asyncio.StreamReader) -> int:
    """The length of the next request's body; 0 when there is none any more."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionResetError):
        return 0
    return next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))


def _stream(text: str) -> bytes:
    events = [delta("", role="assistant"), *(delta(text[at : at + 4]) for at in range(0, len(text), 4)), delta(finish="stop")]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n\r\n"
    return f"{head}{body}".encode()
