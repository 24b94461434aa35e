"""One chat completion as a pure flow: it asks for I/O, hands out pieces, and never sees a socket.

In: a body, the `Situation`, a limit.  Out: a generator of steps.  A step is either a `ModelPiece` for the consumer, or one of

    Open(body)     send it                         reply: Opened, or a Fault
    Read()         the next block of the answer    reply: a document, bytes of a whole body, None at the end, or a Fault
    ListModels()   the names GET /models tells     reply: a tuple of names, or a Fault

for the driver in `lines`, of which there is a blocking and an asynchronous one.  Everything that is decided is decided here:
which field to leave out after a refusal, when a reply is complete, when it is too long.

    Opened ──► document, document, …, None      a stream
           └─► bytes, bytes, …, None            a whole body, which becomes one document

The last piece handed out has `last=True` or is a `ModelFailure`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from react_agent.events import ModelChunk, ModelFailure, ModelPiece
from react_agent.messages import Json

from .body import cleaned, without
from .failures import Situation, failure_of, kind_of, refuses
from .faults import Fault, document_of, words_of
from .pieces import Pieces


@dataclass(frozen=True, slots=True)
class Open:
    """Send the body."""

    body: Json


@dataclass(frozen=True, slots=True)
class Read:
    """Get the next block of the answer."""


@dataclass(frozen=True, slots=True)
class ListModels:
    """Ask which models there are."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer has begun; `whole` tells that it is one body and not a stream of documents."""

    whole: bool


ENVELOPE = 65_536  # bytes around the text of a whole body; a character of text itself may take 6, as an escape

Ask = Open | Read | ListModels
Exchange = Generator[Ask | ModelPiece, Any, None]


def opened(content_type: str) -> Opened:
    """How an answer of this type is to be read: JSON and web pages whole, everything else as events."""
    kind = content_type.lower()
    return Opened("json" in kind or "html" in kind)


def exchange(body: Json, situation: Situation, *, max_chars: int, usage_refused: Callable[[], None]) -> Exchange:
    """The steps of one completion; `usage_refused` is called when the server does not take `stream_options`."""
    situation = dataclasses.replace(situation, sent=frozenset(body))
    answer: Opened | Fault = yield Open(body)
    while isinstance(answer, Fault) and (amended := _amended(body, answer, usage_refused)) != body:
        body = amended
        answer = yield Open(body)
    if isinstance(answer, Fault):
        yield from _fail(answer, situation)
    else:
        yield from _read(answer, dataclasses.replace(situation, opened=True), max_chars)


def pick_model(situation: Situation) -> Generator[Ask, Any, str | ModelFailure]:
    """The first model the server offers, for callers that name none."""
    names: tuple[str, ...] | Fault = yield ListModels()
    if isinstance(names, Fault):
        failure = failure_of(names, situation)
        return dataclasses.replace(failure, message=f"{failure.message} (No model was named, so /models was asked.)")
    if not names:
        return ModelFailure(
            "unknown_model", f"The server at {situation.base_url} offers no model: load one, or name one by `model`."
        )
    return names[0]


def _amended(body: Json, fault: Fault, usage_refused: Callable[[], None]) -> Json:
    """The body to try instead; the same body when there is nothing to amend."""
    if refuses(fault, "stream_options", frozenset(body)):
        usage_refused()
        return without(body, "stream_options")
    return cleaned(body) if fault.trouble == "unsendable" else body


def _fail(fault: Fault, situation: Situation) -> Exchange:
    """The failure; when the model is unknown, with the names that are known."""
    if kind_of(fault, situation) == "unknown_model":
        names: tuple[str, ...] | Fault = yield ListModels()
        situation = dataclasses.replace(situation, offers=() if isinstance(names, Fault) else names)
    yield failure_of(fault, situation)


def _read(answer: Opened, situation: Situation, room: int) -> Exchange:
    pieces = Pieces()
    while (document := (yield from _document(answer, room))) is not None:
        if isinstance(document, Fault):
            break
        piece = pieces.read(document)
        room -= _size(piece)
        if piece != ModelChunk():
            yield piece
        if room <= 0:
            yield ModelChunk(finish_reason="length", usage=pieces.usage, last=True)
            return
    if pieces.finish_reason or (answer.whole and document is None):
        yield ModelChunk(usage=pieces.usage, last=True)  # what happens after the end of a reply does not matter
    else:
        yield from _fail(document or Fault("connection"), situation)


def _document(answer: Opened, limit: int) -> Generator[Ask, Any, Json | Fault | None]:
    """The next document, a fault, or None when there is none left."""
    block: object = yield Read()
    if answer.whole and isinstance(block, bytes):
        return (yield from _whole(block, limit))
    if block is None or isinstance(block, (Fault, dict)):
        return block
    return Fault("malformed", words=words_of(block))


def _whole(block: object, limit: int) -> Generator[Ask, Any, Json | Fault]:
    """The document that the blocks of a whole body make."""
    body = bytearray()
    while isinstance(block, bytes):
        body += block
        if len(body) > ENVELOPE + 8 * limit:
            return Fault("malformed", words=f"more than {len(body)} bytes")
        block = yield Read()
    return block if isinstance(block, Fault) else document_of(bytes(body))


def _size(piece: ModelChunk) -> int:
    """Characters that count towards the limit; a piece without any counts as one, so that nothing is endless."""
    calls = sum(len(call.name) + len(call.arguments) for call in piece.tool_calls)
    return len(piece.text) + len(piece.reasoning) + calls or 1
