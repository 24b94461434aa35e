"""Runs blocking work for at most a given time.

In: work and seconds.  Out: what it gives, or the fault that the time is up.  Work runs in a thread of its own, as a thread
that waits for a socket cannot be interrupted from inside; when the time is up it is left alone, and whoever gave it has to cut
what it waits for.  A helper that is never asked has no thread.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from .faults import Fault

T = TypeVar("T")

PATIENCE = 0.1  # seconds that cut work gets to notice it


class Helper:
    """One thread, for one piece of work at a time."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.busy = False

    def run(self, work: Callable[[], T], seconds: float) -> T | Fault:
        """What `work` gives or raises; a fault when it takes longer."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, daemon=True)
            self._thread.start()
        self.busy = True
        self._work.put(work)
        result: T | Fault = self._result(seconds)
        return result

    def settle(self) -> None:
        """Give work that was cut a moment to notice it."""
        try:
            self._done.get(timeout=PATIENCE)
        except queue.Empty:
            return
        self.busy = False

    def end(self) -> None:
        """Let go of the thread; it ends when it is done with its work."""
        if self._thread is not None:
            self._work.put(None)
            self._thread = None

    def _result(self, seconds: float) -> Any:
        try:
            value, error = self._done.get(timeout=seconds)
        except queue.Empty:
            return Fault("deadline")
        self.busy = False
        if error is not None:
            raise error
        return value

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                self._done.put((work(), None))
            except BaseException as error:
                self._done.put((None, error))
