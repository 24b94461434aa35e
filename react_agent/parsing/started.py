"""Calls that were told before the verdict: which of them came true?

In: calls told by name and place, then the verdict.  Out: the last events of a reply: every call of the verdict finished, every
refusal told, under the index of the call that was told for it.  Indices count the calls of a reply from 0 as they start; one
that was told and is none ends in `CallRejected`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from react_agent.events import CallFinished, CallRejected, CallStarted, Event
from react_agent.messages import Call, Parsed, Rejected

WITHDRAWN = "withdrawn"
"""Reason of a call that was told and did not stand: it was a draft in the reasoning, or another reading won."""

_NEAR = 16
"""Calls come true in the order in which they were told: of several in one place no more are compared."""


@dataclass(frozen=True, slots=True)
class Started:
    """A call that was told: its name, and a position inside of it."""

    name: str
    at: int


class StartedCalls:
    """The calls told so far, in order; `last` is the index of the one that started last."""

    def __init__(self) -> None:
        self._started: list[Started] = []
        self._written: dict[int, tuple[int, int]] = {}
        self.last = -1

    def start(self, name: str, at: int, dialect: str) -> CallStarted:
        """Tell that a call of `name` stands around position `at`."""
        self._started.append(Started(name, at))
        self.last += 1
        return CallStarted(self.last, name, dialect)

    def goes_on(self, name: str, at: int) -> bool:
        """Whether the last call is one of `name` too: then it stands around `at`."""
        same = bool(self._started) and self._started[-1].name == name
        if same:
            self._started[-1] = Started(name, at)
        return same

    def write(self, start: int, end: int) -> None:
        """text[start:end] belongs to the arguments of the last call."""
        written = self._written.get(self.last)
        self._written[self.last] = (written[0] if written else start, end)

    def finish(self, parsed: Parsed, text: str) -> Iterator[Event]:
        """The end of every call, and the start of those not told yet; `text` is the reply."""
        open_calls = dict(enumerate(self._started))
        for call in parsed.calls:
            index = self._claim(open_calls, call, text)
            if index is None:
                event = self.start(call.name, call.span[0] if call.span else 0, call.dialect)
                index = event.index
                yield event
            yield CallFinished(index, call)
        for rejected in parsed.rejected:
            yield CallRejected(rejected, self._claim(open_calls, rejected, text))
        for index, started in open_calls.items():
            yield CallRejected(Rejected(WITHDRAWN, started.name), index)

    def _claim(self, open_calls: dict[int, Started], verdict: Call | Rejected, text: str) -> int | None:
        """Close the open call that `verdict` is about, of several in one place the one with its arguments; its index."""
        covered = list(islice((index for index, started in open_calls.items() if _covers(verdict, started)), _NEAR))
        same = (index for index in covered if len(covered) > 1 and self._arguments(index, text) == verdict.arguments)
        index = next(same, covered[0] if covered else None)
        if index is not None:
            del open_calls[index]
        return index

    def _arguments(self, index: int, text: str) -> object:
        """The arguments as they were written, None when they are no JSON."""
        start, end = self._written.get(index, (0, 0))
        try:
            return json.loads(text[start:end])
        except (ValueError, RecursionError):
            return None


def _covers(verdict: Call | Rejected, started: Started) -> bool:
    inside = bool(verdict.span) and verdict.span[0] <= started.at < verdict.span[1]
    return inside and verdict.name in (started.name, "")
