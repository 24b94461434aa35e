"""Traces read back: the lines of a file, put together by run.

In: a file that `Tracer` or `react-agent run --trace` wrote.  Out: runs, each with its lines in order and the whole messages of
each request.  A line that is none, as the last one of a run that was killed, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.messages import Json


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its id, and its lines as they were written, except that each request has all its messages."""

    id: str
    lines: tuple[Json, ...]


def read(path: str | Path) -> tuple[Run, ...]:
    """The runs of a trace, in the order in which they began.

    Raises:
        UsageError: the file cannot be read, or holds no trace.
    """
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read the trace {path}: {error.strerror}") from None
    runs: dict[str, list[Json]] = {}
    for line in _lines(text):
        runs.setdefault(str(line.get("run", "")), []).append(line)
    if not runs:
        raise UsageError(f"{path} is no trace: write one with `react-agent run --trace FILE` or `Agent(trace=…)`")
    return tuple(Run(run, tuple(_whole(lines))) for run, lines in runs.items())


def _lines(text: str) -> Iterator[Json]:
    for line in text.split("\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("event"), str):
            yield value


def _whole(lines: list[Json]) -> Iterator[Json]:
    """The lines, with the messages that a request shares with the one before put back."""
    messages: list[Json] = []
    for line in lines:
        match line:
            case {"event": "AskModel", "request": {"messages": list(new)} as request}:
                same = line.get("same", 0)
                messages = [*messages[: same if isinstance(same, int) else 0], *new]
                yield {**line, "request": {**request, "messages": messages}}
            case _:
                yield line
