"""Asks a model for one reply, blocking or in an event loop, so that each test can cover both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from react_agent.driving.ports import Model
from react_agent.events import ModelChunk, ModelFailure, ModelPiece, ModelRequest

Ask = Callable[..., list[ModelPiece]]

ADD = {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}
REQUEST = ModelRequest(messages=({"role": "user", "content": "hi"},))


def ask(model: Model, request: ModelRequest = REQUEST) -> list[ModelPiece]:
    return list(model.stream(request))


def ask_in_loop(model: Model, request: ModelRequest = REQUEST) -> list[ModelPiece]:
    async def collect() -> list[ModelPiece]:
        return [piece async for piece in model.astream(request)]

    return asyncio.run(collect())


WAYS = (ask, ask_in_loop)


def text_of(pieces: list[ModelPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, ModelChunk))


def failure_of(pieces: list[ModelPiece]) -> ModelFailure:
    """The failure a reply ends with."""
    last = pieces[-1]
    assert isinstance(last, ModelFailure), last
    return last
