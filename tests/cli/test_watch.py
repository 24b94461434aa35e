"""A run is followed to its end, also when Ctrl-C comes between two events."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from react_agent.cli.watch import exit_code, watch
from react_agent.events import Event, RunFinished, StepStarted
from react_agent.messages import Outcome, RunResult

DONE = RunResult("yes", Outcome.COMPLETED)


def test_every_watcher_sees_every_event() -> None:
    one: list[Event] = []
    other: list[Event] = []
    assert watch(iter([StepStarted(1), RunFinished(DONE)]), [one.append, other.append]) == DONE
    assert one == other == [StepStarted(1), RunFinished(DONE)]


def test_ctrl_c_in_a_watcher_ends_the_run_as_cancelled() -> None:
    closed: list[str] = []
    seen: list[Event] = []

    def events() -> Iterator[Event]:
        try:
            yield StepStarted(1)
        finally:
            closed.append("closed")

    def watcher(event: Event) -> None:
        seen.append(event)
        if isinstance(event, StepStarted):
            raise KeyboardInterrupt

    result = watch(events(), [watcher])
    assert result.outcome is Outcome.CANCELLED
    assert seen[-1] == RunFinished(result)
    assert closed == ["closed"]


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (DONE, 0),
        (RunResult(None, Outcome.COMPLETED), 1),
        (RunResult("best guess", Outcome.STEP_LIMIT), 1),
        (RunResult(None, Outcome.CANCELLED), 130),
    ],
)
def test_exit_codes(result: RunResult, code: int) -> None:
    assert exit_code(result) == code
