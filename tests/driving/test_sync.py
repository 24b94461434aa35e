from __future__ import annotations

from collections.abc import Iterator

import pytest

from react_agent.driving.sync import drive
from react_agent.engine import StopRun
from react_agent.events import (
    AskModel,
    CallTools,
    Event,
    Flow,
    ModeChanged,
    ModelChunk,
    ModelFailure,
    ModelPiece,
    ModelRequest,
    MoreFromModel,
    RunFinished,
    StepStarted,
    StopModel,
    ask,
)
from react_agent.messages import Call, Outcome, Result, RunResult

ASK = AskModel(ModelRequest(({"role": "user", "content": "x"},)))
DONE = RunResult("fine", Outcome.COMPLETED)


class Pieces:
    """A model whose stream knows whether it was closed."""

    name = "pieces"
    mode = "auto"

    def __init__(self, *pieces: ModelPiece | BaseException) -> None:
        self.pieces = pieces
        self.closed = False
        self.learned: bool | None = None

    def learn(self, *, native: bool) -> None:
        self.learned = native

    def stream(self, _request: ModelRequest) -> Iterator[ModelPiece]:
        try:
            for piece in self.pieces:
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            self.closed = True

    async def astream(self, _request: ModelRequest):
        for piece in self.pieces:
            yield piece


def no_tools(_request: CallTools) -> tuple[Result, ...]:
    raise AssertionError("no tools are called here")


def test_every_event_is_passed_on_before_it_is_answered() -> None:
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

    for event in drive(flow(), Pieces(), run_tools):
        seen.append(type(event).__name__)
    assert seen == ["StepStarted", "CallTools", "tool ran", "flow got r", "RunFinished"]


def test_pieces_come_one_by_one() -> None:
    got: list[ModelPiece] = []

    def flow() -> Flow[RunResult]:
        got.append((yield from ask(ASK)))
        got.append((yield from ask(MoreFromModel())))
        got.append((yield from ask(MoreFromModel())))
        return DONE

    list(drive(flow(), Pieces(ModelChunk("a"), ModelChunk("b")), no_tools))
    assert got[:2] == [ModelChunk("a"), ModelChunk("b")]
    assert isinstance(got[2], ModelFailure)
    assert got[2].kind == "broken_stream"


def test_a_stopped_reply_is_closed() -> None:
    model = Pieces(ModelChunk("a"), ModelChunk("b"))

    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        assert not model.closed
        yield from ask(StopModel())
        assert model.closed
        return DONE

    list(drive(flow(), model, no_tools))
    assert model.closed


def test_leaving_early_closes_everything() -> None:
    model = Pieces(ModelChunk("a"), ModelChunk("b"))
    ended: list[str] = []

    def flow() -> Flow[RunResult]:
        try:
            yield from ask(ASK)
            yield from ask(MoreFromModel())
        finally:
            ended.append("flow")
        return DONE

    events = drive(flow(), model, no_tools)
    assert next(events) == ASK
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert model.closed
    assert ended == ["flow"]


def test_what_the_flow_finds_out_is_learned() -> None:
    model = Pieces()

    def flow() -> Flow[RunResult]:
        yield ModeChanged("native", "text", "refused")
        return DONE

    list(drive(flow(), model, no_tools))
    assert model.learned is False


@pytest.mark.parametrize("where", ["model", "tool"])
def test_an_interrupt_ends_the_run_as_cancelled(where: str) -> None:
    def flow() -> Flow[RunResult]:
        try:
            yield from ask(ASK)
            yield from ask(CallTools(()))
        except StopRun as stop:
            yield RunFinished(RunResult(None, stop.outcome, error=stop.reason))
        return DONE

    def run_tools(_request: CallTools) -> tuple[Result, ...]:
        raise KeyboardInterrupt

    pieces = [KeyboardInterrupt()] if where == "model" else [ModelChunk("a", last=True)]
    *_, last = drive(flow(), Pieces(*pieces), run_tools)
    assert isinstance(last, RunFinished)
    assert last.result.outcome is Outcome.CANCELLED
    assert last.result.error


def test_errors_of_the_caller_pass() -> None:
    def flow() -> Flow[RunResult]:
        yield from ask(ASK)
        return DONE

    events: Iterator[Event] = drive(flow(), Pieces(RuntimeError("no key")), no_tools)
    with pytest.raises(RuntimeError, match="no key"):
        list(events)
