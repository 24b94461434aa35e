"""Tells a plain reply that came as a whole: the events of the `Teller`, without reading the reply its way.

    <tool_call>{"name": "f", "arguments": {…}}</tool_call>      CallStarted, ArgumentsDelta … CallFinished …
    Action: {"name": "f", "arguments": {…}}                     the same, maybe behind a thought
    Action: {"type": "final_answer", …}                         AnswerDelta, maybe behind a thought
    a list, value or fence of calls                             CallStarted, CallFinished …
    just a sentence                                             TextDelta

In: a whole reply.  Out: its verdict and events; None when it is not plain (`plain`), or when it is not told in one of these
ways.  The rule: joined, the events are those of the same reply in pieces.
"""

from __future__ import annotations

import re
from itertools import chain

from react_agent.events import AnswerDelta, ArgumentsDelta, CallFinished, CallStarted, Event, TextDelta, ThoughtDelta
from react_agent.messages import Call, Parsed
from react_agent.repair.reader import strict

from .evidence import LABELLED, MARKED, WHOLE
from .manner import Manner
from .names import ToolNames
from .plain import plainly

_HEAD = re.compile(
    r'\{\s*(?:"type"\s*:\s*"tool_call"\s*,\s*)?"name"\s*:\s*"(?P<name>[^"\\]*)"\s*,\s*"(?:args|arguments)"\s*:\s*(?=\{)'
)
_TAIL = re.compile(r"\s*\}")


def plainly_told(text: str, names: ToolNames, manner: Manner) -> tuple[Parsed, list[Event]] | None:
    """The verdict on a plain reply, and all its events."""
    parsed = plainly(text, names, manner)
    if parsed is None:
        return None
    thought: list[Event] = [ThoughtDelta(parsed.thought)] if parsed.thought else []
    if not parsed.calls:
        return parsed, thought + _said(text.strip(), parsed.answer)
    evidence = {call.evidence for call in parsed.calls}
    if evidence == {WHOLE}:
        return parsed, thought + [event for index, call in enumerate(parsed.calls) for event in _late(index, call)]
    written = [_written(call, text) for call in parsed.calls]
    if not all(written) or (parsed.thought and evidence != {LABELLED}):
        return None
    return parsed, thought + _early(parsed.calls, written)


def _said(text: str, answer: str | None) -> list[Event]:
    """The end of a reply without calls: an answer in a value, or prose, which need not be an answer."""
    if answer is not None and answer != text:
        return [AnswerDelta(answer)]
    return [TextDelta(text)] if text else []


def _late(index: int, call: Call) -> tuple[Event, Event]:
    """A call that is certain only when the reply is over."""
    return CallStarted(index, call.name, call.dialect), CallFinished(index, call)


def _early(calls: tuple[Call, ...], written: list[str]) -> list[Event]:
    """Calls that are told as they are written; `written` are their arguments.  A label says no dialect."""
    begun = (
        (CallStarted(index, call.name, call.dialect if call.evidence == MARKED else ""), ArgumentsDelta(index, arguments))
        for index, (call, arguments) in enumerate(zip(calls, written, strict=True))
    )
    return [*chain.from_iterable(begun), *(CallFinished(index, call) for index, call in enumerate(calls))]


def _written(call: Call, text: str) -> str:
    """The arguments of a call in a wrapper, as they stand in the text; "" where it is written in another form."""
    start, end = call.span
    head = _HEAD.match(text, start, end)
    value = strict(text, head.end()) if head is not None and head["name"] == call.name else None
    if head is None or value is None or not _TAIL.fullmatch(text, value.end, end):
        return ""
    return text[head.end() : value.end]
