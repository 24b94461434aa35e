"""Which calls of one reply were meant to be made together?

Calls of one list, and calls of one tool, do not wait for each other.  A call of another tool written behind them by a model
that writes calls as text was made up: it could not know the result of the first.  Such calls are not made; the model gets
its turn again with real results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from react_agent.events import CallFinished, CallStarted, Event
from react_agent.messages import Call, Parsed


def together(parsed: Parsed, text: str) -> Parsed:
    """`parsed` without the calls that lean on results which are not there yet; the reply then ends behind the last one kept."""
    kept = tuple(_kept(parsed.calls, text))
    if len(kept) == len(parsed.calls):
        return parsed
    return replace(parsed, calls=kept, end=max(call.span[1] for call in kept))


def without_dropped(events: Iterable[Event], parsed: Parsed) -> Iterator[Event]:
    """The events of a reply but for those of the calls that `together` has dropped."""
    for event in events:
        if not isinstance(event, (CallStarted, CallFinished)) or event.index < len(parsed.calls):
            yield event


def _kept(calls: tuple[Call, ...], text: str) -> Iterator[Call]:
    for index, call in enumerate(calls):
        if index and call.name != calls[0].name and not _in_one_list(calls[index - 1], call, text):
            return
        yield call


def _in_one_list(before: Call, call: Call, text: str) -> bool:
    return call.span == before.span or text[before.span[1] : call.span[0]].strip() == ","
