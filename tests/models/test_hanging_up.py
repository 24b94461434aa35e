"""Connections: when they are closed, kept and used again."""

from __future__ import annotations

import asyncio
import itertools
import threading
from typing import Any

import pytest

from react_agent.events import ModelChunk, ModelFailure, ModelPiece
from react_agent.models.openai import OpenAIModel
from tests.models.asking import REQUEST, Ask, text_of
from tests.models.serving import model_at
from tests.support.server import Reply, ScriptedServer, Sse, delta


def test_closing_the_iterator_closes_the_connection() -> None:
    with ScriptedServer([Sse(delta("a"), threading.Event())]) as server:
        stream = model_at(server).stream(REQUEST)
        next(stream)
        stream.close()  # type: ignore[attr-defined]
        assert server.requests[0].closed_early.wait(10)


def test_the_connection_is_closed_before_the_last_piece_is_handed_out() -> None:
    with ScriptedServer([Sse(delta("a"), rest=itertools.repeat(delta("0123456789")))]) as server:
        stream = model_at(server, max_chars=50).stream(REQUEST)
        while not (isinstance(piece := next(stream), ModelChunk) and piece.last):
            pass
        assert server.requests[0].closed_early.wait(10)  # although the iterator is still open


def test_cancelling_the_task_closes_the_connection() -> None:
    async def cancel_after_first_piece(model: OpenAIModel) -> None:
        started = asyncio.Event()

        async def consume() -> None:
            async for _ in model.astream(REQUEST):
                started.set()

        task = asyncio.create_task(consume())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with ScriptedServer([Sse(delta("a"), threading.Event())]) as server:
        asyncio.run(cancel_after_first_piece(model_at(server)))
        assert server.requests[0].closed_early.wait(10)


def test_cancelling_before_the_answer_closes_the_connection() -> None:
    async def cancel(model: OpenAIModel) -> None:
        task = asyncio.create_task(anext(model.astream(REQUEST)))  # type: ignore[arg-type]
        while not server.requests:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with ScriptedServer([Reply("late", gate=threading.Event())]) as server:
        asyncio.run(cancel(model_at(server)))
        assert server.requests[0].closed_early.wait(10)


def test_one_model_serves_many_event_loops_and_threads() -> None:
    async def both(model: OpenAIModel) -> list[list[Any]]:
        async def one() -> list[Any]:
            return [piece async for piece in model.astream(REQUEST)]

        return list(await asyncio.gather(one(), one()))

    with ScriptedServer(lambda _: "ok") as server:
        model = model_at(server)
        replies = [*asyncio.run(both(model)), *asyncio.run(both(model)), list(model.stream(REQUEST))]
    assert [text_of(reply) for reply in replies] == ["ok"] * 5


def test_closing_lets_go_of_connections_and_a_later_request_makes_new_ones() -> None:
    async def twice(model: OpenAIModel) -> list[str]:
        first = text_of([piece async for piece in model.astream(REQUEST)])
        await model.aclose()
        return [first, text_of([piece async for piece in model.astream(REQUEST)])]

    with ScriptedServer(lambda _: "ok") as server:
        model = model_at(server)
        assert text_of(list(model.stream(REQUEST))) == "ok"
        model.close()
        assert text_of(list(model.stream(REQUEST))) == "ok"
        assert asyncio.run(twice(model)) == ["ok", "ok"]


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_connections_are_used_again(deadline: float | None) -> None:
    async def thrice(model: OpenAIModel) -> list[str]:
        replies = []
        for _ in range(3):
            replies.append([piece async for piece in model.astream(REQUEST)])
        return [text_of(reply) for reply in replies]

    with ScriptedServer(lambda _: "ok") as server:
        model = model_at(server, deadline=deadline)
        assert [text_of(list(model.stream(REQUEST))) for _ in range(3)] == ["ok"] * 3
        assert server.connections == 1
        assert asyncio.run(thrice(model)) == ["ok"] * 3
        assert server.connections == 2


def test_a_connection_that_stays_open_behind_the_end_is_left(ask: Ask) -> None:
    with ScriptedServer([Sse(delta("ok"), "[DONE]", threading.Event())]) as server:
        assert text_of(ask(model_at(server))) == "ok"
        assert server.requests[0].closed_early.wait(10)


@pytest.mark.parametrize("ends", [False, True])
def test_the_alarm_of_a_deadline_interrupts_nobody_who_works_with_a_piece(ends: bool) -> None:
    async def work(model: OpenAIModel) -> list[ModelPiece]:
        pieces = model.astream(REQUEST)
        found = [await anext(pieces)]  # type: ignore[arg-type]
        if ends:
            found += [piece async for piece in pieces]
        await asyncio.sleep(1.2)
        return [*found, *[piece async for piece in pieces]]

    with ScriptedServer(["ok" if ends else Sse(delta("a"), threading.Event())]) as server:
        last = asyncio.run(work(model_at(server, deadline=1.0)))[-1]
    assert last.last if isinstance(last, ModelChunk) else (isinstance(last, ModelFailure) and last.kind == "deadline")
    assert isinstance(last, ModelChunk) is ends


def test_a_cancellation_within_the_deadline_goes_on() -> None:
    async def cancel(model: OpenAIModel) -> None:
        pieces = model.astream(REQUEST)
        await anext(pieces)  # type: ignore[arg-type]
        reading = asyncio.create_task(anext(pieces))  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    with ScriptedServer([Sse(delta("a"), threading.Event())]) as server:
        asyncio.run(cancel(model_at(server, deadline=60.0)))
        assert server.requests[0].closed_early.wait(10)
