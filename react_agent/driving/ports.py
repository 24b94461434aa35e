"""What the drivers need from the world: a model that streams pieces.

A model never raises for a failed request: it yields a `ModelFailure` as its last piece.  It raises only for misuse by the
caller (`UsageError`, `MissingExtraError`).  Closing the iterator closes the connection.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Literal, Protocol, runtime_checkable

from react_agent.events import ModelFailure, ModelPiece, ModelRequest
from react_agent.messages import Mode

ModeChoice = Literal["auto", "native", "constrained", "text"]

ENDED_EARLY = ModelFailure("broken_stream", "the model's stream ended before its last piece; try again")
"""Stands for the missing last piece when a model breaks its word."""

CANCELLED = "the run was stopped by the user"


@runtime_checkable
class Counting(Protocol):
    """A model that can count tokens before it is asked anything."""

    def measure(self, text: str) -> int | None:
        """The tokens of `text`; None when they cannot be counted now."""

    async def ameasure(self, text: str) -> int | None:
        """As `measure`, for an event loop."""


@runtime_checkable
class Confidential(Protocol):
    """A model that knows secrets, which must not stand in a trace."""

    def secrets(self) -> tuple[str, ...]:
        """Keys and the like."""


@runtime_checkable
class Model(Protocol):
    """A model behind some server.

    `mode` is how tools are offered: "native" function calling; "text", in the prompt; "constrained", which is text that the
    server holds to the form; "auto", native with the others to fall back to.
    """

    @property
    def name(self) -> str:
        """The model's name at its server, for messages and traces."""

    @property
    def mode(self) -> ModeChoice:
        """How the engine shall start; never "auto" once the model is known to have no working native calls."""

    @property
    def constrains(self) -> bool:
        """Whether "constrained" is worth a try before "text", as far as is known."""

    @property
    def dialect(self) -> str:
        """The dialect to write in where the user has not chosen one; "" for the usual one."""

    def learn(self, mode: Mode, *, works: bool, refused: bool = False) -> None:
        """Remember whether a mode works with this model at this server; `refused`: its failure has said so."""

    def stream(self, request: ModelRequest) -> Iterator[ModelPiece]:
        """The pieces of the reply; the last one has `last=True` or is a failure.

        Before it, `RetryWaiting` may tell of a repetition, and `ReplyRestarted` that what came so far is void.
        """

    def astream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """As `stream`, for an event loop."""
