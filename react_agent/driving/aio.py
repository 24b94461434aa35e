"""Runs a flow in an event loop: the asynchronous twin of `sync`, with the same rules.

Cancelling the task is left to asyncio: the connection to the model is closed and the cancellation goes on.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, closing
from typing import Any

from react_agent.events import (
    Approve,
    AskModel,
    CallTools,
    CountTokens,
    Event,
    Flow,
    ModeChanged,
    ModelPiece,
    MoreFromModel,
    Note,
    StopModel,
)
from react_agent.messages import Result

from .approving import Approver, aapproved
from .deadline import Deadline
from .ports import ENDED_EARLY, Counting, Model
from .unfinished import NO_TIME, NOT_BEGUN, Given

RunTools = Callable[[CallTools, Note], AsyncGenerator[None, None]]
"""As that of `sync`."""


async def drive(
    flow: Flow[object], model: Model, run_tools: RunTools, seconds: float | None = None, approve: Approver | None = None
) -> AsyncGenerator[Event, None]:
    """The events of `flow`, the last one `RunFinished`; the run ends after `seconds`, if they are given."""
    reply: Any = None
    deadline = Deadline(seconds)
    async with aclosing(_Answers(model, run_tools, deadline, approve)) as answers:
        with closing(flow):
            while True:
                try:
                    event = flow.send(reply)
                except StopIteration:
                    return
                if stop := deadline.forbids(event):
                    yield flow.throw(stop)
                    return
                yield event
                reply = await answers.to(event)


class _Answers:
    def __init__(self, model: Model, run_tools: RunTools, deadline: Deadline, approve: Approver | None) -> None:
        self._approve = approve
        self._model = model
        self._deadline = deadline
        self._run_tools = run_tools
        self._pieces: AsyncIterator[ModelPiece] | None = None

    async def to(self, event: Event) -> Any:
        match event:
            case AskModel():
                await self.aclose()
                self._pieces = self._model.astream(self._deadline.within(event.request))
                return await self._next()
            case MoreFromModel():
                return await self._next()
            case StopModel():
                return await self.aclose()
            case CallTools():
                return await self._results(event)
            case Approve():
                return await aapproved(self._approve, event)
            case CountTokens(text):
                return await self._model.ameasure(text) if isinstance(self._model, Counting) else None
            case ModeChanged():
                return self._model.learn(event.before, works=False, refused=event.refused)
        return None

    async def _next(self) -> ModelPiece:
        return ENDED_EARLY if self._pieces is None else await anext(self._pieces, ENDED_EARLY)

    async def _results(self, event: CallTools) -> tuple[Result, ...]:
        given = Given(event.calls)
        async with aclosing(self._run_tools(event, given.note)) as run:
            async for _ in run:
                if self._deadline.over and not given.complete:
                    return given.ended(NO_TIME)
        return given.ended(NOT_BEGUN)

    async def aclose(self) -> None:
        """Close the connection of the reply being read, if there is one."""
        close = getattr(self._pieces, "aclose", None)
        if close is not None:
            await close()
