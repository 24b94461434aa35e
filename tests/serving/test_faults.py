"""Upstreams that die, hang, refuse or write garbage, clients that go away, many at once: all requests end, nothing is left."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from http.client import HTTPException
from typing import Any

import aiohttp
import pytest

from react_agent.models.clients import endpoint
from react_agent.serving import Limits, Upstream
from react_agent.serving.wire import BLOCK, PooledWire, new_session
from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta

from .proxying import WEATHER, proxy, wrapped
from .test_relay import body, post

TEXT = {"X-React-Agent-Mode": "text"}
BEGUN = delta("The weather in Oslo is ")
FAULTS: dict[str, Callable[[], Any]] = {
    "dies at once": lambda: Sse(RESET),
    "dies in the middle": lambda: Sse(BEGUN, RESET),
    "ends in the middle": lambda: Sse(BEGUN),
    "hangs at once": lambda: Reply("late", gate=threading.Event()),
    "hangs in the middle": lambda: Sse(BEGUN, threading.Event()),
    "writes garbage": lambda: Sse(b"data: {nonsense\n\n"),
    "writes garbage in the middle": lambda: Sse(BEGUN, b"data: {nonsense\n\n", b"\xff\n\n", threading.Event()),
    "is no API": lambda: Raw(b"<html>hello</html>", "text/html"),
    "refuses": lambda: Fail(429, "slow down", {"retry-after": "0"}),
    "fails": lambda: Fail(500, b"oh"),
}
ANSWERS = (200, 429, 500, 502, 504)


@pytest.mark.parametrize("tools", [True, False], ids=["with a tool", "passed on"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_the_request_and_leaves_no_connection(fault: str, stream: bool, tools: bool) -> None:
    asked = body(stream=stream, **({"tools": [WEATHER]} if tools else {}))
    limits = Limits(retries=0, rounds=0, seconds=20)
    with (
        ScriptedServer(lambda _: FAULTS[fault]()) as upstream,
        proxy(Upstream(upstream.base_url, timeout=1), limits=limits) as url,
    ):
        for _ in range(3):
            status, came, _ = ended(url, asked)
            assert status in ANSWERS
            if status == 200 and stream and tools:
                assert '"error":' in came.decode().split("data: ")[-1]
        assert upstream.kept_at_most(1)  # one may be kept for the next request


@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("fault", [Fail(401, "no such key"), Fail(500, b"oh"), Sse(BEGUN, RESET)], ids=["401", "500", "broken"])
def test_clients_are_told_neither_a_login_nor_what_only_the_operator_can_do(fault: Any, stream: bool, path: str) -> None:
    asked = json.loads(body(stream=stream, input="hi", tools=[WEATHER]))
    if path == "/responses":
        del asked["messages"]
        asked["tools"] = [{"type": "function", **WEATHER["function"]}]
    with (
        ScriptedServer(lambda _: fault) as upstream,
        proxy(upstream.base_url.replace("http://", "http://someone:pass-word@"), limits=Limits(retries=0, rounds=0)) as url,
    ):
        told = post(url, json.dumps(asked).encode(), path, **TEXT)[1].decode()
    assert "error" in told
    assert not [word for word in ("someone", "pass-word", "OPENAI_API_KEY", "api_key ") if word in told]


FLOODS: dict[str, Any] = {
    "text": delta("0123456789" * 400),
    "comments": b": " + b"x" * 60_000 + b"\n\n",
    "blanks": b"\n" * 60_000,
    "a line": b"x" * 60_000,
}


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_ends(flood: str, stream: bool) -> None:
    asked = body(stream=stream, tools=[WEATHER])
    with (
        ScriptedServer(lambda _: Sse(BEGUN, rest=itertools.repeat(FLOODS[flood]))) as upstream,
        proxy(upstream.base_url, limits=Limits(retries=0, rounds=0)) as url,
    ):
        assert ended(url, asked)[0] in ANSWERS
        assert all(request.closed_early.wait(20) for request in upstream.requests)


def test_a_flood_that_is_passed_on_ends_when_its_time_is_up() -> None:
    with (
        ScriptedServer(lambda _: Sse(rest=itertools.repeat(FLOODS["text"]))) as upstream,
        proxy(upstream.base_url, limits=Limits(retries=0, seconds=1)) as url,
    ):
        assert ended(url, body(stream=True))[0] == 502, "the body breaks off"
        assert upstream.requests[0].closed_early.wait(20)


def test_a_flood_lets_others_have_their_turn() -> None:
    async def turns() -> list[int]:
        """How often another task had its turn before each block that was read."""
        had = 0

        async def other() -> None:
            nonlocal had
            while True:
                had += 1
                await asyncio.sleep(0)

        seen: list[int] = []
        async with new_session() as session:
            wire = PooledWire(session, endpoint(upstream.base_url, None, timeout=20, headers=None))
            assert await wire.open({"model": "m"}) is None
            task = asyncio.create_task(other())
            while len(seen) < 300 and (block := await wire.read()):
                assert len(block) <= BLOCK
                seen.append(had)
            task.cancel()
            await wire.hang_up()
        return seen

    with ScriptedServer([Sse(rest=itertools.repeat(b": " + b"x" * 300_000 + b"\n"))]) as upstream:
        seen = asyncio.run(turns())
    assert len(seen) == 300
    assert max(Counter(seen).values()) <= 2, "the order in which a loop takes tasks may change once"


def ended(url: str, asked: bytes) -> tuple[int, bytes, Any]:
    """The response; a body that breaks off on the way of a request that is passed on is passed on as such."""
    try:
        return post(url, asked, **TEXT)
    except (OSError, HTTPException):
        return 502, b"", {}


@pytest.mark.parametrize("more", [{}, {"tools": [WEATHER]}], ids=["passed on", "with a tool"])
def test_a_kept_connection_that_is_dead_is_no_fault(more: Any) -> None:
    with ScriptedServer(lambda _: "It rains.", forgetful=True) as upstream, proxy(upstream.base_url) as url:
        assert [post(url, body(**more))[0] for _ in range(3)] == [200] * 3
        assert upstream.connections == 3


@pytest.mark.parametrize("tools", [True, False], ids=["with a tool", "passed on"])
def test_clients_that_go_away_leave_no_connection(tools: bool) -> None:
    async def leave(session: aiohttp.ClientSession, url: str) -> None:
        async with session.post(f"{url}/chat/completions", data=asked, headers=TEXT) as response:
            await response.content.readany()
            response.close()

    asked = body(stream=True, **({"tools": [WEATHER]} if tools else {}))
    with ScriptedServer(lambda _: Sse(BEGUN, threading.Event())) as upstream, proxy(upstream.base_url) as url:
        together(url, 20, leave)
        assert upstream.kept_at_most(0)
        assert all(request.closed_early.wait(20) for request in upstream.requests)


def test_a_storm_of_refusals_passes() -> None:
    storm = threading.Event()

    async def ask(session: aiohttp.ClientSession, url: str) -> tuple[int, str]:
        async with session.post(f"{url}/chat/completions", data=body(tools=[WEATHER]), headers=TEXT) as response:
            return response.status, await response.text()

    def reply(_: Any) -> Any:
        return "It rains." if storm.is_set() else Fail(429, "slow down", {"retry-after": "0"})

    with ScriptedServer(reply) as upstream, proxy(upstream.base_url, limits=Limits(retries=1)) as url:
        for status, said in together(url, 50, ask):
            assert (status, json.loads(said)["error"]["type"]) == (429, "rate_limit_error")
        assert len(upstream.requests) <= 100
        storm.set()
        assert [status for status, _ in together(url, 5, ask)] == [200] * 5
        assert upstream.kept_at_most(50)


def test_200_streams_at_once_do_not_mix() -> None:
    count, all_have_begun = 200, threading.Event()

    def reply(asked: Any) -> Any:
        mark = asked["messages"][-1]["content"].split()[-1]
        if len(upstream.requests) == count:
            all_have_begun.set()
        call = wrapped("get_weather", city=mark)
        return Sse(
            delta(f"I look at {mark} "), all_have_begun, *map(delta, (f"and {mark}.\n", call)), delta(finish="stop"), "[DONE]"
        )

    async def ask(session: aiohttp.ClientSession, url: str) -> tuple[str, str, str]:
        mark = f"city{next(numbers)}"
        asked = {
            "model": "m",
            "messages": [{"role": "user", "content": f"Weather in {mark}"}],
            "tools": [WEATHER],
            "stream": True,
        }
        async with session.post(f"{url}/chat/completions", json=asked, headers=TEXT) as response:
            *events, _ = [line[6:] for line in (await response.text()).splitlines() if line.startswith("data: ")]
        deltas = [json.loads(event)["choices"][0]["delta"] for event in events]
        calls = [call["function"]["arguments"] for each in deltas for call in each.get("tool_calls", ())]
        return mark, "".join(each.get("content", "") for each in deltas), json.loads("".join(calls))["city"]

    numbers = itertools.count()
    with ScriptedServer(reply) as upstream, proxy(upstream.base_url) as url:
        for mark, said, city in together(url, count, ask):
            assert (said, city) == (f"I look at {mark} and {mark}.", mark)
        assert upstream.kept_at_most(count)


def together(url: str, count: int, ask: Callable[[aiohttp.ClientSession, str], Awaitable[Any]]) -> list[Any]:
    """What `count` clients get that ask at the same time."""

    async def all_of_them() -> list[Any]:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            return await asyncio.gather(*(ask(session, url) for _ in range(count)))

    return asyncio.run(all_of_them())
