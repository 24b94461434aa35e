"""What both drivers do alike: each test drives its flow in a thread and in an event loop."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from react_agent.events import (
    CallTools,
    Event,
    Flow,
    ModeChanged,
    ModelChunk,
    ModelFailure,
    ModelPiece,
    MoreFromModel,
    RunFinished,
    StepStarted,
    StopModel,
    ask,
)
from react_agent.messages import Call, Result, RunResult

from .playing import ASK, DONE, LeaveError, Pieces, in_loop, in_thread

Drive = Callable[..., None]
either_way = pytest.mark.parametrize("drive", [in_thread, in_loop])


@either_way
def test_every_event_is_passed_on_before_it_is_answered(drive: Drive) -> None:
    seen: list[str] = []

    def flow() -> Flow[RunResult]:
        yield StepStarted(1)
        results = yield from ask(CallTools((Call("f", id="1"),), 1))
        seen.append(f"flow got {results[0].content}")
        yield RunFinished(DONE)
        return DONE

    def run_tools(request: CallTools) -> tuple[Result, ...]:
        seen.append("tool ran")
        return tuple(Result(call.id, call.name, "r") for call in request.calls)

    drive(flow(), Pieces(), run_tools, lambda event: seen.append(type(event).__name__))
    assert seen == ["StepStarted", "CallTools", "tool ran", "flow got r", "RunFinished"]


@either_way
def test_pieces_come_one_by_one(drive: Drive) -> None:
    got: list[ModelPiece] = []

    def flow() -> Flow[RunResult]:
        got.append((yield from ask(ASK)))
        got.append((yield from ask(MoreFromModel())))
        got.append((yield from ask(MoreFromModel())))
        return DONE

    drive(flow(), Pieces(ModelChunk("a"), ModelChunk("b")))
    assert got[:2] == [ModelChunk("a"), ModelChunk("b")]
    assert isinstance(got[2], ModelFailure)
    assert got[2].kind == "broken_stream"


@either_way
def test_a_stopped_reply_is_closed(drive: Drive) -> None:
    model = Pieces(ModelChunk("a"), ModelChunk("b"))
    closed: list[bool] = []

    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        closed.append(model.closed)
        yield from ask(StopModel())
        closed.append(model.closed)
        return DONE

    drive(flow(), model)
    assert closed == [False, True]


@either_way
def test_leaving_early_closes_everything(drive: Drive) -> None:
    model = Pieces(ModelChunk("a"), ModelChunk("b"))
    ended: list[str] = []

    def flow() -> Flow[RunResult]:
        try:
            yield from ask(ASK)
            yield from ask(MoreFromModel())
        finally:
            ended.append("flow")
        return DONE

    def watch(event: Event) -> None:
        if isinstance(event, MoreFromModel):
            raise LeaveError

    with pytest.raises(LeaveError):
        drive(flow(), model, watch=watch)
    assert model.closed
    assert ended == ["flow"]


@either_way
def test_what_the_flow_finds_out_is_learned(drive: Drive) -> None:
    model = Pieces()

    def flow() -> Flow[RunResult]:
        yield ModeChanged("native", "text", "refused")
        return DONE

    drive(flow(), model)
    assert model.learned == ("native", False)


@either_way
def test_errors_of_the_caller_pass(drive: Drive) -> None:
    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        return DONE

    with pytest.raises(RuntimeError, match="no key"):
        drive(flow(), Pieces(RuntimeError("no key")))
