"""Follows a run to its end, whoever looks on.

In: the events of a run and some watchers.  Out: the result and an exit code.  The driver turns Ctrl-C into an outcome while it
waits for a model or a tool; a Ctrl-C that comes between two events is turned into the same here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from react_agent.driving.ports import CANCELLED
from react_agent.events import Event, RunFinished
from react_agent.messages import Outcome, RunResult

Watcher = Callable[[Event], None]


def watch(events: Iterator[Event], watchers: Sequence[Watcher]) -> RunResult:
    """Shows each event to each watcher, the last one being `RunFinished`; its result."""
    try:
        for event in events:
            _show(event, watchers)
            if isinstance(event, RunFinished):
                return event.result
    except KeyboardInterrupt:
        pass
    last = RunFinished(RunResult(None, Outcome.CANCELLED, error=CANCELLED))
    _show(last, watchers)
    return last.result


def exit_code(result: RunResult) -> int:
    """0 completed, 130 cancelled, 1 anything else."""
    if result.ok:
        return 0
    return 130 if result.outcome is Outcome.CANCELLED else 1


def _show(event: Event, watchers: Sequence[Watcher]) -> None:
    for watcher in watchers:
        watcher(event)
