"""A line that says how long nothing has come, for whoever waits at a terminal.

    读取提示 … 12 s

It appears after a second, counts in its place, and goes without leaving anything.  Only a return and blanks are written, so a
plain terminal can show it.  Between `start` and `stop` nobody else may write.
"""

from __future__ import annotations

import threading
import time
from typing import IO

from rich.cells import cell_len


class Waiting:
    """Writes to `stream`, once in `every` seconds."""

    def __init__(self, stream: IO[str], *, every: float = 1.0) -> None:
        self._stream = stream
        self._every = every
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.words = ""
        """What is waited for; may change while it waits."""

    def start(self, words: str) -> None:
        """Begin to count from 0."""
        self.stop()
        self.words = words
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._count, args=(self._over, time.monotonic()), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, with the cursor where it was at the start; nothing happens when it does not run."""
        if self._thread is not None:
            self._over.set()
            self._thread.join()
            self._thread = None

    def _count(self, over: threading.Event, begun: float) -> None:
        width = 0
        while not over.wait(self._every):
            line = f"{self.words} … {time.monotonic() - begun:.0f} s"
            self._write(line + " " * (width - cell_len(line)) + "\r")
            width = max(width, cell_len(line))
        if width:
            self._write(" " * width + "\r")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # whoever writes next finds out too, and can say so
            self._over.set()
