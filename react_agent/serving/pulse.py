"""A comment in a stream that is quiet, so that nothing on the way takes it for dead.

In: the pieces of the stream.  Out: the same, and a comment after each `QUIET` seconds of silence.  The rule: one thing is sent
at a time.  A piece that waits for a slow client is no silence, and a comment that waits is waited for, so that none is sent
beside or behind the end.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from .encoding import PING
from .visit import Visit

QUIET = 15.0
"""Seconds of silence."""


class Pulse:
    """Writes a stream: `async with Pulse(visit) as pulse`."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._free = False  # to send a comment: a piece was sent, and none is being sent
        self._comment: asyncio.Task[None] | None = None
        self._alarm = self._loop.call_later(QUIET, self._look)

    async def __aenter__(self) -> Pulse:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._alarm.cancel()
        if self._comment is not None:  # the stream was broken off
            self._comment.cancel()
            await asyncio.wait([self._comment])

    async def write(self, data: bytes, *, more: bool = True) -> None:
        """A piece of the stream."""
        if self._comment is not None:
            await asyncio.wait([self._comment])
        self._free = False
        await self._visit.write(data, more=more)
        self._free = more
        self._last = self._loop.time()

    def _look(self) -> None:
        left = self._last + QUIET - self._loop.time()
        if left <= 0:
            left = QUIET
            if self._free and self._comment is None:
                self._comment = self._loop.create_task(self._visit.write(PING))
                self._comment.add_done_callback(self._sent)
        self._alarm = self._loop.call_later(left, self._look)

    def _sent(self, comment: asyncio.Task[None]) -> None:
        self._comment, self._last = None, self._loop.time()
        if not comment.cancelled():
            comment.exception()  # of a client that is gone the next piece tells, too
