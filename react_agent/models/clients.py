"""The openai SDK's clients of one endpoint: one for blocking use, one for each event loop.

In: an `Endpoint`.  Out: clients, made at the first request, because importing the SDK takes about a second.  The rule: a
connection belongs to the event loop that opened it, so each loop gets a client of its own, which is closed when the loop shuts
down its asynchronous generators (as `asyncio.run` does) and not left to the garbage collector.  On this machine no proxy is
used: proxy variables that forget to except it are a common trap.

A loop may have a thousand runs.  The SDK's aiohttp transport is taken where it is installed, as the other one looks through all
connections for each request; and requests begin through a `Door`.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import threading
import weakref
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from react_agent.errors import UsageError

from .vendors import VENDORS, named, vendor_of

if TYPE_CHECKING:
    import asyncio

    import openai
    from openai._types import RequestOptions  # what the SDK's own `post` is typed with

    _Opened = tuple[openai.AsyncOpenAI, "Door"]
    _Scoped = tuple[_Opened, AsyncGenerator[_Opened, None]]

DEFAULT_URL = "https://api.openai.com/v1"
PLACEHOLDER_KEY = "none"  # the SDK insists on a key; servers without keys ignore it
GRACE = 0.25  # seconds a connection that nobody waits for any longer may outlive its time
CONNECTIONS = 10_000  # each run has its own: one that is closed while a tool runs would have to be opened again
CONNECT_TIMEOUT = 10.0  # seconds; a server that is there answers the handshake at once
AT_ONCE = 64  # requests of a loop that begin at the same time, of all models together
BEGINNING = 0.1  # seconds that counts as beginning


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go; `timeout` is how many seconds the server may be silent."""

    base_url: str
    key: str = field(repr=False)
    timeout: float
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def is_loopback(self) -> bool:
        """True for an address on this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")


def endpoint(base_url: str | None, api_key: str | None, *, timeout: float, headers: Mapping[str, str] | None) -> Endpoint:
    """The endpoint an application means, with OPENAI_BASE_URL and OPENAI_API_KEY for what it leaves open.

    The name of a vendor may stand for its address.  A vendor's own variable for the key comes before OPENAI_API_KEY.

    Raises:
        UsageError: the address is no http(s) URL, or the key or a header cannot be sent.
    """
    said = base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL
    vendor = named(said)
    url = vendor.base_url if vendor else said
    _check_url(url)
    key = api_key or os.environ.get(vendor_of(url).key) or os.environ.get("OPENAI_API_KEY") or ""
    for name, value in {"the API key": key, **(headers or {})}.items():
        _check_header(name, value)
    return Endpoint(url.rstrip("/"), key, timeout, dict(headers or {}))


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        valid = False
    if not valid:
        names = ", ".join(vendor.name for vendor in VENDORS)
        raise UsageError(f"base_url must look like http://127.0.0.1:11434/v1, or be one of {names}; got {_shown(url)!r}")


def _shown(url: str) -> str:
    """A text that is no URL, without what may be a user name and a password."""
    _, at, place = url.rpartition("@")
    return f"…@{place}" if at else url


def _check_header(name: str, value: str) -> None:
    if not (value.isascii() and value.isprintable()):
        raise UsageError(
            f"{name} holds characters that no HTTP header can carry (a line end, a typographic quote?): copy it again"
        )


class Clients:
    """Makes the clients of an endpoint when they are first wanted, and keeps them."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._blocking: openai.OpenAI | None = None
        self._by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Scoped] = weakref.WeakKeyDictionary()

    def blocking(self) -> openai.OpenAI:
        """The client for threads."""
        import openai

        with self._lock:
            if self._blocking is None:
                http = openai.DefaultHttpxClient(trust_env=not self._endpoint.is_loopback)
                self._blocking = openai.OpenAI(http_client=http, **self._options())
                weakref.finalize(self, self._blocking.close)
            return self._blocking

    async def of_this_loop(self) -> openai.AsyncOpenAI:
        """The client of the running event loop."""
        return (await self._opened())[0]

    async def for_a_completion(self) -> openai.AsyncOpenAI:
        """The same, when there is room for one more request to begin."""
        client, door = await self._opened()
        await door.enter()
        return client

    async def _opened(self) -> _Opened:
        loop = _running_loop()
        scoped = self._by_loop.get(loop)
        if scoped is None:
            scope = self._scope(loop)
            scoped = self._by_loop[loop] = (await anext(scope), scope)
        return scoped[0]

    async def _scope(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[_Opened, None]:
        """Holds a client open until the loop, or `aclose`, ends this generator."""
        import openai

        http = self._async_http(trust_env=not self._endpoint.is_loopback, limits=_limits())
        async with openai.AsyncOpenAI(http_client=http, **self._options()) as client:
            try:
                yield client, door_of(loop)
            finally:
                self._by_loop.pop(loop, None)

    def _async_http(self, **options: Any) -> Any:
        """The HTTP client that is best for many connections; it cannot be given a login in the address."""
        import openai

        if "@" not in urlsplit(self._endpoint.base_url).netloc:
            with contextlib.suppress(AttributeError, RuntimeError):  # an SDK that has none, or aiohttp is not installed
                return openai.DefaultAioHttpClient(**options)
        return openai.DefaultAsyncHttpxClient(**options)

    def within(self, seconds: float | None) -> RequestOptions:
        """Options of a request that has so many seconds left; whoever waits for it gives up first."""
        return {} if seconds is None else {"timeout": _timeout(min(seconds + GRACE, self._endpoint.timeout))}

    def _options(self) -> dict[str, Any]:
        place = self._endpoint
        return {
            "base_url": place.base_url,
            "api_key": place.key or PLACEHOLDER_KEY,
            "timeout": _timeout(place.timeout),
            "max_retries": 0,  # `retrying` does that, where users can see it
            "default_headers": place.headers,
        }

    def close(self) -> None:
        """Close the connections of the blocking client; the next request opens new ones."""
        with self._lock:
            client, self._blocking = self._blocking, None
        if client is not None:
            client.close()

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        scoped = self._by_loop.get(_running_loop())
        if scoped is not None:
            await scoped[1].aclose()


class Door:
    """Lets requests of an event loop begin, a few at a time.

    A loop that opens a thousand connections in one turn comes back to the first one when its time for connecting is long up,
    and takes a server that has answered at once for dead.
    """

    def __init__(self) -> None:
        import asyncio

        self._room = asyncio.Semaphore(AT_ONCE)

    async def enter(self) -> None:
        """Wait for room.  The loop has a turn in any case, in which it sees what servers have closed meanwhile."""
        import asyncio

        await asyncio.sleep(0)
        await self._room.acquire()
        _running_loop().call_later(BEGINNING, self._room.release)


_doors: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, weakref.ref[Door]] = weakref.WeakKeyDictionary()
_doors_lock = threading.Lock()


def door_of(loop: asyncio.AbstractEventLoop) -> Door:
    """The door of a loop, one for all clients that it has; they keep it, as it may hold the loop."""
    with _doors_lock:
        known = _doors.get(loop)
        door = known() if known is not None else None
        if door is None:
            door = Door()
            _doors[loop] = weakref.ref(door)
        return door


def _timeout(seconds: float) -> openai.Timeout:
    import openai

    return openai.Timeout(seconds, connect=min(seconds, CONNECT_TIMEOUT))


def _limits() -> Any:
    from openai import DEFAULT_CONNECTION_LIMITS  # the class is that of the HTTP library which the SDK has

    return type(DEFAULT_CONNECTION_LIMITS)(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)


def _running_loop() -> asyncio.AbstractEventLoop:
    import asyncio  # here, because whoever asks has it already, and nobody else has to load it

    return asyncio.get_running_loop()
