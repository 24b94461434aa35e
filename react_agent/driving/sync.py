"""Runs a flow in the calling thread.

In: a flow, a model and a way to run tools.  Out: every event of the flow, each before it is answered, so a watcher sees a
request when it is made.  The driver answers and decides nothing; the one thing it adds is Ctrl-C: while it waits for the
model or a tool, that ends the run with what is known so far.  Leaving the iterator early closes the connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from react_agent.engine import StopRun
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
    StopModel,
)
from react_agent.messages import Outcome, Result, RunResult

from .approving import Approver, approved
from .deadline import Deadline
from .ports import CANCELLED, ENDED_EARLY, Counting, Model

RunTools = Callable[[CallTools], tuple[Result, ...]]


def drive(
    flow: Flow[RunResult], model: Model, run_tools: RunTools, seconds: float | None = None, approve: Approver | None = None
) -> Iterator[Event]:
    """The events of `flow`, the last one `RunFinished`; the run ends after `seconds`, if they are given."""
    reply: Any = None
    deadline = Deadline(seconds)
    with closing(_Answers(model, run_tools, deadline, approve)) as answers, closing(flow):
        while True:
            try:
                event = flow.send(reply)
            except StopIteration:
                return
            if stop := deadline.forbids(event):
                yield flow.throw(stop)
                return
            yield event
            try:
                reply = answers.to(event)
            except KeyboardInterrupt:
                yield flow.throw(StopRun(Outcome.CANCELLED, CANCELLED))
                return


class _Answers:
    def __init__(self, model: Model, run_tools: RunTools, deadline: Deadline, approve: Approver | None) -> None:
        self._approve = approve
        self._model = model
        self._deadline = deadline
        self._run_tools = run_tools
        self._pieces: Iterator[ModelPiece] = iter(())

    def to(self, event: Event) -> Any:
        match event:
            case AskModel():
                self.close()
                self._pieces = self._model.stream(self._deadline.within(event.request))
                return next(self._pieces, ENDED_EARLY)
            case MoreFromModel():
                return next(self._pieces, ENDED_EARLY)
            case StopModel():
                return self.close()
            case CallTools():
                return self._run_tools(event)
            case Approve():
                return approved(self._approve, event)
            case CountTokens(text):
                return self._model.measure(text) if isinstance(self._model, Counting) else None
            case ModeChanged():
                return self._model.learn(event.before, works=False, refused=event.refused)
        return None

    def close(self) -> None:
        """Close the connection of the reply being read, if there is one."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()
