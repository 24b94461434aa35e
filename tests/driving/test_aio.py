from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from react_agent.driving.aio import drive
from react_agent.events import (
    AskModel,
    CallTools,
    Flow,
    ModeChanged,
    ModelChunk,
    ModelFailure,
    ModelPiece,
    ModelRequest,
    MoreFromModel,
    RunFinished,
    StopModel,
    ask,
)
from react_agent.messages import Call, Outcome, Result, RunResult

ASK = AskModel(ModelRequest(({"role": "user", "content": "x"},)))
DONE = RunResult("fine", Outcome.COMPLETED)


class Pieces:
    """A model whose stream knows whether it was closed; a pause waits for ever."""

    name = "pieces"
    mode = "auto"

    def __init__(self, *pieces: ModelPiece | None) -> None:
        self.pieces = pieces
        self.closed = False
        self.waiting = asyncio.Event()
        self.learned: bool | None = None

    def learn(self, *, native: bool) -> None:
        self.learned = native

    def stream(self, _request: ModelRequest):
        raise AssertionError("the asynchronous driver uses astream")

    async def astream(self, _request: ModelRequest) -> AsyncIterator[ModelPiece]:
        try:
            for piece in self.pieces:
                if piece is None:
                    self.waiting.set()
                    await asyncio.Event().wait()
                else:
                    yield piece
        finally:
            self.closed = True


async def run_tools(request: CallTools) -> tuple[Result, ...]:
    await asyncio.sleep(0)
    return tuple(Result(call.id, call.name, "r") for call in request.calls)


def test_a_flow_is_answered() -> None:
    got: list[object] = []

    def flow() -> Flow[RunResult]:
        got.append((yield from ask(ASK)))
        got.append((yield from ask(MoreFromModel())))
        got.append((yield from ask(MoreFromModel())))
        yield from ask(StopModel())
        got.append((yield from ask(CallTools((Call("f", id="1"),)))))
        yield ModeChanged("native", "text", "leak")
        yield RunFinished(DONE)
        return DONE

    async def main() -> Pieces:
        model = Pieces(ModelChunk("a"), ModelChunk("b"))
        names = [type(event).__name__ async for event in drive(flow(), model, run_tools)]
        assert names == ["AskModel", "MoreFromModel", "MoreFromModel", "StopModel", "CallTools", "ModeChanged", "RunFinished"]
        return model

    model = asyncio.run(main())
    assert got[:2] == [ModelChunk("a"), ModelChunk("b")]
    assert isinstance(got[2], ModelFailure)
    assert got[3] == (Result("1", "f", "r"),)
    assert model.closed
    assert model.learned is False


def test_cancelling_closes_the_connection_and_passes() -> None:
    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        yield from ask(MoreFromModel())
        return DONE

    async def main() -> Pieces:
        model = Pieces(ModelChunk("a"), None)

        async def watch() -> None:
            async for _ in drive(flow(), model, run_tools):
                pass

        task = asyncio.create_task(watch())
        await model.waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return model

    assert asyncio.run(main()).closed


def test_leaving_early_closes_the_connection() -> None:
    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        yield from ask(MoreFromModel())
        return DONE

    async def main() -> Pieces:
        model = Pieces(ModelChunk("a"), ModelChunk("b"))
        events = drive(flow(), model, run_tools)
        await anext(events)
        await anext(events)
        await events.aclose()
        return model

    assert asyncio.run(main()).closed
