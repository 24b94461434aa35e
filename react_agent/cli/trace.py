"""The trace of a run: every event and every request, as JSON lines in a file.

A file that can no longer be written ends the trace with a sentence on stderr, and not the run: the answer is worth more than
its record.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import typer

from react_agent.errors import UsageError
from react_agent.events import Event

from .lines import JsonLines
from .watch import Watcher


@contextmanager
def trace_to(path: Path) -> Iterator[Watcher]:
    """A watcher that writes to `path`, replacing what was there.

    Raises:
        UsageError: the file cannot be opened.
    """
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write the trace {path}: {error.strerror}") from None
    try:
        yield _Trace(path, file)
    finally:
        with suppress(OSError):  # what could not be written was told
            file.close()


class _Trace:
    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._write: Watcher | None = JsonLines(file, requests=True)

    def __call__(self, event: Event) -> None:
        if self._write is None:
            return
        try:
            self._write(event)
        except OSError as error:
            self._write = None
            typer.echo(f"the trace {self._path} is not complete: {error.strerror}", err=True)
