"""What happens to a request for an answer: read, answered, written, in one piece or as a stream.

In: a `Visit`, the body, and the reader and encoder of an API.  Out: the response.  A failure before anything was sent is an
error of that API with its status; afterwards it is the last event of the stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

from react_agent.errors import UsageError
from react_agent.events import Event
from react_agent.models.facts import checked_mode

from .answering import Began, Manner, answered
from .asked import Asked, Told
from .config import Config, checked_dialect
from .encoding import Encoder, remark
from .metrics import Metrics
from .pool import Pool
from .pulse import Pulse
from .refusal import Refusal, refusal_of
from .visit import EVENTS, Visit

MAX_NAMED = 20
"""Fixes that are named in a header."""

Numbered = tuple[int, Event]


class Service:
    """Answers requests by the pool."""

    def __init__(self, config: Config, pool: Pool, metrics: Metrics) -> None:
        self._config = config
        self._pool = pool
        self._metrics = metrics

    async def serve(self, visit: Visit, asked: Asked, encoder: Encoder) -> None:
        """Answer one request.

        Raises:
            Refusal: it cannot be answered, and nothing was sent.
        """
        manner = self.manner(visit, asked.model)
        async with aclosing(_numbered(asked, self._pool, manner)) as events:
            if asked.stream:
                await self._stream(visit, events, encoder)
            else:
                await self._whole(visit, events, encoder)

    def manner(self, visit: Visit, model: str) -> Manner:
        """How a request is served: headers come before the file, the file before what is usual.

        Raises:
            Refusal: a header names a mode or a dialect that there is not.
        """
        override = self._config.override(model)
        mode, dialect = override.mode, override.dialect
        try:
            if said := visit.header("x-react-agent-mode"):
                mode = checked_mode(said)
            if said := visit.header("x-react-agent-dialect"):
                dialect = checked_dialect(said)
        except UsageError as error:
            raise Refusal(str(error)) from None
        off = visit.header("x-react-agent-repair").lower() in ("off", "0", "false", "no")
        return Manner(mode, dialect, 0 if off else self._config.limits.rounds)

    async def _whole(self, visit: Visit, events: AsyncIterator[Numbered], encoder: Encoder) -> None:
        answers = {index: event async for index, event in events if isinstance(event, Told)}
        told = [answers[index] for index in sorted(answers)]
        for one in told:
            self._metrics.answered(one)
        _check(told)
        said = about(told)
        visit.note.update(said)
        await visit.reply_json(200, encoder.whole(told), said)

    async def _stream(self, visit: Visit, events: AsyncIterator[Numbered], encoder: Encoder) -> None:
        answers: dict[int, Told] = {}
        opened: set[int] = set()
        async with Pulse(visit) as pulse:
            async for index, event in events:
                if isinstance(event, Told):
                    self._metrics.answered(event)
                    answers[index] = event
                    if event.failure is not None:
                        return await _break(visit, pulse, encoder, refusal_of(event.failure))
                if isinstance(event, Began) and not visit.status:
                    await visit.start(200, {"content-type": EVENTS, "cache-control": "no-cache", **begun(event)})
                first = b"" if index in opened else encoder.opened(index)
                opened.add(index)
                await pulse.write(first + _written(encoder, event, index))
            told = [answers[index] for index in sorted(answers)]
            said = about(told)
            visit.note.update(said)
            return await pulse.write(remark(said) + encoder.closed(told), more=False)


def _written(encoder: Encoder, event: Event, index: int) -> bytes:
    return encoder.ended(event, index) if isinstance(event, Told) else encoder.shown(event, index)


def about(answers: Sequence[Told]) -> dict[str, str]:
    """What was done for an answer, as headers."""
    first = answers[0]
    fixes = list(dict.fromkeys(fix.name for told in answers for fix in told.fixes))[:MAX_NAMED]
    dialect = next((told.dialect for told in answers if told.dialect), "")
    return {
        "x-react-agent-mode": first.mode,
        **({"x-react-agent-dialect": dialect} if dialect else {}),
        "x-react-agent-fixes": ",".join(fixes) or "none",
        "x-react-agent-requests": str(sum(told.tries for told in answers)),
    }


def begun(began: Began) -> dict[str, str]:
    """What is known when a stream begins, as headers; the rest comes as a comment at its end."""
    dialect = {"x-react-agent-dialect": began.dialect} if began.mode != "native" else {}
    return {"x-react-agent-mode": began.mode, **dialect, "x-react-agent-upstream": began.upstream}


def _check(answers: Sequence[Told]) -> None:
    failure = next((told.failure for told in answers if told.failure is not None), None)
    if failure is not None:
        raise refusal_of(failure)


async def _break(visit: Visit, pulse: Pulse, encoder: Encoder, refusal: Refusal) -> None:
    if not visit.status:
        raise refusal
    visit.note["failed"] = refusal.code
    await pulse.write(encoder.broken(refusal), more=False)


async def _numbered(asked: Asked, pool: Pool, manner: Manner) -> AsyncGenerator[Numbered, None]:
    """The events of all answers a request wants, each with the number of its answer."""
    if asked.count == 1:
        async with aclosing(answered(asked, pool, manner)) as events:
            async for event in events:
                yield 0, event
        return
    queue: asyncio.Queue[Numbered | None] = asyncio.Queue(maxsize=64)
    tasks = [asyncio.create_task(_queued(queue, index, asked, pool, manner)) for index in range(asked.count)]
    try:
        left = len(tasks)
        while left:
            item = await queue.get()
            if item is None:
                left -= 1
            else:
                yield item
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _queued(queue: asyncio.Queue[Numbered | None], index: int, asked: Asked, pool: Pool, manner: Manner) -> None:
    try:
        async with aclosing(answered(asked, pool, manner)) as events:
            async for event in events:
                await queue.put((index, event))
    finally:
        await queue.put(None)
