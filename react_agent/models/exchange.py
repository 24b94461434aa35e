"""One chat completion as a pure flow: it asks for I/O, hands out pieces, and never sees a socket.

In: a body, the `Situation`, a limit.  Out: a generator of steps.  A step is either a `ModelPiece` for the consumer, or one of

    Open(body)     send it                         reply: None when the server takes it, or a Fault
    Read()         more of the answer              reply: bytes as they came, None at the end, or a Fault
    ListModels()   the names GET /models tells     reply: a tuple of names, or a Fault

for the driver in `lines`, of which there is a blocking and an asynchronous one.  Everything that is decided is decided here:
which field to leave out after a refusal, when a reply is complete, when it is too long.  Whole and streamed answers take the
same path: `documents` turns bytes into JSON, `pieces` turns JSON into chunks.

The last piece handed out has `last=True` or is a `ModelFailure`.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from react_agent.events import ModelChunk, ModelFailure, ModelPiece
from react_agent.messages import Json

from .body import cleaned, without
from .documents import Documents
from .failures import Situation, failure_of, kind_of, refuses
from .faults import Fault
from .pieces import Pieces


@dataclass(frozen=True, slots=True)
class Open:
    """Send the body."""

    body: Json


@dataclass(frozen=True, slots=True)
class Read:
    """Get more of the answer."""


@dataclass(frozen=True, slots=True)
class ListModels:
    """Ask which models there are."""


Ask = Open | Read | ListModels
Exchange = Generator[Ask | ModelPiece, Any, None]


def exchange(body: Json, situation: Situation, *, max_chars: int, usage_refused: Callable[[], None]) -> Exchange:
    """The steps of one completion; `usage_refused` is called when the server does not take `stream_options`."""
    situation = dataclasses.replace(situation, sent=frozenset(body))
    fault: Fault | None = yield Open(body)
    while fault is not None and (amended := _amended(body, fault, usage_refused)) != body:
        body = amended
        fault = yield Open(body)
    if fault is not None:
        yield from _fail(fault, situation)
    else:
        yield from _read(dataclasses.replace(situation, opened=True), max_chars)


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


def _read(situation: Situation, room: int) -> Exchange:
    documents, pieces = Documents(room), Pieces()
    answer = _Answer(documents)
    while isinstance(document := (yield from answer.next()), dict):
        piece = pieces.read(document)
        room -= _size(piece)
        if piece != ModelChunk():
            yield piece
        if room <= 0:
            yield ModelChunk(finish_reason="length", usage=pieces.usage, last=True)
            return
    if pieces.finish_reason or (document is None and (documents.done or documents.whole)):
        yield ModelChunk(usage=pieces.usage, last=True)  # what happens after the end of a reply does not matter
    else:
        yield from _fail(document or Fault("connection"), situation)


class _Answer:
    """The documents of an answer, read as they are wanted."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._ready: deque[Json | Fault] = deque()
        self._ended = False

    def next(self) -> Generator[Ask, Any, Json | Fault | None]:
        """The next document, a fault, or None when there is none left."""
        while not self._ready and not self._ended:
            block: bytes | Fault | None = yield Read()
            self._take(block)
        return self._ready.popleft() if self._ready else None

    def _take(self, block: bytes | Fault | None) -> None:
        if isinstance(block, bytes):
            self._ready.extend(self._documents.feed(block))
            self._ended = self._documents.done
        else:
            self._ready.extend(self._documents.end() if block is None else [block])
            self._ended = True


def _size(piece: ModelChunk) -> int:
    """Characters that count towards the limit; a piece without any counts as one, so that nothing is endless."""
    calls = sum(len(call.name) + len(call.arguments) for call in piece.tool_calls)
    return len(piece.text) + len(piece.reasoning) + calls or 1
