"""Transient faults: what is tried again, after how long, how often, and what is seen.  Numbers are reported scenarios."""

from __future__ import annotations

import threading
from email.utils import formatdate
from typing import Any

import pytest

from react_agent.events import ModelChunk, ModelPiece, ModelRequest, ReplyRestarted, RetryWaiting
from react_agent.models.asking import Plan
from react_agent.models.capability import Capabilities
from react_agent.models.failures import Situation
from react_agent.models.faults import Fault, wait_of
from react_agent.models.openai import OpenAIModel
from react_agent.models.retrying import LONGEST, Patience, Pauses
from tests.models.asking import REQUEST, Ask, failure_of, text_of
from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta

SOON = {"retry-after-ms": 1}
HERE = Situation("http://127.0.0.1:1/v1", "m", opened=True)
BUSY = Fault("status", 503, "warming up")


def model_at(server: ScriptedServer, **options: Any) -> OpenAIModel:
    return OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), **options)


def waits(pieces: list[ModelPiece]) -> list[RetryWaiting]:
    return [piece for piece in pieces if isinstance(piece, RetryWaiting)]


def calls_of(pieces: list[ModelPiece]) -> tuple[str, str, str]:
    calls = [call for piece in pieces if isinstance(piece, ModelChunk) for call in piece.tool_calls]
    return "".join(c.id for c in calls), "".join(c.name for c in calls), "".join(c.arguments for c in calls)


# --- what is tried again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_transient_fault_is_tried_again_and_seen(ask: Ask, status: int) -> None:
    with ScriptedServer([Fail(status, "not now", SOON), "ok"]) as server:
        pieces = ask(model_at(server))
        assert text_of(pieces) == "ok"
        assert len(server.requests) == 2
    (wait,) = waits(pieces)
    assert (wait.attempt, wait.failure.status, pieces[0]) == (1, status, wait)
    assert wait.seconds <= 0.0011
    assert "not now" in wait.failure.message


@pytest.mark.parametrize(
    "item",
    [Fail(400, "no"), Fail(401, "no"), Fail(404, "no"), Fail(501, "no"), Fail(429, "[insufficient_quota]", SOON),
     Raw(b"<html>log in</html>", "text/html"), Sse(delta("a"), {"error": {"message": "bad word"}})],
)  # fmt: skip
def test_what_does_not_pass_is_not_tried_again(ask: Ask, item: Any) -> None:
    with ScriptedServer(lambda body: item) as server:
        assert waits(ask(model_at(server))) == []


def test_70_retry_after_is_kept(ask: Ask) -> None:
    with ScriptedServer([Fail(429, "slow down", {"retry-after": "0.03"}), "ok"]) as server:
        (wait,) = waits(ask(model_at(server)))
    assert 0.03 <= wait.seconds <= 0.0331


def test_70_retry_after_may_be_a_date(ask: Ask) -> None:
    past = {"retry-after": formatdate(0, usegmt=True)}
    with ScriptedServer([Fail(429, "slow down", past), "ok"]) as server:
        (wait,) = waits(ask(model_at(server)))
    assert wait.seconds == 0


def test_71_tries_are_bounded(ask: Ask) -> None:
    with ScriptedServer(lambda _: Fail(429, "slow down", SOON)) as server:
        pieces = ask(model_at(server, max_retries=3))
        assert [wait.attempt for wait in waits(pieces)] == [1, 2, 3]
        assert failure_of(pieces).kind == "rate_limited"
        assert len(server.requests) == 4


def test_71_nobody_waits_longer_than_there_is_patience(ask: Ask) -> None:
    with ScriptedServer(lambda _: Fail(429, "come back tomorrow", {"retry-after": "86400"})) as server:
        pieces = ask(model_at(server))
        assert (failure_of(pieces).kind, len(server.requests)) == ("rate_limited", 1)


def test_an_error_inside_a_stream_may_pass_too(ask: Ask) -> None:
    busy = Sse({"error": {"message": "engine overloaded", "code": 503}})
    with ScriptedServer([busy, "ok"]) as server:
        assert text_of(ask(model_at(server, max_wait=0.0))) == "ok"


# --- answers that break off ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", [Sse(RESET), Sse(), Raw(b"")], ids=["reset", "nothing", "empty body"])
def test_65_a_stream_that_dies_before_its_first_chunk(ask: Ask, broken: Any) -> None:
    with ScriptedServer([broken, broken, "ok"]) as server:
        pieces = ask(model_at(server, max_wait=0.0))
        assert (text_of(pieces), len(waits(pieces))) == ("ok", 2)


@pytest.mark.parametrize(
    "end",
    [(RESET,), (), (b'data: {"choices": [{\n\n',), (delta(finish="error"), "[DONE]"), (delta(finish="abort"), "[DONE]")],
    ids=["reset", "closed", "damaged", "error", "abort"],
)
def test_64_nothing_is_shown_twice_when_the_answer_breaks_off(ask: Ask, end: Any) -> None:
    with ScriptedServer([Sse(delta("The beach"), delta(" is"), *end), Reply("The beach is wide.", chunk=3)]) as server:
        pieces = ask(model_at(server, max_wait=0.0))
        assert text_of(pieces) == "The beach is wide."
        assert ReplyRestarted() not in pieces
        assert [wait.failure.kind for wait in waits(pieces)] == ["broken_stream"]
        assert [request.body for request in server.requests] == [server.requests[0].body] * 2


def test_64_a_call_that_breaks_off_goes_on(ask: Ask) -> None:
    begun = {"index": 0, "id": "one", "function": {"name": "add", "arguments": '{"a":'}}
    again = [{"index": 0, "id": "two", "function": {"name": "add", "arguments": '{"a": 1}'}}]
    with ScriptedServer([Sse(delta(calls=[begun]), RESET), Sse(delta(calls=again), delta(finish="tool_calls"))]) as server:
        pieces = ask(model_at(server, max_wait=0.0))
    assert calls_of(pieces) == ("one", "add", '{"a": 1}')
    assert ReplyRestarted() not in pieces


@pytest.mark.parametrize("second", ["The sea is wide.", "The"])
def test_64_another_answer_is_told_as_such(ask: Ask, second: str) -> None:
    with ScriptedServer([Sse(delta("The beach"), RESET), Reply(second, chunk=2)]) as server:
        pieces = ask(model_at(server, max_wait=0.0))
    restart = pieces.index(ReplyRestarted())
    assert text_of(pieces[:restart]) == "The beach"
    assert text_of(pieces[restart:]) == second


def test_an_answer_that_breaks_off_again_and_again(ask: Ask) -> None:
    with ScriptedServer(
        [Sse(delta("ab"), RESET), Sse(delta("abcd"), RESET), Sse(delta("a"), delta("bcdef"), "[DONE]")]
    ) as server:
        pieces = ask(model_at(server, max_wait=0.0))
    assert (text_of(pieces), len(waits(pieces)), ReplyRestarted() in pieces) == ("abcdef", 2, False)


def test_a_silent_stream_is_given_up_and_asked_again(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("ab"), threading.Event()), "abc"]) as server:
        pieces = ask(model_at(server, timeout=1.0, max_wait=0.0))
        assert (text_of(pieces), [wait.failure.kind for wait in waits(pieces)]) == ("abc", ["timeout"])
        assert server.requests[0].closed_early.wait(10)


def test_characters_may_be_cut_anywhere(ask: Ask) -> None:
    line = b'\r\ndata:{"choices":[{"delta":{"content":"\xe4\xb8\xad\xf0\x9f\x98\x80"}}]}\r\n\r\n'
    cut = Sse(b": ping\r\n\r\n", *(line[at : at + 1] for at in range(len(line))), b"data:[DONE]\r\n\r\n")
    with ScriptedServer([cut]) as server:
        assert text_of(ask(model_at(server))) == "中😀"


# --- how long --------------------------------------------------------------------------------------------------------


def test_waits_double_and_are_bounded() -> None:
    pauses = Pauses(Patience(retries=8, seconds=1000))
    plans = []
    for _ in range(8):
        flow = pauses.after(BUSY, HERE)
        plans.append(next(flow))
        with pytest.raises(StopIteration) as end:
            flow.send(0.25)
        assert end.value.value.seconds == 0.25
    assert plans == [Plan(0, most) for most in (0.5, 1, 2, 4, LONGEST, LONGEST, LONGEST, LONGEST)]


def test_the_sum_of_the_waits_is_bounded() -> None:
    pauses = Pauses(Patience(retries=8, seconds=1.0))
    flow = pauses.after(BUSY, HERE)
    assert next(flow) == Plan(0, 0.5)
    with pytest.raises(StopIteration):
        flow.send(0.5)
    assert next(pauses.after(BUSY, HERE)) == Plan(0, 0.5)  # and no longer 1
    with pytest.raises(StopIteration) as end:
        next(pauses.after(Fault("status", 429, retry_after=0.6), HERE))
    assert end.value.value is None


NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": formatdate(NOW + 30, usegmt=True)}, 30),
        ({"retry-after": formatdate(NOW - 30, usegmt=True)}, 0),
        ({"retry-after": formatdate(NOW + 530, usegmt=True), "date": formatdate(NOW + 500, usegmt=True)}, 30),
        ({"retry-after": "Wed, 99 Foo 2020 00:00:00 GMT"}, None),
    ],
)
def test_how_long_an_answer_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, NOW) == seconds


# --- the time for a whole reply --------------------------------------------------------------------------------------

STUCK = {
    "before its answer": Reply("late", gate=threading.Event()),
    "inside its answer": Sse(delta("a"), delta("b"), threading.Event()),
}


@pytest.mark.parametrize("name", STUCK)
@pytest.mark.parametrize("limit", ["of the model", "of the request"])
def test_73_a_deadline_ends_a_request_whatever_the_server_does(ask: Ask, name: str, limit: str) -> None:
    request = ModelRequest(REQUEST.messages, seconds=0.3 if limit == "of the request" else 60.0)
    with ScriptedServer(lambda _: STUCK[name]) as server:
        pieces = ask(model_at(server, deadline=0.3 if limit == "of the model" else None), request)
        assert failure_of(pieces).kind == "deadline"
        assert len(server.requests) <= 1  # none, when the time was up before the server was reached
        assert all(request.closed_early.wait(10) for request in server.requests)


def test_73_a_server_that_never_answers_in_time(ask: Ask) -> None:
    with ScriptedServer(lambda _: STUCK["before its answer"]) as server:
        pieces = ask(model_at(server, timeout=0.1, deadline=0.5, max_retries=100))
    assert failure_of(pieces).kind == "deadline"
    assert {wait.failure.kind for wait in waits(pieces)} <= {"timeout"}


def test_nobody_waits_for_what_comes_after_the_deadline(ask: Ask) -> None:
    with ScriptedServer(lambda _: Fail(429, "slow down", {"retry-after": "30"})) as server:
        pieces = ask(model_at(server, deadline=20.0))
    assert (failure_of(pieces).kind, waits(pieces)) == ("rate_limited", [])


def test_a_reply_within_the_deadline_is_whole(ask: Ask) -> None:
    with ScriptedServer(["The beach is wide."]) as server:
        assert text_of(ask(model_at(server, deadline=60.0))) == "The beach is wide."


def test_hanging_up_within_the_deadline_closes_the_connection() -> None:
    with ScriptedServer([STUCK["inside its answer"]]) as server:
        stream = model_at(server, deadline=60.0).stream(REQUEST)
        next(stream)
        stream.close()  # type: ignore[attr-defined]
        assert server.requests[0].closed_early.wait(10)
