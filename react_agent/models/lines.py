"""The I/O of a completion over the openai SDK: the only code there is twice, once blocking and once asynchronous.

In: the steps of `exchange`.  Out: its pieces; what a step asks for is done, and an exception becomes a `Fault` for the flow.
Requests go through the SDK's low-level `post`: the SDK builds them, sends them and retries; the answer is taken as the bytes
that come.  A line serves one completion; closing its iterator hangs up.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from react_agent.events import ModelChunk, ModelFailure, ModelPiece
from react_agent.messages import Json

from .clients import Clients
from .exchange import Ask, Exchange, ListModels, Open, Read
from .faults import fault_of

if TYPE_CHECKING:
    import openai

PATH = "/chat/completions"
LISTING_TIMEOUT = 5.0  # seconds; the list of models is asked for to help, so it must not keep anyone waiting


class Line:
    """Blocking."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._stream: openai.Stream[object] | None = None
        self._blocks: Iterator[bytes] = iter(())

    def run(self, steps: Exchange) -> Iterator[ModelPiece]:
        """The pieces the steps hand out."""
        reply: object = None
        try:
            while (step := _next(steps, reply)) is not None:
                if isinstance(step, (ModelChunk, ModelFailure)):
                    if _is_last(step):
                        self._hang_up()
                    yield step
                    reply = None
                else:
                    reply = self._reply(step)
        finally:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._stream is not None:
            self._stream.close()

    def offered(self) -> tuple[str, ...]:
        """The names GET /models tells; () when it fails."""
        names = self._reply(ListModels())
        return names if isinstance(names, tuple) else ()

    def _reply(self, ask: Ask) -> object:
        try:
            match ask:
                case Open(body):
                    self._open(self._clients.blocking(), body)
                    return None
                case Read():
                    return next(self._blocks, None)
                case ListModels():
                    return _list(self._clients.blocking())
        except Exception as error:
            return fault_of(error)

    def _open(self, client: openai.OpenAI, body: Json) -> None:
        import openai

        self._stream = client.post(PATH, cast_to=object, body=body, stream=True, stream_cls=openai.Stream[object])
        self._blocks = self._stream.response.iter_bytes()


class AsyncLine:
    """For an event loop."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._stream: openai.AsyncStream[object] | None = None
        self._blocks: AsyncIterator[bytes] | None = None

    async def run(self, steps: Exchange) -> AsyncIterator[ModelPiece]:
        """The pieces the steps hand out."""
        reply: object = None
        try:
            while (step := _next(steps, reply)) is not None:
                if isinstance(step, (ModelChunk, ModelFailure)):
                    if _is_last(step):
                        await self._hang_up()
                    yield step
                    reply = None
                else:
                    reply = await self._reply(step)
        finally:
            await self._hang_up()

    async def _hang_up(self) -> None:
        if self._stream is not None:
            await self._stream.close()

    async def _reply(self, ask: Ask) -> object:
        try:
            match ask:
                case Open(body):
                    await self._open(await self._clients.of_this_loop(), body)
                    return None
                case Read():
                    return await anext(self._blocks, None) if self._blocks else None
                case ListModels():
                    return await _alist(await self._clients.of_this_loop())
        except Exception as error:
            return fault_of(error)

    async def _open(self, client: openai.AsyncOpenAI, body: Json) -> None:
        import openai

        self._stream = await client.post(PATH, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])
        self._blocks = self._stream.response.aiter_bytes()


def _list(client: openai.OpenAI) -> tuple[str, ...]:
    quick = client.with_options(timeout=LISTING_TIMEOUT, max_retries=0)
    return names_of(quick.get("/models", cast_to=object))


async def _alist(client: openai.AsyncOpenAI) -> tuple[str, ...]:
    quick = client.with_options(timeout=LISTING_TIMEOUT, max_retries=0)
    return names_of(await quick.get("/models", cast_to=object))


def names_of(listing: object) -> tuple[str, ...]:
    """The names in the answer of GET /models; anything unreadable gives none."""
    rows = listing.get("data") if isinstance(listing, dict) else None
    found = (row.get("id") for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    return tuple(name for name in found if isinstance(name, str))


def _is_last(piece: ModelPiece) -> bool:
    """True for the piece after which nothing is wanted: the server need not write on while the consumer works with it."""
    return isinstance(piece, ModelFailure) or piece.last


def _next(steps: Exchange, reply: object) -> Any:
    """The next step, None at the end."""
    try:
        return steps.send(reply)
    except StopIteration:
        return None
