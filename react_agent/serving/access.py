"""Where the line of each request goes.

In: lines.  Out: records of the logger `react_agent.access`, for an app in another program; or text on a stream, for the program
of this package.  Making, formatting and flushing a record takes a fifth of the time of a request that is passed on, so
`Written` holds lines back and writes those of a moment together.  None is lost: the app closes it when its last request is
done, and the interpreter flushes it at its end.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import time
from contextlib import suppress
from typing import Protocol, TextIO

MOMENT = 0.2  # seconds
MANY = 1_000  # lines that are written at once, whatever the time

_log = logging.getLogger("react_agent.access")


class Access(Protocol):
    """Takes lines."""

    def __call__(self, line: str) -> None:
        """Take one."""

    def close(self) -> None:
        """No more requests are expected; what comes late is taken all the same."""


class Logged:
    """Lines as records of a logger."""

    def __call__(self, line: str) -> None:
        if _log.isEnabledFor(logging.INFO):
            _log.info("%s", line)

    def close(self) -> None:
        return


class Written:
    """Lines with their time on a stream; it is used in a running event loop until it is closed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._held: list[str] = []
        self._alarm: asyncio.TimerHandle | None = None
        self._open = True
        self._second = -1
        self._shown = ""
        atexit.register(self.flush)

    def __call__(self, line: str) -> None:
        self._held.append(f"{self._time()} {line}\n")
        if not self._open or len(self._held) >= MANY:
            self.flush()
        elif self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(MOMENT, self.flush)

    def flush(self) -> None:
        """Write what is held."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        held, self._held = self._held, []
        if held:
            with suppress(OSError, ValueError):  # nobody reads the stream any more
                self._stream.write("".join(held))
                self._stream.flush()

    def close(self) -> None:
        self._open = False
        self.flush()
        atexit.unregister(self.flush)

    def _time(self) -> str:
        now = time.time()
        if int(now) != self._second:
            self._second = int(now)
            self._shown = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
        return f"{self._shown},{int(now * 1000) % 1000:03d}"
