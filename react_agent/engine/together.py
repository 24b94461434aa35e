"""Which calls of one reply were meant to be made together?

Calls of one list, and calls of one tool, do not wait for each other.  A call of another tool written behind them by a model
that writes calls as text was made up: it could not know the result of the first.  Such calls are not made; the model gets
its turn again with real results.  Who runs the calls may want to see all of them at once (`State.parallel`); then only one that
holds numbers from nowhere, and what follows it, waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from react_agent.events import CallFinished, CallRejected, CallStarted, Event
from react_agent.messages import Call, Parsed, Rejected


def together(parsed: Parsed, text: str, leans: Callable[[Call], bool]) -> Parsed:
    """`parsed` without the calls that lean on results which are not there yet; the reply then ends behind the last one kept.

    `leans` is asked about calls of another tool than the first.
    """
    kept = tuple(_kept(parsed.calls, text, leans))
    if len(kept) == len(parsed.calls):
        return parsed
    return replace(parsed, calls=kept, end=max(call.span[1] for call in kept))


def without_dropped(events: Iterable[Event], parsed: Parsed) -> Iterator[Event]:
    """The last events of a reply, where a call that `together` has dropped is not told, or ends as withdrawn."""
    events = list(events)
    dropped = {event.index for event in events if isinstance(event, CallFinished) and event.call not in parsed.calls}
    fresh = {event.index for event in events if isinstance(event, CallStarted)}
    for event in events:
        if not isinstance(event, (CallStarted, CallFinished)) or event.index not in dropped:
            yield event
        elif isinstance(event, CallFinished) and event.index not in fresh:
            yield CallRejected(Rejected("withdrawn", event.call.name), event.index)


def _kept(calls: tuple[Call, ...], text: str, leans: Callable[[Call], bool]) -> Iterator[Call]:
    for index, call in enumerate(calls):
        if index and call.name != calls[0].name and not _in_one_list(calls[index - 1], call, text) and leans(call):
            return
        yield call


def _in_one_list(before: Call, call: Call, text: str) -> bool:
    return call.span == before.span or text[before.span[1] : call.span[0]].strip() == ","
