"""The upstream's side of a line: completions and pages over one pool of kept connections.

In: bodies.  Out: bytes, or a `Fault`.  aiohttp does the HTTP: its share of a request is a fraction of what an SDK takes, and
the proxy is on the way of every token.  The pool is one for all upstreams of a process; a connection is closed when an answer
is left before its end, and used again otherwise.  An answer is read in blocks of bounded size, and behind a full one the others
of the process have their turn, so that an upstream that floods holds nobody else up.  Servers close kept connections without a
word, some right after a stream: a request that meets such a one is sent again on another.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import aiohttp

from react_agent.messages import Json
from react_agent.models.clients import CONNECT_TIMEOUT, Endpoint
from react_agent.models.faults import Fault, wait_of, words_of
from react_agent.models.lines import PAGE_TIMEOUT, PATH, page_url

from .encoding import compact

MAX_REFUSAL = 65_536  # bytes of an error body that are read
MAX_PAGE = 4 * 1024 * 1024
BLOCK = 16_384  # bytes of an answer that are read at once
KEEP = 30.0  # seconds an idle connection is kept


def new_session() -> aiohttp.ClientSession:
    """The pool of a process; it belongs to the running event loop."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP, ttl_dns_cache=60)
    watch = aiohttp.TraceConfig()
    watch.on_connection_reuseconn.append(_reused)
    jar = aiohttp.DummyCookieJar()
    return aiohttp.ClientSession(connector=connector, trust_env=False, cookie_jar=jar, trace_configs=[watch])


@dataclass
class _Try:
    """One try of a request, and whether it went over a connection that was used before."""

    reused: bool = False


async def _reused(_: object, context: Any, __: object) -> None:
    if isinstance(context.trace_request_ctx, _Try):
        context.trace_request_ctx.reused = True


async def posted(session: aiohttp.ClientSession, endpoint: Endpoint, path: str, data: bytes) -> aiohttp.ClientResponse:
    """The answer to a POST, its body still to be read.

    Raises:
        aiohttp.ClientError, TimeoutError, OSError: there is none.
    """
    while True:  # each round takes a dead connection out of the pool
        attempt, limit = _Try(), patience(endpoint.timeout)
        try:
            return await session.post(
                endpoint.base_url + path, data=data, headers=headers_of(endpoint), timeout=limit, trace_request_ctx=attempt
            )
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            if not attempt.reused:
                raise


@lru_cache(maxsize=64)
def patience(seconds: float) -> aiohttp.ClientTimeout:
    """The limits of a request to an upstream that may be silent for so many seconds."""
    return aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT, sock_read=seconds)


def headers_of(endpoint: Endpoint) -> dict[str, str]:
    """What goes with every request to an upstream."""
    key = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    return {"Content-Type": "application/json", "Accept-Encoding": "identity", **key, **endpoint.headers}


class PooledWire:
    """An `AsyncWire` over a session."""

    def __init__(self, session: aiohttp.ClientSession, endpoint: Endpoint) -> None:
        self.unsent = True
        self._session = session
        self._endpoint = endpoint
        self._response: aiohttp.ClientResponse | None = None

    async def open(self, body: Json) -> Fault | None:
        data = compact(body).encode()
        self.unsent = False
        response = self._response = await posted(self._session, self._endpoint, PATH, data)
        if response.status >= 400:
            return await _refused(response)
        return None

    async def read(self) -> bytes | None:
        if self._response is None:
            return None
        block = await self._response.content.read(BLOCK)
        if len(block) == BLOCK:
            await asyncio.sleep(0)  # more may be there already, and would be read without waiting
        return block or None

    async def look(self, path: str, body: Json | None) -> object:
        url = page_url(self._endpoint.base_url, path)
        url = url if "://" in url else self._endpoint.base_url + url
        limit = aiohttp.ClientTimeout(total=PAGE_TIMEOUT)
        method = "GET" if body is None else "POST"
        async with self._session.request(method, url, json=body, headers=headers_of(self._endpoint), timeout=limit) as response:
            if response.status >= 400:
                return await _refused(response)
            return json.loads(await bounded(response, MAX_PAGE))

    async def hang_up(self) -> None:
        """A connection whose answer was read to its end has gone back to the pool already; any other is closed."""
        response, self._response = self._response, None
        if response is not None:
            response.close()


async def bounded(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """The body, or about the first `limit` bytes of it."""
    parts: list[bytes] = []
    length = 0
    async for part in response.content.iter_any():
        parts.append(part)
        length += len(part)
        if length >= limit:
            break
    return b"".join(parts)


async def _refused(response: aiohttp.ClientResponse) -> Fault:
    raw = await bounded(response, MAX_REFUSAL)
    response.close()
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        said = raw.decode("utf-8", "replace")
    return Fault("status", response.status, words_of(said), retry_after=wait_of(response.headers, time.time()))
