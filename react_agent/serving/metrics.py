"""Counts what the proxy does, for Prometheus.

In: what happened.  Out: the page for `/metrics`.  Names of models come from clients and are never labels.  With several workers
the counts of all are one page, over files in the folder that PROMETHEUS_MULTIPROC_DIR names; it must be set before this module
is imported.
"""

from __future__ import annotations

import os
from functools import lru_cache

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

from .asked import Told

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


class Metrics:
    """The counts of one app."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        self.requests = Counter("react_agent_requests", "Requests, by path and status.", ("path", "status"), registry=own)
        self.seconds = Histogram("react_agent_seconds", "Time of a request.", ("path",), buckets=SECONDS, registry=own)
        self.running = Gauge("react_agent_running", "Requests at work.", registry=own, multiprocess_mode="livesum")
        self.answers = Counter("react_agent_answers", "Answers, by mode and how they ended.", ("mode", "finish"), registry=own)
        self.calls = Counter("react_agent_tool_calls", "Tool calls told to clients.", ("dialect",), registry=own)
        self.fixes = Counter("react_agent_fixes", "Repairs of tool calls and answers.", ("fix",), registry=own)
        self.again = Counter("react_agent_corrections", "Times a model was asked again.", registry=own)
        self.failures = Counter("react_agent_failures", "Requests that no upstream answered.", ("kind",), registry=own)
        self.tokens = Counter("react_agent_tokens", "Tokens, as the upstreams counted them.", ("kind",), registry=own)

        self._prompt, self._completion = self.tokens.labels("prompt"), self.tokens.labels("completion")
        # looking a series up by its labels takes longer than counting
        self._served = lru_cache(maxsize=1024)(lambda path, status: self.requests.labels(path, status))
        self._seconds = lru_cache(maxsize=1024)(lambda path: self.seconds.labels(path))
        self._answers = lru_cache(maxsize=1024)(lambda mode, finish: self.answers.labels(mode, finish))
        self._calls = lru_cache(maxsize=1024)(lambda dialect: self.calls.labels(dialect))

    def served(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._served(path, status).inc()
        self._seconds(path).observe(seconds)

    def answered(self, told: Told) -> None:
        """Count an answer."""
        if told.failure is not None:
            self.failures.labels(told.failure.kind).inc()
            return
        self._answers(told.mode, told.finish).inc()
        for call in told.calls:
            self._calls(call.dialect or "native").inc()
        for fix in told.fixes:
            self.fixes.labels(fix.name).inc()
        if told.tries > 1:
            self.again.inc(told.tries - 1)
        self._prompt.inc(told.usage.prompt_tokens)
        self._completion.inc(told.usage.completion_tokens)

    def page(self) -> bytes:
        """The counts as text."""
        registry = self._registry
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
