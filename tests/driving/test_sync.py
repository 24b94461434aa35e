"""What only a thread knows: Ctrl-C, which ends the run and not the program."""

from __future__ import annotations

import pytest

from react_agent.engine import StopRun
from react_agent.events import CallTools, Event, Flow, ModelChunk, RunFinished, ask
from react_agent.messages import Outcome, Result, RunResult

from .playing import ASK, DONE, Pieces, in_thread


@pytest.mark.parametrize("where", ["model", "tool"])
def test_an_interrupt_ends_the_run_as_cancelled(where: str) -> None:
    seen: list[Event] = []

    def flow() -> Flow[RunResult]:
        try:
            yield from ask(ASK)
            yield from ask(CallTools(()))
        except StopRun as stop:
            yield RunFinished(RunResult(None, stop.outcome, error=stop.reason))
        return DONE

    def run_tools(_request: CallTools) -> tuple[Result, ...]:
        raise KeyboardInterrupt

    model = Pieces(KeyboardInterrupt()) if where == "model" else Pieces(ModelChunk("a", last=True))
    in_thread(flow(), model, run_tools, seen.append)
    assert isinstance(seen[-1], RunFinished)
    assert seen[-1].result.outcome is Outcome.CANCELLED
    assert seen[-1].result.error
