"""The I/O of a completion: the only code there is twice, once blocking and once asynchronous.

In: the steps of `exchange`.  Out: its pieces; what a step asks for is done, and an exception becomes a `Fault` for the flow.
Requests go through the SDK's low-level `post`: the SDK builds and sends them, the answer is taken as the bytes that come; when
to try again is not left to the SDK.  A line serves one completion, within `seconds` if they are given; closing its iterator
hangs up.
"""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from react_agent.events import ModelChunk, ModelFailure, ModelPiece
from react_agent.messages import Json

from .asking import Ask, Exchange, Look, Open, Plan, Read, Rest, Wait
from .clients import Clients
from .faults import Fault, fault_of
from .helper import Helper

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable

    import openai

T = TypeVar("T")

PATH = "/chat/completions"
REST_TIMEOUT = 0.05  # seconds; the end of an answer comes with its last words, or never
PAGE_TIMEOUT = 5.0  # seconds; pages are asked for to help, so they must not keep anyone waiting


class Clock:
    """The time a line has; without `seconds` it has all there is."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds until the end, never negative; None when there is no end."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def within(self, seconds: float | None) -> float | None:
        """The seconds that are left of `seconds`; None when neither ends."""
        return min((limit for limit in (self.left, seconds) if limit is not None), default=None)

    def plan(self, least: float, most: float) -> float | None:
        """A wait between the two, ending at the end at the latest; None when there is no time for the least."""
        left = self.left
        if left is not None and least > left:
            return None
        drawn = random.uniform(least, most)
        return drawn if left is None else min(drawn, left)


class Line:
    """Blocking."""

    def __init__(self, clients: Clients, seconds: float | None = None) -> None:
        self._clients = clients
        self._clock = Clock(seconds)
        self._helper = Helper()
        self._stream: openai.Stream[object] | None = None
        self._blocks: Iterator[bytes] = iter(())
        self._unsent = True
        self._ended = False

    def run(self, steps: Exchange) -> Iterator[ModelPiece]:
        """The pieces the steps hand out."""
        reply: object = None
        try:
            while (step := _next(steps, reply)) is not None:
                if isinstance(step, Ask):
                    reply = self._reply(step)
                    continue
                if _is_last(step):
                    self._hang_up()
                yield step
                reply = None
        finally:
            steps.close()
            self._ended = True
            self._hang_up()
            self._helper.end()

    def answer(self, steps: Any) -> Any:
        """What a flow returns that only asks."""
        reply: object = None
        try:
            while True:
                reply = self._reply(steps.send(reply))
        except StopIteration as end:
            return end.value

    def _hang_up(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            if self._helper.busy:  # it is reading: cut the connection under it, as closing is not for two threads
                shut(stream)
                self._helper.settle()
            stream.close()

    def _reply(self, ask: Ask) -> object:
        try:
            match ask:
                case Open():
                    self._hang_up()
                    return self._opened(self._in_time(lambda: self._open(ask.body)))
                case Read():
                    return self._in_time(lambda: next(self._blocks, None))
                case Rest():
                    self._in_time(lambda: next(self._blocks, None), REST_TIMEOUT)
                    return None
                case Look():
                    return self._in_time(lambda: _look(self._clients.blocking(), ask.path, ask.body))
                case Plan(least, most):
                    return self._clock.plan(least, most)
                case Wait(seconds):
                    time.sleep(seconds)
                    return None
        except Exception as error:
            return fault_of(error)

    def _in_time(self, work: Callable[[], T], seconds: float | None = None) -> T | Fault:
        """What `work` gives, unless the time, or `seconds` of it, are up before."""
        left = self._clock.within(seconds)
        if left is None:
            return work()
        return self._helper.run(work, left) if left else LATE

    def _opened(self, opened: T | Fault) -> T | Fault:
        if opened != LATE:
            return opened
        self._ended = True  # before it is seen whether it was sent
        return UNSENT if self._unsent else LATE

    def _open(self, body: Json) -> None:
        import openai

        client = self._clients.blocking()
        self._unsent = False
        if self._ended:  # nobody waits for it
            return
        stream = client.post(
            PATH,
            cast_to=object,
            body=body,
            options=self._clients.within(self._clock.left),
            stream=True,
            stream_cls=openai.Stream[object],
        )
        self._stream, self._blocks = stream, stream.response.iter_bytes()
        if self._ended:  # meanwhile
            stream.close()


class AsyncWire(Protocol):
    """What an `AsyncLine` sends and reads with; an exception becomes the `Fault` that `fault_of` tells."""

    unsent: bool
    """Whether no completion was sent yet: the first may have to wait."""

    async def open(self, body: Json) -> Fault | None:
        """Send a completion; None when an answer has begun."""

    async def read(self) -> bytes | None:
        """More of the answer; None at its end."""

    async def look(self, path: str, body: Json | None) -> object:
        """The JSON of a page, or a `Fault`."""

    async def hang_up(self) -> None:
        """Nothing more is wanted of the answer being read, if there is one."""


class AsyncLine:
    """For an event loop."""

    def __init__(self, wire: AsyncWire, seconds: float | None = None) -> None:
        self._wire = wire
        self._clock = Clock(seconds)
        self._alarm: asyncio.TimerHandle | None = None  # one for all that is waited for up to the end
        self._waiting: asyncio.Task[Any] | None = None  # whom it interrupts
        self._late = False

    async def run(self, steps: Exchange) -> AsyncIterator[ModelPiece]:
        """The pieces the steps hand out."""
        reply: object = None
        try:
            while (step := _next(steps, reply)) is not None:
                if isinstance(step, Ask):
                    reply = await self._reply(step)
                    continue
                if _is_last(step):
                    await self._wire.hang_up()
                yield step
                reply = None
        finally:
            steps.close()
            self._silence()
            await self._wire.hang_up()

    async def answer(self, steps: Any) -> Any:
        """What a flow returns that only asks."""
        reply: object = None
        try:
            while True:
                reply = await self._reply(steps.send(reply))
        except StopIteration as end:
            return end.value
        finally:
            self._silence()

    async def _reply(self, ask: Ask) -> object:
        try:
            match ask:
                case Open():
                    await self._wire.hang_up()
                    opened = await self._in_time(lambda: self._wire.open(ask.body))
                    return UNSENT if opened == LATE and self._wire.unsent else opened
                case Read():
                    return await self._in_time(self._wire.read)
                case Rest():
                    await self._in_time(self._wire.read, REST_TIMEOUT)
                    return None
                case Look():
                    return await self._in_time(lambda: self._wire.look(ask.path, ask.body))
                case Plan(least, most):
                    return self._clock.plan(least, most)
                case Wait(seconds):
                    return await _asyncio().sleep(seconds)
        except Exception as error:
            return fault_of(error)

    async def _in_time(self, work: Callable[[], Awaitable[T]], seconds: float | None = None) -> T | Fault:
        """What `work` gives, unless the time, or `seconds` of it, are up before."""
        if seconds is not None:
            left = self._clock.within(seconds)
            return await _within(left, work()) if left else LATE
        left = self._clock.left
        if left is None:
            return await work()
        return await self._before_the_end(left, work) if left and not self._late else LATE

    async def _before_the_end(self, left: float, work: Callable[[], Awaitable[T]]) -> T | Fault:
        """As `_within`, by the one alarm of the line; a cancellation that is not of its making goes on."""
        asyncio = _asyncio()
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(left, self._ring)
        task = self._waiting = asyncio.current_task()
        try:
            return await work()
        except asyncio.CancelledError:
            if not self._late or (hasattr(task, "uncancel") and task.uncancel()):
                raise
            return LATE
        finally:
            self._waiting = None

    def _ring(self) -> None:
        self._late = True
        if self._waiting is not None:
            self._waiting.cancel()

    def _silence(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()


async def _within(seconds: float, work: Awaitable[T]) -> T | Fault:
    """As `asyncio.wait_for`, which loses a cancellation that comes together with a result (up to Python 3.11)."""
    asyncio = _asyncio()
    task, late = asyncio.current_task(), False

    def ring() -> None:
        nonlocal late
        late = True
        task.cancel()

    alarm = asyncio.get_running_loop().call_later(seconds, ring)
    try:
        return await work
    except asyncio.CancelledError:
        if not late or (hasattr(task, "uncancel") and task.uncancel()):  # somebody else has cancelled it too
            raise
        return LATE
    finally:
        alarm.cancel()


class SdkWire:
    """An `AsyncWire` over the openai SDK."""

    def __init__(self, clients: Clients) -> None:
        self.unsent = True
        self._clients = clients
        self._stream: openai.AsyncStream[object] | None = None
        self._blocks: AsyncIterator[bytes] | None = None

    async def open(self, body: Json) -> None:
        import openai

        client = await self._clients.for_a_completion()
        self.unsent = False
        self._stream = await client.post(PATH, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])
        self._blocks = self._stream.response.aiter_bytes()

    async def read(self) -> bytes | None:
        return await anext(self._blocks, None) if self._blocks else None

    async def look(self, path: str, body: Json | None) -> object:
        client = (await self._clients.of_this_loop()).with_options(timeout=PAGE_TIMEOUT)
        url = page_url(str(client.base_url), path)
        if body is None:
            return await client.get(url, cast_to=object)
        return await client.post(url, cast_to=object, body=body)

    async def hang_up(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()


LATE = Fault("deadline")
UNSENT = Fault("deadline", words="it had not been sent yet")


def page_url(base_url: str, path: str) -> str:
    """Where a page is: below the API's address, or, when `path` begins with `//`, below the root of the server."""
    if not path.startswith("//"):
        return path
    return base_url.rstrip("/").removesuffix("/v1") + path[1:]


def shut(stream: openai.Stream[object]) -> None:
    """Cut the connection of an answer, whoever reads it."""
    import socket

    network = stream.response.extensions.get("network_stream")
    found = network.get_extra_info("socket") if network is not None else None
    if isinstance(found, socket.socket):
        try:
            found.shutdown(socket.SHUT_RDWR)
        except OSError:  # it is closed already
            return


def _look(client: openai.OpenAI, path: str, body: Json | None) -> object:
    quick = client.with_options(timeout=PAGE_TIMEOUT)
    url = page_url(str(client.base_url), path)
    return quick.get(url, cast_to=object) if body is None else quick.post(url, cast_to=object, body=body)


def _asyncio() -> Any:
    import asyncio  # whoever gets here has it already, and nobody else has to load it

    return asyncio


def _is_last(piece: ModelPiece) -> bool:
    """True for the piece after which nothing is wanted: the server need not write on while the consumer works with it."""
    return isinstance(piece, ModelFailure) or (isinstance(piece, ModelChunk) and piece.last)


def _next(steps: Exchange, reply: object) -> Any:
    """The next step, None at the end."""
    try:
        return steps.send(reply)
    except StopIteration:
        return None
