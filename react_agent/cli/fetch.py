"""Weights that are there when they are needed, with a progress bar on stderr while they come.

In: a name of the catalogue, or nothing for the user's own or the default.  Out: a path.  On a terminal there is one moving
bar; elsewhere (a log) a line for every tenth.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from react_agent.models import weights

from .terminal import clean, open_console


def ready(name: str | None) -> Path:
    """The weights, fetched when they are not on this machine.

    Raises:
        UsageError: there is no such name.
        WeightsError: they cannot be had.
    """
    console = open_console(sys.stderr)
    if not console.is_terminal:
        return weights.pull(name, progress=Tenths())
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        return weights.pull(name, progress=Bar(bar))


class Bar:
    """Moves a bar, which appears when there is something to show."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("", visible=False)

    def __call__(self, done: int, total: int, what: str) -> None:
        self._bar.update(self._task, completed=done, total=total, description=clean(what), visible=True)


class Tenths:
    """Writes a line whenever another tenth is done."""

    def __init__(self) -> None:
        self._next = 0

    def __call__(self, done: int, total: int, what: str) -> None:
        tenth = done * 10 // max(total, 1)
        if tenth >= self._next:
            self._next = tenth + 1
            print(f"{clean(what)}: {done / 1e9:.2f} of {total / 1e9:.2f} GB", file=sys.stderr, flush=True)
