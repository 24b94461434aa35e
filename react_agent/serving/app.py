"""The proxy as an ASGI application.

    POST /v1/chat/completions                        with tools: answered here; else passed through
    POST /v1/messages /v1/responses                  answered here
    POST /v1/messages/count_tokens                   the tokens such a request would have
    POST /v1/completions /v1/embeddings              passed through
    GET  /v1/models /v1/models/NAME                  merged from all upstreams
    GET  /healthz /readyz /metrics

In: a `Config`.  Out: `create_app()`, to be run or mounted.  Every request has its limits, a line in the log
`react_agent.access` that holds nothing of its body, and an answer in the shape of its API, whatever goes wrong.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from react_agent.messages import Json

from . import fields, keys
from .access import Access, Logged
from .anthropic.images import without_images
from .anthropic.request import read_request as read_message_request
from .anthropic.response import MessageEncoder
from .chat.request import passes_through, read_request, wants_usage
from .chat.response import ChatEncoder
from .config import Config, Upstream
from .counting import counted
from .metrics import Metrics
from .pool import Pool
from .refusal import Refusal, anthropic_error, openai_error
from .relay import relay
from .responses.request import read_request as read_response_request
from .responses.request import told_back
from .responses.response import ResponseEncoder
from .service import Service
from .visit import GONE, Visit

_faults = logging.getLogger("react_agent.serving")

MESSAGES = "/v1/messages"
UNKNOWN = "unknown"
"""What the counts call addresses that are not served, and those that are with another method."""
MAX_PATH = 200
"""Characters of such an address that are told."""
LAST = 2.0
"""Seconds for requests that were cut off to end."""

Handler = Callable[[Visit], Awaitable[None]]


def create_app(config: Config | None = None, *, upstream: str = "", access: Access | None = None) -> Starlette:
    """The proxy, for one upstream or as a configuration says; `access` takes the line of each request, by default a logger.

        llm = create_app(upstream="http://127.0.0.1:11434/v1")
        app = Starlette(routes=[Mount("/llm", llm)], lifespan=llm.router.lifespan_context)  # it closes the connections

    Raises:
        UsageError: neither is given, or the address cannot be used.
    """
    chosen = config if config is not None else Config((Upstream(upstream),) if upstream else ())
    proxy = Proxy(chosen, access or Logged())
    routes = [
        proxy.route("/v1/chat/completions", proxy.chat),
        proxy.route(MESSAGES, proxy.messages),
        proxy.route(f"{MESSAGES}/count_tokens", proxy.count_tokens),
        proxy.route("/v1/responses", proxy.responses),
        proxy.route("/v1/completions", proxy.pass_on),
        proxy.route("/v1/embeddings", proxy.pass_on),
        proxy.route("/v1/models", proxy.models, "GET"),
        proxy.route("/v1/models/{name:path}", proxy.model, "GET"),
        proxy.route("/healthz", proxy.healthz, "GET", free=True),
        proxy.route("/readyz", proxy.readyz, "GET", free=True),
        proxy.route("/metrics", proxy.metrics_page, "GET", free=True),
    ]
    unserved = {404: proxy.unserved, 405: proxy.unserved}
    return _App(routes, lifespan=proxy.lifespan, exception_handlers=unserved)


class _App(Starlette):
    """Goes straight to the handler of an address: Starlette tries the routes one after the other, below two layers of its own.

    A slash at the end of an address of the proxy changes nothing; those of routes that were added are left as they are.
    """

    def __init__(self, routes: list[Route], **more: Any) -> None:
        super().__init__(routes=routes, **more)
        self._own = routes
        self._straight = {(method, route.path): route.app for route in routes for method in route.methods or ()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["path"].endswith("/"):
                without = {**scope, "path": scope["path"].rstrip("/")}
                scope = without if any(route.path_regex.match(_path(without)) for route in self._own) else scope
            straight = self._straight.get((scope["method"], _path(scope)))
            if straight is not None and not self.user_middleware:
                return await straight(scope, receive, send)
        await super().__call__(scope, receive, send)
        return None


class Proxy:
    """The handlers, and what they share."""

    def __init__(self, config: Config, access: Access) -> None:
        self._config = config
        self._access = access
        self._pool = Pool(config)
        self._metrics = Metrics()
        self._service = Service(config, self._pool, self._metrics)
        self._running = 0
        self.patience = config.limits.send

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Closes the connections to the upstreams at the end, when those whose work was cut off have come to theirs."""
        try:
            yield
        finally:
            end = time.monotonic() + LAST
            while self._running and time.monotonic() < end:
                await asyncio.sleep(0.01)
            await self._pool.aclose()
            self._access.close()

    def route(self, path: str, handler: Handler, method: str = "POST", *, free: bool = False) -> Route:
        """A route with the guards of every request; `free` ones need no key and always have room."""
        return Route(path, _Guarded(self, path, handler, free), methods=[method])

    async def chat(self, visit: Visit) -> None:
        raw = await visit.body(self._config.limits.body)
        body = fields.parsed(raw)
        if passes_through(body):
            upstreams = self._pool.candidates(fields.needed(body, "model"))
            return await self._relayed(visit, upstreams, "/chat/completions", raw)
        asked = read_request(body)
        encoder = ChatEncoder(asked.model, counts=wants_usage(body))
        return await visit.attended(self._service.serve(visit, asked, encoder))

    async def messages(self, visit: Visit) -> None:
        body = fields.parsed(await visit.body(self._config.limits.body))
        asked = read_message_request(body)
        await visit.attended(self._service.serve(visit, asked, MessageEncoder(asked.model)))

    async def count_tokens(self, visit: Visit) -> None:
        body, images = without_images(fields.parsed(await visit.body(self._config.limits.body)))
        asked = read_message_request(body)
        manner = self._service.manner(visit, asked.model)
        await visit.reply_json(200, {"input_tokens": await counted(asked, self._pool, manner, images)})

    async def responses(self, visit: Visit) -> None:
        body = fields.parsed(await visit.body(self._config.limits.body))
        asked = read_response_request(body)
        await visit.attended(self._service.serve(visit, asked, ResponseEncoder(asked, told_back(body))))

    async def pass_on(self, visit: Visit) -> None:
        raw = await visit.body(self._config.limits.body)
        upstreams = self._pool.candidates(fields.needed(fields.parsed(raw), "model"))
        await self._relayed(visit, upstreams, "/" + visit.path.rpartition("/")[2], raw)

    async def _relayed(self, visit: Visit, upstreams: Sequence[Upstream], path: str, raw: bytes) -> None:
        await visit.attended(relay(visit, self._pool, upstreams, path, raw), self._config.limits.seconds)

    async def models(self, visit: Visit) -> None:
        await visit.reply_json(200, await self._pool.listing())

    async def model(self, visit: Visit) -> None:
        name = visit.path.partition("/v1/models/")[2]
        found = next((model for model in (await self._pool.listing())["data"] if model["id"] == name), None)
        if found is None:
            raise Refusal(f"no upstream lists the model {name!r:.100}", status=404, param="model", code="model_not_found")
        await visit.reply_json(200, found)

    async def healthz(self, visit: Visit) -> None:
        await visit.reply_json(200, {"status": "ok"})

    async def readyz(self, visit: Visit) -> None:
        health = self._pool.health()
        ready = any(health.values())
        await visit.reply_json(200 if ready else 503, {"ready": ready, "upstreams": health})

    async def metrics_page(self, visit: Visit) -> None:
        await visit.reply(200, self._metrics.page(), {"content-type": self._metrics.content_type})

    async def guarded(self, visit: Visit, path: str, handler: Handler, free: bool) -> None:
        """Run a handler within the limits; every error becomes an answer."""
        began = time.perf_counter()
        self._running += 1
        self._metrics.running.inc()
        try:
            if not free:
                self._admit(visit)
            await handler(visit)
        except Refusal as refusal:
            await _refuse(visit, path, refusal)
        except Exception:
            _faults.exception("a request to %s failed", path)
            await _refuse(visit, path, Refusal("the proxy failed; its log says how", status=500, code="proxy_error"))
        except asyncio.CancelledError:  # the time to drain is up
            await _refuse(visit, path, Refusal("the proxy ends; try again", status=503, code="shutting_down"))
            raise
        finally:
            self._running -= 1
            self._metrics.running.dec()
            seconds = time.perf_counter() - began
            self._metrics.served(path, visit.status, seconds)
            if not free:
                said = "".join(f" {name.removeprefix('x-react-agent-')}={value}" for name, value in visit.note.items())
                self._access(f"{visit.method} {path} {visit.status} {1000 * seconds:.0f}ms{said}")

    async def unserved(self, request: Request, error: Exception) -> JSONResponse:
        """The answer to an address or a method that is not served; addresses come from clients, so the counts have none."""
        assert isinstance(error, HTTPException)
        path = _path(request.scope)
        self._metrics.served(UNKNOWN, error.status_code, 0.0)
        shown = quote(path[:MAX_PATH], errors="replace")
        self._access(f"{request.method:.20} {shown} {error.status_code} 0ms")
        said = f"{request.method} {path:.{MAX_PATH}} is not served here"
        return JSONResponse(_error(path, Refusal(said, status=error.status_code)), error.status_code, error.headers)

    def _admit(self, visit: Visit) -> None:
        keys.check(visit.header, self._config.keys)
        if self._running > self._config.limits.requests:
            raise Refusal("the proxy has all the requests it takes on at a time; try again", status=503, code="overloaded")


class _Guarded:
    """A handler as an ASGI application; a class, as starlette wraps functions in requests of its own."""

    def __init__(self, proxy: Proxy, path: str, handler: Handler, free: bool) -> None:
        self._proxy = proxy
        self._path = path
        self._handler = handler
        self._free = free

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = Visit(scope, receive, send, self._proxy.patience)
        await self._proxy.guarded(visit, self._path, self._handler, self._free)


async def _refuse(visit: Visit, path: str, refusal: Refusal) -> None:
    if visit.status:  # too late: leaving the response unfinished is the only honest end
        return
    later = {"retry-after": "1"} if refusal.status in (429, 503) else {}
    if refusal.status == GONE:
        visit.status = GONE
        return
    await visit.reply_json(refusal.status, _error(path, refusal), later)


def _error(path: str, refusal: Refusal) -> Json:
    return (anthropic_error if path.startswith(MESSAGES) else openai_error)(refusal)


def _path(scope: Scope) -> str:
    """The path below the place where the app is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))
