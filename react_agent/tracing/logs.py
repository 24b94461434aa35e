"""A run in the log of the program: short lines under `react_agent.run`, each with the id of the run.

In: the events of a run.  Out: records; the id is in the text and in `record.run`.  INFO: beginnings and ends.  WARNING: what a
person may have to look at.  DEBUG: calls and replies.  No prompt, argument or result is logged.
"""

from __future__ import annotations

import logging

from react_agent.events import (
    Corrected,
    Event,
    GuardTripped,
    HistoryShortened,
    ModeChanged,
    ReplyFinished,
    RetryWaiting,
    RunFinished,
    RunStarted,
    ToolFinished,
)

from .writing import TOLD_ELSEWHERE

LOGGER = logging.getLogger("react_agent.run")
logging.getLogger("react_agent").addHandler(logging.NullHandler())  # silent where the program sets up no log


class Log:
    """Logs the events of the run `run`; call it with each."""

    def __init__(self, run: str) -> None:
        self._run = run

    def __call__(self, event: Event) -> None:
        if type(event) in TOLD_ELSEWHERE:  # nearly all are
            return
        level, said = _said(event)
        if said and LOGGER.isEnabledFor(level):
            LOGGER.log(level, "run %s: %s", self._run[:8], said, extra={"run": self._run})


def _said(event: Event) -> tuple[int, str]:
    match event:
        case RunStarted(tools=tools, mode=mode):
            return logging.INFO, f"started with {len(tools)} tools, {mode} mode"
        case RunFinished(result):
            told = f"{result.outcome} after {len(result.steps)} steps, {result.usage.total_tokens} tokens"
            return (logging.INFO if result.ok else logging.WARNING), f"{told} {result.error}".rstrip()
        case GuardTripped(guard=guard):
            return logging.WARNING, f"guard {guard}"
        case RetryWaiting(attempt=attempt, seconds=seconds, failure=failure):
            return logging.WARNING, f"repetition {attempt} in {seconds:.1f} s after {failure.kind}"
        case ModeChanged(before=before, after=after, why=why):
            return logging.INFO, f"mode {before} to {after}: {why}"
        case HistoryShortened(left_out=left_out):
            return logging.INFO, f"{left_out} messages left out"
        case Corrected(reason=reason):
            return logging.DEBUG, f"correction {reason}"
        case ReplyFinished(number=number, parsed=parsed):
            return logging.DEBUG, f"reply {number}: {len(parsed.calls)} calls, {len(parsed.rejected)} rejected"
        case ToolFinished(result):
            return logging.DEBUG, f"tool {result.name}: {result.status} in {result.seconds:.3f} s"
        case _:
            return logging.DEBUG, ""
