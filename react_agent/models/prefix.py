"""Does a server go on with what the assistant has begun to say?

    user: Write the days of the week, beginning with Monday.        assistant: Monday, Tues        reply: day, Wednesday, …

In: the vendor's fields for it.  Out: the body of a trial, and what its reply teaches.  Many servers go on when the last message
is the assistant's, some when fields ask for it, others close that message and begin a new one, which does not start in the
middle of a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from react_agent.events import ModelChunk, ModelFailure, ModelPiece
from react_agent.messages import Json


class Prefix(NamedTuple):
    """Fields that ask to go on: those of the last message, and those of the body."""

    message: Json = {}  # noqa: RUF012 - never changed
    body: Json = {}  # noqa: RUF012


TASK = "Write the days of the week in English, beginning with Monday, with commas between them."
BEGUN, GOES_ON = "Monday, Tues", "day"
SECONDS = 60.0  # for the trial
_REFUSED = (400, 404, 422, 500, 501)


def trial(model: str, prefix: Prefix) -> Json:
    """The body of a request that shows whether the server goes on."""
    messages = [{"role": "user", "content": TASK}, {"role": "assistant", "content": BEGUN, **prefix.message}]
    return {"model": model, "messages": messages, "max_tokens": 8, "temperature": 0, **prefix.body}


def goes_on(pieces: Iterable[ModelPiece]) -> bool | None:
    """Whether the reply to the trial goes on; None when the server had no answer."""
    text = ""
    for piece in pieces:
        if isinstance(piece, ModelFailure):
            return False if piece.status in _REFUSED else None
        text += piece.text if isinstance(piece, ModelChunk) else ""
    return text.startswith((GOES_ON, BEGUN + GOES_ON))  # some repeat what was begun
