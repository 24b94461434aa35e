"""Notes on a part of the history, without a model: what was asked, what calls gave, what was answered.

In: messages that will not be shown any more, and the notes on those before them.  Out: lines, the latest that fit, oldest
first. The rules: only what is settled is noted, so no failed or refused call, no thought and no remark of the engine; each line
is clipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from react_agent.messages import Call, Message
from react_agent.parsing import parse
from react_agent.prompting.notes import gist

from .counting import Count, tokens

CLIP = 120
"""Characters of a text that a line quotes."""
_CALL = 80
_SETTLED = ("ok", "truncated", "empty")


def extract(
    messages: Sequence[Message], earlier: str, lang: str, room: float, *, clip: int = CLIP, count: Count = tokens
) -> str:
    """The latest lines on `messages`, and of the `earlier` notes, that fit into `room` tokens together."""
    kept: list[str] = []
    for line in _latest_first(messages, earlier, lang, clip):
        room -= count(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def _latest_first(messages: Sequence[Message], earlier: str, lang: str, clip: int) -> Iterator[str]:
    results: list[Message] = []
    for message in reversed(messages):
        if message.role == "tool":
            results.append(message)
            continue
        yield from _lines(message, results, lang, clip)
        results = []
    yield from reversed(earlier.splitlines())


def _lines(message: Message, results: Sequence[Message], lang: str, clip: int) -> Iterator[str]:
    """The lines on one message and the results behind it, which come last first."""
    if message.role == "user" and not message.note:
        yield gist(lang, "asked", clipped(message.content, clip))
    elif message.role == "assistant" and message.calls:
        made = {call.id: call for call in message.calls}
        for result in (one.result for one in results):
            if result is not None and result.status in _SETTLED and result.call_id in made:
                yield gist(lang, "done", clipped(result.content, clip), _written(made[result.call_id]))
    elif message.role == "assistant" and (answer := parse(message.content).answer):
        yield gist(lang, "answered", clipped(answer, clip))


def _written(call: Call) -> str:
    arguments = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items())
    return f"{call.name}({clipped(arguments, _CALL)})"


def clipped(text: str, limit: int) -> str:
    """`text` on one line, of at most `limit` characters."""
    text = " ".join(text[: 4 * limit].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
