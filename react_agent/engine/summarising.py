"""What stands in the place of what is left out: notes by the model, or an extract.

In: a state whose memory has just made room.  Out: requests, and the summary in the memory.  The rules: a summary is no longer
than what it replaces and than the room set aside for it; it names no number that does not stand there; it makes no call.  A
summary by the model that keeps to none of this, or cannot be had, becomes an extract.  It is made anew only when room is made,
so the beginning of the requests stays the same in between.
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.events import (
    AskModel,
    Flow,
    ModelChunk,
    ModelFailure,
    ModelRequest,
    MoreFromModel,
    ReplyRestarted,
    RetryWaiting,
    StopModel,
    ask,
)
from react_agent.memory.extracting import extract
from react_agent.messages import Usage
from react_agent.parsing import parse
from react_agent.prompting.defang import defang
from react_agent.prompting.notes import summary_order

from .state import State

TOKENS_PER_LINE = 25
QUOTED = 600
"""Characters of each text that the model is shown to sum up."""
SHARE = 0.5
"""Of the room, for what is to be summed up; without a limit it is `MOST`."""
MOST = 6000
MAX_CHARS = 20_000
_NUMBER = re.compile(r"\d[\d.,:]*\d")


def summarise(state: State) -> Flow[None]:
    """Replace the summary by one that covers what was left out just now."""
    memory = state.memory
    room = memory.replaceable
    if not memory.dropped or not memory.summary_room:
        return memory.summarise(memory.summary if memory.summary_room else "")
    text = (yield from _by_model(state, room)) if state.settings.summary == "model" else ""
    return memory.summarise(text or extract(memory.dropped, memory.summary, state.prompt.lang, room, count=memory.count))


def _by_model(state: State, room: float) -> Flow[str]:
    """The model's summary, "" when it is of no use."""
    memory, lang = state.memory, state.prompt.lang
    most = MOST if memory.room is None else SHARE * memory.room / memory.scale.ratio
    source = extract(memory.dropped, memory.summary, lang, most, clip=QUOTED, count=memory.count)
    messages = (
        {"role": "system", "content": summary_order(lang, max(2, int(room / TOKENS_PER_LINE)))},
        {"role": "user", "content": defang(source)},
    )
    request = ModelRequest(messages, temperature=state.settings.temperature, max_tokens=state.settings.max_tokens)
    return _accepted(state, (yield from _said(state, request)), source, room)


def _said(state: State, request: ModelRequest) -> Flow[str]:
    """The text of the reply; "" when it failed."""
    text, usage = "", Usage(estimated=True)
    piece = yield from ask(AskModel(request, state.number, "summary"))
    while not isinstance(piece, ModelFailure):
        if isinstance(piece, ModelChunk):
            text += piece.text
            usage = piece.usage or usage
            if piece.last:
                break
        elif isinstance(piece, ReplyRestarted):
            text = ""
        elif isinstance(piece, RetryWaiting):
            yield piece
        if len(text) > MAX_CHARS:
            yield from ask(StopModel())
            break
        piece = yield from ask(MoreFromModel())
    state.usage += replace(usage, requests=1)
    return "" if isinstance(piece, ModelFailure) else text


def _accepted(state: State, text: str, source: str, room: float) -> str:
    """The lines of a summary up to the room; "" when it says more than it was given, or says nothing."""
    parsed = parse(text, state.prompt.specs)
    text = text.rpartition("</think>")[2].strip()
    if parsed.calls or any(number not in source for number in _NUMBER.findall(text)):
        return ""
    kept: list[str] = []
    for line in text.splitlines():
        room -= state.memory.count(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)
