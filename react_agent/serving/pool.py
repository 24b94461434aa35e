"""The upstreams at work: which serves a model, which are well, and the models behind them.

In: a `Config`.  Out: `Served` models, of which each remembers what its server does (`models.capability`).  An upstream that
cannot be reached is asked last until a look at it succeeds.  Everything belongs to one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import aiohttp

from react_agent.events import FailureKind
from react_agent.messages import Json
from react_agent.models.capability import Capabilities, shared_path
from react_agent.models.clients import Endpoint, endpoint
from react_agent.models.lines import AsyncWire
from react_agent.models.openai import OpenAIModel

from .config import Config, Limits, Upstream
from .refusal import Refusal
from .wire import PooledWire, new_session

MAX_MODELS = 1024  # names of models that are remembered: clients choose them
LOOK = 2.0  # seconds between two looks at the notes of other processes: a request asks them five times
MAX_LISTED = 10_000
ELSEWHERE: tuple[FailureKind, ...] = ("unreachable", "timeout", "rate_limited", "server", "broken_stream", "unauthorized")
"""Failures after which another upstream may do better."""
DOWN: tuple[FailureKind, ...] = ("unreachable", "timeout")


class Served(OpenAIModel):
    """A model of an upstream, asked over the pool of this process."""

    def __init__(self, pool: Pool, upstream: Upstream, model: str) -> None:
        super().__init__(
            model,
            base_url=upstream.base_url,
            api_key=upstream.key,
            timeout=upstream.timeout,
            max_retries=pool.limits.retries,
            max_wait=pool.limits.seconds / 4,
            capabilities=pool.notes,
        )
        self._pool = pool
        self._upstream = upstream

    def _wire(self) -> AsyncWire:
        return PooledWire(self._pool.session, self._pool.endpoint(self._upstream))


class Pool:
    """Upstreams, and one session for them all; it opens with the first request and is closed by `aclose`."""

    def __init__(self, config: Config) -> None:
        self.limits: Limits = config.limits
        self.notes = Capabilities(shared_path, look=LOOK)
        self._config = config
        self._session: aiohttp.ClientSession | None = None
        self._down: set[str] = set()
        self._watch: asyncio.Task[None] | None = None
        self.model = lru_cache(maxsize=MAX_MODELS)(self._model)
        self._endpoints = {upstream: _place(upstream) for upstream in config.upstreams}

    @property
    def session(self) -> aiohttp.ClientSession:
        """The session; watching the upstreams begins with it."""
        if self._session is None:
            self._session = new_session()
            self._watch = asyncio.create_task(self._look_around())
        return self._session

    def endpoint(self, upstream: Upstream) -> Endpoint:
        """Where an upstream is."""
        return self._endpoints[upstream]

    def candidates(self, model: str) -> tuple[Upstream, ...]:
        """The upstreams that serve a model, those that are well first.

        Raises:
            Refusal: there is none.
        """
        found = self._config.candidates(model)
        if not found:
            raise Refusal(f"no upstream serves the model {model!r:.100}", status=404, param="model", code="model_not_found")
        return tuple(sorted(found, key=lambda upstream: upstream.name in self._down)) if self._down else found

    def health(self) -> dict[str, bool]:
        """Which upstreams are well, by name."""
        return {upstream.name: upstream.name not in self._down for upstream in self._config.upstreams}

    def report(self, upstream: Upstream, *, well: bool) -> None:
        """An upstream answered, or could not be reached."""
        (self._down.discard if well else self._down.add)(upstream.name)

    async def listing(self) -> Json:
        """The models of all upstreams, each name once, from the upstream that would be asked for it."""
        pages = await asyncio.gather(*(self._listed(upstream) for upstream in self._config.upstreams))
        merged: dict[str, Json] = {}
        for upstream, models in zip(self._config.upstreams, pages, strict=True):
            for model in models:
                if upstream.serves(model["id"]):
                    merged.setdefault(model["id"], model)
        return {"object": "list", "data": list(merged.values())[:MAX_LISTED]}

    async def aclose(self) -> None:
        """Close all connections."""
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
        if self._session is not None:
            await self._session.close()
        self._session = self._watch = None

    def _model(self, upstream: Upstream, name: str) -> Served:
        return Served(self, upstream, name)

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(self._config.health)
            await asyncio.gather(*(self._listed(upstream) for upstream in self._config.upstreams))

    async def _listed(self, upstream: Upstream) -> Sequence[Json]:
        """The entries of an upstream's list of models; whether it answers at all says whether it is well."""
        try:
            page = await PooledWire(self.session, self.endpoint(upstream)).look("/models", None)
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError):
            self.report(upstream, well=False)
            return ()
        except (ValueError, RecursionError):
            page = None
        self.report(upstream, well=True)
        data = page.get("data") if isinstance(page, dict) else None
        entries = data if isinstance(data, list) else []
        return [_entry(item) for item in entries[:MAX_LISTED] if isinstance(item, dict) and isinstance(item.get("id"), str)]


def _place(upstream: Upstream) -> Endpoint:
    """Where it is and what it is sent.  A request has one credential: a login in the address comes before a key of the usual
    variables, which was not meant for this server."""
    place = endpoint(upstream.base_url, upstream.key, timeout=upstream.timeout, headers=None)
    return replace(place, key="") if upstream.has_login else place


def _entry(item: Json) -> Json:
    return {"object": "model", "created": 0, "owned_by": "upstream", **item}
