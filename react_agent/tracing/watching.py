"""Looks on while a run happens: its log and its trace.

In: the events of a run.  Out: the same events, each logged and traced before it goes on.  A trace that cannot be written ends
with a warning in the log, and not the run: the answer is worth more than its record.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, closing, suppress

from react_agent.events import Event

from .logs import LOGGER, Log
from .writing import RunTrace, Tracer


class Watchers:
    """Those who look on at the run `run`; nothing is opened before its first event."""

    def __init__(self, run: str, model: str, tracer: Tracer | None) -> None:
        self._run, self._model, self._tracer = run, model, tracer
        self._log = Log(run)
        self._trace: RunTrace | None = None

    def see(self, event: Event) -> None:
        """Tell everyone of an event."""
        self._log(event)
        if self._tracer is None:
            return
        try:
            if self._trace is None:
                self._trace = self._tracer.start(self._run, self._model)
            self._trace(event)
        except OSError as error:
            self._tracer = None
            LOGGER.warning("run %s: the trace is not complete: %s", self._run[:8], error.strerror, extra={"run": self._run})

    def close(self) -> None:
        """The run is over."""
        if self._trace is not None:
            with suppress(OSError):  # what could not be written was told
                self._trace.close()


def observed(events: Iterator[Event], watchers: Watchers) -> Generator[Event, None, None]:
    """The events, seen by the watchers; closing it closes the run."""
    with closing(watchers):
        try:
            for event in events:
                watchers.see(event)
                yield event
        finally:
            close = getattr(events, "close", None)
            if close is not None:
                close()


async def aobserved(events: AsyncGenerator[Event, None], watchers: Watchers) -> AsyncGenerator[Event, None]:
    """As `observed`, for an event loop."""
    with closing(watchers):
        async with aclosing(events):
            async for event in events:
                watchers.see(event)
                yield event
