"""Runs a flow in the calling thread.

In: a flow, a model and a way to run tools.  Out: every event of the flow, each before it is answered, so a watcher sees a
request when it is made.  The driver answers and decides nothing; the one thing it adds is Ctrl-C: while it waits for the
model or a tool, that ends the run with what is known so far; what the other calls of the reply gave is part of it.  Leaving the
iterator early closes the connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    Note,
    StopModel,
)
from react_agent.messages import Outcome, Result, RunResult

from .approving import Approver, approved
from .deadline import Deadline
from .ports import CANCELLED, ENDED_EARLY, Counting, Model
from .unfinished import NO_TIME, NOT_BEGUN, Given

RunTools = Callable[[CallTools, Note], Iterable[None]]
"""Runs the calls and notes what becomes of each; it pauses where none is running."""
_MORE = (AskModel, CallTools, Approve, CountTokens)
"""What is asked for no more once the run was stopped."""


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
            if stop := answers.forbids(event) or deadline.forbids(event):
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
        self._stopped = False

    def forbids(self, event: Event) -> StopRun | None:
        """The end of the run, when it was stopped and the event asks for more."""
        return StopRun(Outcome.CANCELLED, CANCELLED) if self._stopped and isinstance(event, _MORE) else None

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
                return self._results(event)
            case Approve():
                return approved(self._approve, event)
            case CountTokens(text):
                return self._model.measure(text) if isinstance(self._model, Counting) else None
            case ModeChanged():
                return self._model.learn(event.before, works=False, refused=event.refused)
        return None

    def _results(self, event: CallTools) -> tuple[Result, ...]:
        given = Given(event.calls)
        try:
            for _ in self._run_tools(event, given.note):
                if self._deadline.over and not given.complete:
                    return given.ended(NO_TIME)
        except KeyboardInterrupt:
            self._stopped = True
        return given.ended(NOT_BEGUN)

    def close(self) -> None:
        """Close the connection of the reply being read, if there is one."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()
