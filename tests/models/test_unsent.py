"""A request whose time is up: whether it says that it was never sent, and that a late one is not sent any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from typing import Any

import openai
import pytest

from react_agent.events import ModelRequest
from react_agent.models.asking import Ask as Asked
from react_agent.models.asking import Open, Wait
from react_agent.models.clients import Clients, Endpoint
from react_agent.models.faults import Fault
from react_agent.models.lines import LATE, UNSENT, AsyncLine, Line, SdkWire
from react_agent.models.openai import OpenAIModel
from tests.models.asking import REQUEST, Ask, failure_of
from tests.support.server import Fail, ScriptedServer

Flow = Generator[Asked, Any, object]
BODY = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def blocking(clients: Clients, seconds: float, flow: Flow) -> object:
    return Line(clients, seconds).answer(flow)


def in_loop(clients: Clients, seconds: float, flow: Flow) -> object:
    async def answer() -> object:
        return await AsyncLine(SdkWire(clients), seconds).answer(flow)

    return asyncio.run(answer())


def opening() -> Flow:
    return (yield Open(BODY))


def opening_again() -> Flow:
    first = yield Open(BODY)
    assert isinstance(first, Fault)
    assert first.status == 503
    yield Wait(1.0)
    return (yield Open(BODY))


def test_without_any_time_it_says_that_nothing_was_sent(ask: Ask) -> None:
    with ScriptedServer([]) as server:
        failure = failure_of(ask(OpenAIModel("m", base_url=server.base_url), ModelRequest(REQUEST.messages, seconds=0.0)))
        assert failure.kind == "deadline"
        assert "(it had not been sent yet)" in failure.message
        assert not server.requests


@pytest.mark.parametrize("way", [blocking, in_loop])
def test_one_that_was_sent_before_is_not_called_unsent(way: Callable[[Clients, float, Flow], object]) -> None:
    with ScriptedServer([Fail(503, "warming up")]) as server:
        assert way(Clients(Endpoint(server.base_url, "", 60.0)), 1.0, opening_again()) == LATE
        assert len(server.requests) == 1


def test_one_that_gets_its_client_too_late_is_not_sent_any_more() -> None:
    loading, loaded = threading.Event(), threading.Event()

    class Slow(Clients):
        """As where the SDK is still being imported."""

        def blocking(self) -> openai.OpenAI:
            loading.wait(10)
            try:
                return super().blocking()
            finally:
                loaded.set()

    with ScriptedServer(["late", "ok"]) as server:
        slow = Slow(Endpoint(server.base_url, "", 60.0))
        assert blocking(slow, 0.1, opening()) == UNSENT
        loading.set()
        assert loaded.wait(10)
        assert blocking(Clients(Endpoint(server.base_url, "", 60.0)), 10.0, opening()) is None
        assert len(server.requests) == 1
