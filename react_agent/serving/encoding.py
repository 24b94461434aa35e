"""What an API must be able to write: whole answers, and streams of server-sent events.

In: `Asked`, the events of an answer, `Told`.  Out: JSON and bytes.  One encoder serves one request; `index` counts the answers
of a request that asked for several.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

from react_agent.events import Event
from react_agent.messages import Json

from .asked import Told
from .refusal import Refusal

compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A value as JSON; `json.dumps` makes an encoder each time."""

spaced = json.JSONEncoder(ensure_ascii=False).encode
"""The same as models write it, with a blank behind commas and colons."""

PING = b": ping\n\n"
"""Keeps a stream alive while the model is working; clients skip it."""


class Encoder(Protocol):
    """Writes the answer to one request."""

    def whole(self, answers: Sequence[Told]) -> Json:
        """The answer in one piece."""

    def opened(self, index: int) -> bytes:
        """The start of an answer in a stream."""

    def shown(self, event: Event, index: int) -> bytes:
        """A piece of it."""

    def ended(self, told: Told, index: int) -> bytes:
        """The rest of it: its calls, and how it ended."""

    def closed(self, answers: Sequence[Told]) -> bytes:
        """The end of the stream."""

    def broken(self, refusal: Refusal) -> bytes:
        """The end of a stream that failed."""


def data(value: Json, event: str = "") -> bytes:
    """One server-sent event."""
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {compact(value)}\n\n".encode("utf-8", "replace")


def remark(headers: dict[str, str]) -> bytes:
    """What is known only at the end of a stream, as a comment that clients skip."""
    return "".join(f": {name}: {value}\n" for name, value in headers.items()).encode("ascii", "replace") + b"\n"
