"""Runs the proxy as a program: one process, or several that share a port.

In: what the command line said (`Start`).  Out: a server that ends on SIGTERM or Ctrl-C when the requests at work are done, or
after `limits.drain` seconds.  Workers are new processes, so what was said reaches them by an environment variable; it holds
addresses and names of files, and no keys.
"""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import json
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from .access import Written
from .app import create_app
from .config import Config, Override, Upstream, checked_dialect, read_config

KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than clients keep theirs, so none is closed in the moment of its next use."""
COLLECT = 10_000
"""Objects that may be new before garbage is looked for among them."""
_SAID = "REACT_AGENT_PROXY"
_COUNTS = "PROMETHEUS_MULTIPROC_DIR"

OPEN = """\
WARNING: the proxy listens on {host}, so others can reach it{keys}.
It passes on whatever they send, at your cost. Without --host it listens on this machine alone."""
NO_KEYS = ", and it wants no key from them: see `react-agent proxy --new-key`"


@dataclass(frozen=True, slots=True)
class Start:
    """What the command line said; `mode` and `dialect` are for all models that the file says nothing about."""

    upstreams: tuple[str, ...] = ()
    config: str = ""
    mode: str = "auto"
    dialect: str = ""

    def read(self) -> Config:
        """The configuration that is meant.

        Raises:
            UsageError: it cannot work.
        """
        more = tuple(Upstream(url) for url in self.upstreams)
        found = read_config(Path(self.config), more) if self.config else Config(more)
        usual = Override("*", self.mode, checked_dialect(self.dialect))  # type: ignore[arg-type]  # it checks the mode
        return Config(found.upstreams, (*found.overrides, usual), found.limits, found.health, found.keys)


def run(start: Start, host: str, port: int, workers: int) -> None:
    """Serve until told to end.

    Raises:
        UsageError: the configuration cannot work.
    """
    config = start.read()
    if not is_loopback(host):
        print(OPEN.format(host=host, keys="" if config.keys else NO_KEYS), file=sys.stderr, flush=True)
    os.environ[_SAID] = json.dumps([start.upstreams, start.config, start.mode, start.dialect])
    with _counts(workers):
        uvicorn.run(
            "react_agent.serving.running:app",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            access_log=False,
            log_level="warning",
            server_header=False,
            proxy_headers=False,  # nobody asks where a client is
            ws="none",
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=round(config.limits.drain),
            timeout_worker_healthcheck=60,  # a busy machine takes its time to start a worker
        )


def app() -> ASGIApp:
    """The app of one process, as `run` said."""
    upstreams, config, mode, dialect = json.loads(os.environ[_SAID])
    _faults_to_stderr()
    served = _quiet(create_app(Start(tuple(upstreams), config, mode, dialect).read(), access=Written(sys.stderr)))
    _spare_the_collector()
    return served


def _spare_the_collector() -> None:
    """Looking for garbage is a tenth of the work of a worker, and most of what is looked at stays to its end.

    So what is there at the start is left out, and it is looked for less often: requests make hardly any.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT)


def _quiet(served: ASGIApp) -> ASGIApp:
    """The app for which the server prints nothing of each request that it has cancelled itself, when the drain is over.

    It has said in one line how many those are; then it would print a traceback of each, or that a stream was not completed.
    """

    async def quiet(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await served(scope, receive, send)
        except asyncio.CancelledError:
            _cut_off.set(True)

    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return quiet


_cut_off: ContextVar[bool] = ContextVar("cut_off", default=False)
"""Whether the request of this task was cancelled by the server."""


def _is_news(_: logging.LogRecord) -> bool:
    return not _cut_off.get()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def _counts(workers: int) -> Iterator[None]:
    """A folder in which the workers add up what they count."""
    if workers < 2 or _COUNTS in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="react-agent-counts-") as folder:
        os.environ[_COUNTS] = folder
        try:
            yield
        finally:
            del os.environ[_COUNTS]


def _faults_to_stderr() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("react_agent.serving")
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.INFO)
