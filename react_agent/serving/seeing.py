"""One request with images as a pure flow: the model is asked once, with the messages as they are.

In: `Asked` whose `seen` holds wire messages.  Out: `TextDelta`s, then `Told`, as `turns` gives them.  The engine's history is
text, and without tools there is nothing to read in the reply: what the model writes is the answer.
"""

from __future__ import annotations

from react_agent.engine.signals import StopRun
from react_agent.events import (
    AskModel,
    Flow,
    ModelChunk,
    ModelFailure,
    ModelRequest,
    MoreFromModel,
    ReplyRestarted,
    TextDelta,
    ask,
)
from react_agent.messages import Mode, Usage

from .asked import Asked, Told
from .turns import BROKE_OFF, FINISHES


def seen(asked: Asked, mode: Mode) -> Flow[Told]:
    """The flow of one request; nothing in it depends on `mode`, which is told."""
    try:
        last = yield from _heard(asked, mode)
    except StopRun as stop:
        last = Told(mode=mode, failure=ModelFailure("deadline", stop.reason or "The time for this request was up."))
    yield last
    return last


def _heard(asked: Asked, mode: Mode) -> Flow[Told]:
    text: list[str] = []
    usage, finish = Usage(), ""
    piece = yield from ask(AskModel(_request(asked)))
    while True:
        if isinstance(piece, ModelFailure):
            return Told(mode=mode, failure=piece)
        if isinstance(piece, ReplyRestarted) and text:
            return Told(mode=mode, failure=BROKE_OFF)
        if isinstance(piece, ModelChunk):
            usage, finish = piece.usage or usage, piece.finish_reason or finish
            if piece.text:
                text.append(piece.text)
                yield TextDelta(piece.text)
            if piece.last:
                return Told("".join(text), finish=FINISHES.get(finish, "stop"), usage=usage, mode=mode)
        piece = yield from ask(MoreFromModel())


def _request(asked: Asked) -> ModelRequest:
    return ModelRequest(
        asked.seen,
        stop=asked.stop,
        temperature=asked.temperature,
        max_tokens=asked.max_tokens,
        extra_body=dict(asked.extra),
    )
