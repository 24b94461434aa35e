"""One request and its response over ASGI, with the limits that every visit has.

In: what the server hands over.  Out: the body, at most so long; a response in one piece or in many.  A client that is gone, or
does not read for `send` seconds, cancels the work that is done for it, and with it the request to the upstream.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from typing import Any

from react_agent.messages import Json

from .encoding import compact
from .refusal import Refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

GONE = 499
"""What the log calls a client that has not waited."""
JSON = "application/json"
EVENTS = "text/event-stream; charset=utf-8"
UNWATCHED = 0.05
"""Seconds of a request in which nobody looks whether its client is still there: most are over by then."""


class Visit:
    """A request being answered.

    `status` is 0 until the response has begun, `written` counts its pieces, `note` is for the log.
    """

    def __init__(self, scope: Mapping[str, Any], receive: Receive, send: Send, patience: float) -> None:
        self.path: str = scope["path"]
        self.method: str = scope["method"]
        self._headers: dict[bytes, bytes] = dict(scope["headers"])
        self.status = 0
        self.written = 0
        self.note: dict[str, str] = {}
        self._receive = receive
        self._send = send
        self._patience = patience
        self._stop: Callable[[str], None] | None = None

    def header(self, name: str) -> str:
        """A header of the request, by its name in small letters; "" when it is not there."""
        return self._headers.get(name.encode(), b"").decode("latin-1")

    async def body(self, limit: int) -> bytes:
        """The body of the request.

        Raises:
            Refusal: it is longer than `limit` bytes, or the client is gone.
        """
        said = self.header("content-length")
        if said.isdecimal() and int(said) > limit:
            raise _too_long(limit)
        parts: list[bytes] = []
        length = 0
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise Refusal("the client is gone", status=GONE)
            parts.append(message.get("body", b""))
            length += len(parts[-1])
            if length > limit:
                raise _too_long(limit)
            if not message.get("more_body"):
                return b"".join(parts)

    async def reply(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """The response in one piece; it is JSON unless the headers say otherwise."""
        await self.start(status, {"content-type": JSON, "content-length": str(len(body)), **(headers or {})})
        await self.write(body, more=False)

    async def reply_json(self, status: int, value: Json, headers: Mapping[str, str] | None = None) -> None:
        """As `reply`."""
        await self.reply(status, compact(value).encode("utf-8", "replace"), headers)

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        """The head of a response in many pieces; names of headers are in small letters."""
        self.status = status
        encoded = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": encoded})

    async def write(self, data: bytes, *, more: bool = True) -> None:
        """A piece of the response; waits while the client is slow, but not for ever."""
        self.written += 1
        task = asyncio.current_task()
        assert task is not None
        alarm = asyncio.get_running_loop().call_later(self._patience, self._give_up, task)
        try:
            await self._send({"type": "http.response.body", "body": data, "more_body": more})
        finally:
            alarm.cancel()

    def _give_up(self, writing: asyncio.Task[Any]) -> None:
        if self._stop is None:
            writing.cancel()
        else:
            self._stop("gone")

    async def attended(self, work: Coroutine[Any, Any, None], seconds: float | None = None) -> None:
        """Do the work as long as the client is there, for at most so many seconds.

        Raises:
            Refusal: the time is up.
        """
        loop, task, why = asyncio.get_running_loop(), asyncio.current_task(), ""
        watch: asyncio.Task[None] | None = None
        assert task is not None

        def stop(reason: str) -> None:
            nonlocal why
            if not why:
                why = reason
                task.cancel()

        def look() -> None:
            nonlocal watch
            watch = loop.create_task(self._gone())

        self._stop = stop
        alarms = [loop.call_later(UNWATCHED, look)]
        if seconds is not None:
            alarms.append(loop.call_later(seconds, stop, "late"))
        try:
            await work
        except asyncio.CancelledError:
            if not why or (hasattr(task, "uncancel") and task.uncancel()):  # somebody else has cancelled it too
                raise
        finally:
            self._stop = None
            for alarm in alarms:
                alarm.cancel()
            if watch is not None:
                watch.cancel()
        if why:
            self.note[why] = "yes"
        if why == "late":
            raise Refusal("the time for this request was up", status=504, code="deadline_exceeded")
        if why == "gone":
            self.status = self.status or GONE

    async def _gone(self) -> None:
        """Stop the work when the client is gone."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        if self._stop is not None:
            self._stop("gone")


def _too_long(limit: int) -> Refusal:
    return Refusal(f"the body is longer than the {limit} bytes that are allowed", status=413, code="request_too_large")
