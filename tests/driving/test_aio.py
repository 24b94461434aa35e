"""What only an event loop knows: the cancellation of the run's own task, which passes."""

from __future__ import annotations

import asyncio

import pytest

from react_agent.driving.aio import drive
from react_agent.events import CallTools, Flow, ModelChunk, MoreFromModel, ask
from react_agent.messages import Result, RunResult

from .playing import ASK, DONE, Pieces


async def no_tools(_request: CallTools) -> tuple[Result, ...]:
    raise AssertionError("no tools are called here")


def test_cancelling_closes_the_connection_and_passes() -> None:
    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        yield from ask(MoreFromModel())
        return DONE

    async def main() -> Pieces:
        model = Pieces(ModelChunk("a"), None)

        async def watch() -> None:
            async for _ in drive(flow(), model, no_tools):
                pass

        task = asyncio.create_task(watch())
        await model.waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return model

    assert asyncio.run(main()).closed
