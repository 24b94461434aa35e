"""Comments in quiet streams: there are some, one thing is sent at a time, and nothing behind the end."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from react_agent.serving import Config, Limits, Upstream, create_app, pulse
from react_agent.serving.encoding import PING
from tests.support.server import RESET, ScriptedServer, Sse, delta

from .proxying import WEATHER
from .test_relay import body

Send = Callable[[Any], Awaitable[None]]
SLOW = 0.25
END = delta(finish="stop"), "[DONE]"


class Client:
    """An ASGI server with one client; `slow` says for which messages it waits, `gone` for which it fails."""

    def __init__(self, slow: Callable[[Any], bool], gone: Callable[[Any], bool]) -> None:
        self.sent: list[Any] = []
        self.troubles: list[Any] = []
        self._slow = slow
        self._gone = gone
        self._sending = False

    async def send(self, message: Any) -> None:
        if self._sending or (self.sent and self.sent[-1].get("more_body") is False):
            self.troubles.append(("beside or behind", message))
        self._sending = True
        try:
            if self._slow(message):
                await asyncio.sleep(SLOW)
            if self._gone(message):
                raise OSError("the client is gone")
            self.sent.append(message)
        finally:
            self._sending = False

    async def visit(self, base_url: str, opened: threading.Event) -> None:
        """A request for a stream; the upstream goes on when `opened` is set, a while later."""
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.troubles.append(context))
        asked = [{"type": "http.request", "body": body(tools=[WEATHER], stream=True), "more_body": False}]

        async def receive() -> Any:
            return asked.pop() if asked else await asyncio.Event().wait()

        asyncio.get_running_loop().call_later(4 * SLOW, opened.set)
        headers = [(b"x-react-agent-mode", b"text")]
        path = "/v1/chat/completions"
        app = create_app(Config((Upstream(base_url),), limits=Limits(retries=0, rounds=0)))
        async with app.router.lifespan_context(app):
            await app({"type": "http", "method": "POST", "path": path, "headers": headers}, receive, self.send)
        gc.collect()
        await asyncio.sleep(3 * pulse.QUIET)

    @property
    def comments(self) -> int:
        return sum(message.get("body") == PING for message in self.sent)


def is_comment(message: Any) -> bool:
    return bool(message.get("body") == PING)


def is_end(message: Any) -> bool:
    return message.get("more_body") is False


def never(_: Any) -> bool:
    return False


@pytest.mark.parametrize("last", [END, (RESET,)], ids=["ends", "breaks off"])
@pytest.mark.parametrize(
    ("slow", "gone"),
    [(never, never), (is_end, never), (is_comment, never), (never, is_comment), (lambda _: True, never), (is_end, is_end)],
    ids=["quick", "slow end", "slow comments", "comments fail", "always slow", "gone at the end"],
)
def test_one_thing_is_sent_at_a_time_and_nothing_behind_the_end(
    slow: Any, gone: Any, last: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pulse, "QUIET", 0.05)
    opened = threading.Event()
    found = Client(slow, gone)
    with ScriptedServer([Sse(delta("The weather in Oslo is fine"), opened, *last)]) as upstream, caplog.at_level(logging.ERROR):
        asyncio.run(found.visit(upstream.base_url, opened))
    assert found.troubles == []
    assert [is_end(message) for message in found.sent[1:-1]] == [False] * len(found.sent[1:-1])
    assert is_end(found.sent[-1]) is (gone is not is_end)
    assert (found.comments == 0) is (gone is is_comment)
    assert bool(caplog.records) is (gone is is_end), "of a client that fails without a word the log tells once"


def test_a_stream_that_is_quiet_for_long_has_a_comment_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "QUIET", 0.05)
    opened, found = threading.Event(), Client(never, never)
    with ScriptedServer([Sse(delta("The weather in Oslo is fine"), opened, *END)]) as upstream:
        asyncio.run(found.visit(upstream.base_url, opened))
    assert 12 <= found.comments <= 20
