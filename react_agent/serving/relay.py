"""Requests that need nothing: passed on byte for byte, and the answer back, streamed as it comes.

In: the path, the body as it came, the upstreams that may take it.  Out: the upstream's status, body and content type.  An
upstream that cannot be reached, or fails before anything was passed on, is replaced by the next.  A stream that breaks off ends
in an error event; any other body that breaks off ends the connection, so that nobody takes the half for the whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import aiohttp

from react_agent.redacting import Redactor

from .config import Upstream
from .encoding import data
from .pool import Pool
from .refusal import Refusal, openai_error
from .visit import Visit
from .wire import posted

_PASSED = ("content-type", "content-length", "retry-after", "x-request-id", "openai-processing-ms", "cache-control")
_ERROR = 400
_MAX_ERROR = 1_000_000
_FAILED = (429, 500, 502, 503, 504)


async def relay(visit: Visit, pool: Pool, upstreams: Sequence[Upstream], path: str, body: bytes) -> None:
    """Pass a request on and its answer back.

    Raises:
        Refusal: no upstream can be reached.
    """
    response, key = await _opened(pool, upstreams, path, body)
    try:
        headers = {name: value for name in _PASSED if (value := response.headers.get(name)) is not None}
        headers["x-react-agent-mode"] = "pass-through"
        if response.status >= _ERROR and key:
            await _refused(visit, response, headers, key)
            return
        await visit.start(response.status, headers)
        await _passed_on(visit, response)
    finally:
        response.close()  # a connection that was read to the end has gone back to the pool already


async def _refused(visit: Visit, response: aiohttp.ClientResponse, headers: dict[str, str], key: str) -> None:
    """An error may quote the key that the client must not see."""
    said = b""
    with suppress(aiohttp.ClientError, asyncio.TimeoutError, OSError):
        async for block in response.content.iter_any():
            said += block
            if len(said) > _MAX_ERROR:
                break
    said = said.replace(key.encode(), b"***")
    await visit.start(response.status, {**headers, "content-length": str(len(said))})
    await visit.write(said, more=False)


async def _opened(pool: Pool, upstreams: Sequence[Upstream], path: str, body: bytes) -> tuple[aiohttp.ClientResponse, str]:
    """The answer of the first upstream that gives one, and the key that it was sent."""
    for left, upstream in zip(range(len(upstreams) - 1, -1, -1), upstreams, strict=True):
        place = pool.endpoint(upstream)
        try:
            response = await posted(pool.session, place, path, body)
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            pool.report(upstream, well=False)
            problem = Redactor()(str(error))
            continue
        pool.report(upstream, well=True)
        if response.status not in _FAILED or not left:
            return response, place.key
        response.close()
    raise Refusal(f"no upstream can be reached: {problem:.200}", status=502, code="upstream_unreachable")


async def _passed_on(visit: Visit, response: aiohttp.ClientResponse) -> None:
    try:
        async for block in response.content.iter_any():
            await visit.write(block)
    except (aiohttp.ClientError, asyncio.TimeoutError, OSError):
        if "event-stream" not in response.headers.get("content-type", ""):
            visit.note["broken"] = "yes"
            return
        refusal = Refusal("the upstream broke off in the middle of the answer", status=502, code="upstream_broke_off")
        await visit.write(data(openai_error(refusal)), more=False)
        return
    await visit.write(b"", more=False)
