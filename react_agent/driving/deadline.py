"""The time a run has.

In: seconds, or None for a run without an end.  Out: what is left, written into each request, so that the model gives up in
time.  A tool that is running is not interrupted; no tool and no request begins when the time is up, and none of the further
calls of one reply.
"""

from __future__ import annotations

import time
from dataclasses import replace

from react_agent.engine import StopRun
from react_agent.events import AskModel, CallTools, Event, ModelRequest
from react_agent.messages import Outcome


class Deadline:
    """Begins when it is made."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end

    def forbids(self, event: Event) -> StopRun | None:
        """The end of the run, when the time is up and the event asks for more."""
        if not self.over or not isinstance(event, (AskModel, CallTools)):
            return None
        return StopRun(Outcome.DEADLINE, f"the {self._seconds:g} s for the run were up")

    def within(self, request: ModelRequest) -> ModelRequest:
        """The request with the time that is left for it."""
        if self._end is None:
            return request
        left = max(0.0, self._end - time.monotonic())
        return replace(request, seconds=left if request.seconds is None else min(left, request.seconds))
