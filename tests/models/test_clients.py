"""Where requests go: arguments first, then the environment; no proxy on this machine."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import openai
import pytest

from react_agent.errors import UsageError
from react_agent.events import ModelFailure
from react_agent.models.capability import Capabilities
from react_agent.models.clients import AT_ONCE, DEFAULT_URL, Clients, Door, Endpoint, door_of
from react_agent.models.openai import OpenAIModel
from tests.models.asking import REQUEST, Ask, ask_in_loop, text_of
from tests.support.server import RESET, Fail, Reply, ScriptedServer, Sse, delta


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_without_settings_it_is_openai() -> None:
    assert OpenAIModel("m").base_url == DEFAULT_URL


def test_the_environment_is_used_for_what_is_left_open(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(["ok", "ok"]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url + "/")
        monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
        assert text_of(ask(OpenAIModel("m"))) == "ok"
        ask(OpenAIModel("m", api_key="from-argument"))
    assert [request.headers["authorization"] for request in server.requests] == [
        "Bearer from-environment",
        "Bearer from-argument",
    ]


def test_a_server_without_keys_needs_none(ask: Ask) -> None:
    with ScriptedServer(["ok"]) as server:
        assert text_of(ask(OpenAIModel("m", base_url=server.base_url))) == "ok"


def test_no_proxy_is_used_for_this_machine(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with ScriptedServer(["ok"]) as server:
        assert text_of(ask(OpenAIModel("m", base_url=server.base_url, max_retries=0))) == "ok"


@pytest.mark.parametrize(
    ("url", "here"),
    [("http://127.0.0.1:1/v1", True), ("http://localhost/v1", True), ("http://[::1]:8080/v1", True),
     ("http://10.0.0.5:8000/v1", False), ("https://example.org/v1", False)],
)  # fmt: skip
def test_loopback(url: str, here: bool) -> None:
    assert Endpoint(url, "", 1.0).is_loopback is here


@pytest.mark.parametrize(
    "url", ["someone:pass-word@host/v1", "ftp://someone:pass-word@host", "http://someone:p@ss-word@host:x/v1"]
)
def test_an_address_that_is_none_is_told_without_its_login(url: str) -> None:
    with pytest.raises(UsageError, match=r"base_url must look like .*@host") as error:
        OpenAIModel("m", base_url=url)
    assert not [word for word in ("someone", "ss-word") if word in str(error.value)]


@pytest.mark.parametrize("installed", [True, False], ids=["aiohttp", "httpx"])
def test_both_transports_of_a_loop_tell_the_same(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not installed:

        def lacking(**_: object) -> None:
            raise RuntimeError("the package lacks the extra")

        monkeypatch.setattr(openai, "DefaultAioHttpClient", lacking)
    scripts = [["ok"], [Sse(delta("a"), RESET)], [Fail(400, "no")], [Sse(delta("a"), threading.Event())]]
    found = []
    for script in scripts:
        with ScriptedServer(script) as server:
            model = OpenAIModel("m", base_url=server.base_url, max_retries=0, timeout=0.5, capabilities=Capabilities())
            last = ask_in_loop(model)[-1]
            found.append(last.kind if isinstance(last, ModelFailure) else "ok")
    nobody = OpenAIModel("m", base_url="http://127.0.0.1:9/v1", max_retries=0)
    assert [*found, ask_in_loop(nobody)[-1].kind] == ["ok", "broken_stream", "server", "timeout", "unreachable"]  # type: ignore[union-attr]


def test_requests_of_a_loop_begin_a_few_at_a_time_and_all_of_them() -> None:
    async def crowd() -> tuple[int, int]:
        door, inside, most, through = Door(), 0, 0, 0

        async def begin(number: int) -> None:
            nonlocal inside, most, through
            await door.enter()
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)  # as a connection is opened
            inside -= 1
            through += 1

        tasks = [asyncio.create_task(begin(number)) for number in range(3 * AT_ONCE)]
        await asyncio.sleep(0)
        for task in tasks[AT_ONCE : AT_ONCE + 10]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return most, through

    assert asyncio.run(crowd()) == (AT_ONCE, 3 * AT_ONCE - 10)


def test_all_clients_of_a_loop_have_one_door_and_no_door_keeps_a_loop() -> None:
    async def doors() -> tuple[int, weakref.ref[asyncio.AbstractEventLoop]]:
        loop = asyncio.get_running_loop()
        many = [Clients(Endpoint("http://127.0.0.1:9/v1", "", 1.0)) for _ in range(3)]
        for each in many:
            await each.for_a_completion()
        door = door_of(loop)
        inside = [asyncio.create_task(door.enter()) for _ in range(2 * AT_ONCE)]  # some wait, so it knows its loop
        await asyncio.gather(*inside)
        held = {opened[1] for each in many for opened, _ in each._by_loop.values()}
        return len(held | {door}), weakref.ref(loop)

    count, first = asyncio.run(doors())
    assert count == 1
    assert asyncio.run(doors())[0] == 1
    gc.collect()
    assert first() is None


def test_a_request_whose_time_is_up_before_it_was_sent_says_so() -> None:
    async def crowd(base_url: str) -> list[ModelFailure]:
        models = [OpenAIModel("m", base_url=base_url, max_retries=0, deadline=0.3) for _ in range(2)]
        door = door_of(asyncio.get_running_loop())
        await asyncio.gather(*(door.enter() for _ in range(AT_ONCE)))
        waiting = [asyncio.create_task(door.enter()) for _ in range(8 * AT_ONCE)]
        found = await asyncio.gather(*(last_of(model) for model in models))
        for task in waiting:
            task.cancel()
        return found

    async def last_of(model: OpenAIModel) -> ModelFailure:
        last = [piece async for piece in model.astream(REQUEST)][-1]
        assert isinstance(last, ModelFailure)
        return last

    with ScriptedServer(["ok"] * 2) as server:
        for failure in asyncio.run(crowd(server.base_url)):
            assert failure.kind == "deadline"
            assert "(it had not been sent yet)" in failure.message
        assert not server.requests


def test_a_request_whose_time_is_up_after_it_was_sent_says_nothing_of_that() -> None:
    with ScriptedServer([Reply("late", gate=threading.Event())]) as server:
        last = ask_in_loop(OpenAIModel("m", base_url=server.base_url, max_retries=0, deadline=0.5))[-1]
        assert isinstance(last, ModelFailure)
        assert (last.kind, "not been sent" in last.message) == ("deadline", False)
