"""What a completion asks of the world: the steps that are no pieces.

    Open(body)             send it                            reply: None when the server takes it, or a Fault
    Read()                 more of the answer                 reply: bytes as they came, None at the end, or a Fault
    Rest()                 the end of a complete answer       reply: None
    Look(path, body)       a page of the server               reply: the JSON value, or a Fault
    Plan(least, most)      how long to wait, by lot           reply: seconds, or None when there is no time for the least
    Wait(seconds)          wait                               reply: None

The flows in `exchange` and `lookups` yield them, the drivers in `lines` answer them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from react_agent.events import ModelPiece
from react_agent.messages import Json, Value


@dataclass(frozen=True, slots=True)
class Open(Value):
    """Send the body."""

    body: Json


@dataclass(frozen=True, slots=True)
class Read(Value):
    """Get more of the answer."""


@dataclass(frozen=True, slots=True)
class Rest(Value):
    """Read the end of an answer that has said all, so that its connection can be used again; one that stays open is left."""


@dataclass(frozen=True, slots=True)
class Look(Value):
    """Get a page: `path` below base_url, or below the root of the server when it begins with `//`; with a body it is a POST."""

    path: str
    body: Json | None = None


@dataclass(frozen=True, slots=True)
class Plan(Value):
    """Draw a time to wait between `least` and `most` seconds, so that many clients do not come back at once."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Wait(Value):
    """Wait."""

    seconds: float


Ask = Open | Read | Rest | Look | Plan | Wait
Exchange = Generator[Ask | ModelPiece, Any, None]
