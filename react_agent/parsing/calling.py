"""The calls of a reply while it is being written: which body is open, and what is told of it.

In: wrappers and labels as they open, bare text as it passes, the verdict.  Out: `CallStarted`, `ArgumentsDelta` and the ends of
calls, put into `events`; the text of an answer in a value goes to `answered`.  What a body says is read by `opening`; which of
the calls came true is matched by `started`.
"""

from __future__ import annotations

from collections.abc import Callable

from react_agent.events import ArgumentsDelta, Event
from react_agent.messages import Parsed

from .buffer import Buffer, Marks
from .names import ToolNames
from .opening import Opening
from .places import BODY_END, LABELLED_LINE, any_literal
from .segments import Segment
from .started import StartedCalls
from .verdict import MAX_CALLS

_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("‘", "’"))


class OpenCalls:
    """Tells of calls; at most one body is open."""

    def __init__(self, buffer: Buffer, names: ToolNames, events: list[Event], answered: Callable[[str], None]) -> None:
        self._buffer = buffer
        self._names = names
        self._events = events
        self._answered = answered
        self._started = StartedCalls()
        self.opening: Opening | None = None
        """What reads the open body."""
        self._dialect = ""
        self._inputs = -1
        self._input_at = -1
        self._wraps_input = False

    # --- bodies open and end ------------------------------------------------------------------------------------------

    @property
    def plain(self) -> bool:
        """Are the arguments that are being written bare text?"""
        return self.opening is not None and self.opening.plain

    def open_wrapper(self, opening: Segment, closers: tuple[str, ...]) -> None:
        """A wrapper begins; inside quotation marks it may be no call."""
        self.opening = None
        self._wraps_input = self._input_at >= 0 and not self._buffer.text[self._input_at : opening.start].strip()
        if not _in_quotes(self._buffer.text, opening.start):
            marks = any_literal(closers) if closers else BODY_END
            self._open(opening.inner, marks, opening.dialect).read_body(opening.word)
            self.advance()

    def open_action(self, start: int, *, answers: bool) -> None:
        """An action label ends at `start`; `answers`: a final answer there would count."""
        self._open(start, LABELLED_LINE, "").read_body(answers=answers, tags=False)
        self.advance()

    def open_input(self, name: str, label: Segment) -> bool:
        """An input label behind an action line that says `name`; False when that is no declared tool."""
        known, self.opening = self._names.find(name), None
        if known is not None:
            self._open(label.end, LABELLED_LINE, "react").read_input()
            self._wraps_input = False
            self.started(known[0].name, label.start)
            self._input_at = label.end
            self.advance()
        return known is not None

    def passed(self, part: Segment) -> None:
        """A segment has ended."""
        if part.kind == "call" and self.opening is not None:
            self.opening.end_at(part.until)
            self.opening = None
        self.advance()

    def advance(self) -> None:
        """Look at what has come of the open body."""
        if self.opening is not None:
            self.opening.advance()

    def bare(self, text: str) -> None:
        """More of arguments that are bare text."""
        text = text.lstrip() if self._inputs != self._started.last else text
        if text:
            self._inputs = self._started.last
            self._events.append(ArgumentsDelta(self._started.last, text))

    def finish(self, parsed: Parsed) -> None:
        """The verdict is there: every call ends."""
        self._events.extend(self._started.finish(parsed, self._buffer.text))

    # --- what an open body says ---------------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        """More calls than that do not come true."""
        return self._started.last >= MAX_CALLS

    def started(self, name: str, at: int) -> None:
        if self._wraps_input and self._started.goes_on(name, at):
            self._wraps_input = False
            return
        self._events.append(self._started.start(name, at, self._dialect))

    def arguments(self, start: int, end: int) -> None:
        self._started.write(start, end)
        self._events.append(ArgumentsDelta(self._started.last, self._buffer.text[start:end]))

    def answered(self, text: str) -> None:
        self._answered(text)

    def _open(self, start: int, closers: Marks, dialect: str) -> Opening:
        self._dialect = dialect
        self.opening = Opening(self._buffer, start, self._names, self, closers)
        return self.opening


def _in_quotes(text: str, start: int) -> bool:
    """May a closing quotation mark still follow on this line?"""
    line = text[max(text.rfind("\n", 0, start) + 1, start - 400) : start]
    return line.count('"') % 2 == 1 or any(line.count(opening) > line.count(closing) for opening, closing in _QUOTES)
