"""A model that knows whether its stream was closed, and both drivers as one function each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, closing
from typing import Any

from react_agent.driving import aio, sync
from react_agent.events import AskModel, CallTools, Event, Flow, ModelPiece, ModelRequest, Note
from react_agent.messages import Mode, Outcome, Result, RunResult

ASK = AskModel(ModelRequest(({"role": "user", "content": "x"},)))
DONE = RunResult("fine", Outcome.COMPLETED)

Watch = Callable[[Event], object]
RunTools = Callable[[CallTools], tuple[Result, ...]]


class Pieces:
    """Gives pieces and raises exceptions; None waits for ever, and says in `waiting` that it does."""

    name = "pieces"
    mode = "auto"

    def __init__(self, *pieces: ModelPiece | BaseException | None) -> None:
        self.pieces = pieces
        self.closed = False
        self.waiting = asyncio.Event()
        self.learned: tuple[Mode, bool] | None = None

    constrains = False
    dialect = ""

    def learn(self, mode: Mode, *, works: bool, refused: bool = False) -> None:
        self.learned = mode, works

    def stream(self, _request: ModelRequest) -> Iterator[ModelPiece]:
        try:
            for piece in self.pieces:
                if isinstance(piece, BaseException):
                    raise piece
                assert piece is not None, "only an event loop can wait for ever"
                yield piece
        finally:
            self.closed = True

    async def astream(self, _request: ModelRequest) -> AsyncIterator[ModelPiece]:
        try:
            for piece in self.pieces:
                if isinstance(piece, BaseException):
                    raise piece
                if piece is None:
                    self.waiting.set()
                    await asyncio.Event().wait()
                else:
                    yield piece
        finally:
            self.closed = True


def no_tools(_request: CallTools) -> tuple[Result, ...]:
    raise AssertionError("no tools are called here")


def nothing(_event: Event) -> None:
    """Looks on."""


def noted(results: tuple[Result, ...], note: Note) -> Iterator[None]:
    """As if each call had run, one after the other."""
    for at, result in enumerate(results):
        note(at, None)
        note(at, result)
        yield


class LeaveError(Exception):
    """Raised by a watcher that has seen enough."""


def in_thread(flow: Flow[RunResult], model: Any, run_tools: RunTools = no_tools, watch: Watch = nothing) -> None:
    """Drive `flow` in this thread, showing each event to `watch`."""
    events: Any = sync.drive(flow, model, lambda request, note: noted(run_tools(request), note))
    with closing(events):
        for event in events:
            watch(event)


def in_loop(flow: Flow[RunResult], model: Any, run_tools: RunTools = no_tools, watch: Watch = nothing) -> None:
    """As `in_thread`, in an event loop."""

    async def run(request: CallTools, note: Note) -> AsyncGenerator[None, None]:
        await asyncio.sleep(0)
        for pause in noted(run_tools(request), note):
            yield pause

    async def main() -> None:
        async with aclosing(aio.drive(flow, model, run)) as events:
            async for event in events:
                watch(event)

    asyncio.run(main())
