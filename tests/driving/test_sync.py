"""What only a thread knows: Ctrl-C, which ends the run and not the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from react_agent.driving.sync import drive
from react_agent.driving.unfinished import NOT_BEGUN, STOPPED, Given
from react_agent.engine import StopRun
from react_agent.events import Approve, CallTools, Event, Flow, ModelChunk, Note, RunFinished, ask
from react_agent.messages import Call, Outcome, Result, RunResult

from .playing import ASK, DONE, Pieces, in_thread


@pytest.mark.parametrize("where", ["model", "tool"])
def test_an_interrupt_ends_the_run_as_cancelled(where: str) -> None:
    seen: list[Event] = []

    def flow() -> Flow[RunResult]:
        try:
            yield from ask(ASK)
            yield from ask(CallTools(()))
            yield from ask(ASK)
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


def test_what_calls_gave_before_an_interrupt_is_not_lost() -> None:
    calls = tuple(Call("mail", {"to": name}, name) for name in "abcd")
    given: list[tuple[Result, ...]] = []

    def flow() -> Flow[RunResult]:
        given.append((yield from ask(CallTools(calls))))
        with pytest.raises(StopRun) as caught:
            yield from ask(Approve(calls[0], "x"))
        yield RunFinished(RunResult(None, caught.value.outcome))
        return DONE

    def run_tools(request: CallTools, note: Note) -> Iterator[None]:
        for at in (0, 1, 3):
            note(at, None)
        yield
        note(3, Result("d", "mail", "sent"))
        note(0, Result("a", "mail", "sent"))
        raise KeyboardInterrupt

    events = list(drive(flow(), Pieces(), run_tools, approve=lambda _: pytest.fail("nobody is asked any more")))
    assert [(result.call_id, result.status, result.content) for result in given[0]] == [
        ("a", "ok", "sent"),
        ("b", "error", STOPPED),
        ("c", "error", NOT_BEGUN),
        ("d", "ok", "sent"),
    ]
    assert events[-1] == RunFinished(RunResult(None, Outcome.CANCELLED))


def test_no_call_begins_once_all_were_told_as_ended() -> None:
    given = Given((Call("mail", {}, "a"),))
    assert [result.content for result in given.ended(NOT_BEGUN)] == [NOT_BEGUN]
    with pytest.raises(KeyboardInterrupt):
        given.note(0, None)
