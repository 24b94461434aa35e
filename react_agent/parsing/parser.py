"""The reader of replies: text in chunks goes in, events and at the end a `Parsed` come out.

`parse(text, tools)` is one `Parser` fed once and closed: there is no other path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from react_agent.events import AnswerDelta, CallFinished, CallRejected, CallStarted, Event, TextDelta, ThoughtDelta
from react_agent.messages import Parsed

from .buffer import Buffer
from .decide import decide
from .names import ToolNames, as_specs
from .scan import Scanner
from .segments import Segment


class Parser:
    """Reads one reply.

    `feed` takes chunks of any size and gives the events that are certain; `close` gives the rest, after which `result`
    holds the verdict.  `done` is True as soon as nothing more can be wanted: a call is complete and something invented
    follows it; what is fed later is ignored.
    """

    def __init__(self, tools: Iterable[Any] | ToolNames = (), *, one_action: bool = False) -> None:
        """`tools`: `Tool`s, `ToolSpec`s, OpenAI tool dicts or dicts with name, description and parameters; or
        the `ToolNames` of such, which saves compiling their schemas for every reply.

        `one_action`: a second labelled action is invented too, as it was written without the result of the first.  Calls in
        one list, or each in its own tags, are one action.

        Raises:
            UsageError: an entry is none of these, or two tools have one name.
        """
        self._names = tools if isinstance(tools, ToolNames) else ToolNames(as_specs(tools))
        self._buffer = Buffer()
        self._events: list[Event] = []
        self._prose = _Prose(self._buffer, self._events)
        self._scanner = Scanner(self._buffer, tuple(self._names.tools), self._prose.watch)
        self._prose.segments = self._scanner.segments
        self._reading = self._scanner.scan(self._stops)
        self._result: Parsed | None = None
        self._checked = 0
        self._fresh = False
        self._checks = 0
        self._after_a_call = (*_AFTER_A_CALL, "action") if one_action else _AFTER_A_CALL
        self._dropped = 0
        self.done = False

    def feed(self, chunk: str) -> list[Event]:
        """Take more text; the events that became certain."""
        if not self.done and chunk and self._buffer.add(chunk):
            self._advance()
        return self._taken()

    def close(self) -> list[Event]:
        """The text is over; the remaining events."""
        if self._result is None:
            self._buffer.close()
            if not self.done:
                self._advance()
            segments = self._scanner.segments
            end = segments[-1].start if self._dropped else len(self._buffer.text)
            self._result = decide(self._buffer.text[:end], segments[: len(segments) - self._dropped], self._names)
            self._report(self._result)
        return self._taken()

    @property
    def result(self) -> Parsed:
        """The verdict; closes the parser when that has not been done."""
        if self._result is None:
            self.close()
        assert self._result is not None
        return self._result

    def _advance(self) -> None:
        try:
            next(self._reading)
        except StopIteration:
            self.done = not self._buffer.closed or self.done

    def _stops(self, segments: list[Segment]) -> bool:
        """A call that counts, and behind it the mark of something invented."""
        last = segments[-1]
        marks = last.kind in ("observe", "end") or (last.kind == "label" and last.strong and last.word in self._after_a_call)
        self._fresh = self._fresh or any(_may_hold_call(segment) for segment in segments[self._checked :])
        self._checked = len(segments)
        if not marks or not self._fresh or self._checks >= _MAX_CHECKS:
            return False
        self._fresh = _may_hold_call(last)
        self._checks += 1
        if not decide(self._buffer.text[: last.start], segments[:-1], self._names).calls:
            return False
        self._dropped = int(last.word == "action")
        return True

    def _report(self, parsed: Parsed) -> None:
        for index, call in enumerate(parsed.calls):
            self._events += [CallStarted(index, call.name, call.dialect), CallFinished(index, call)]
        self._events.extend(CallRejected(rejected) for rejected in parsed.rejected)
        if parsed.answer is not None and not self._prose.answered(parsed.answer):
            self._events.append(AnswerDelta(parsed.answer))

    def _taken(self) -> list[Event]:
        events, self._events[:] = list(self._events), []
        return events


_MAX_CHECKS = 16
"""Places where a reply may end early that are looked at; a reply with more of them is read to its end."""
_AFTER_A_CALL = ("observe", "thought", "answer", "question")


def _may_hold_call(segment: Segment) -> bool:
    return segment.kind == "call" or (segment.kind == "label" and segment.word == "action")


class _Prose:
    """Turns text that passes by into deltas: white space at the ends is kept back, so that the joined deltas are stripped."""

    def __init__(self, buffer: Buffer, events: list[Event]) -> None:
        self.segments: list[Segment] = []
        self._buffer = buffer
        self._events = events
        self._kind = ""
        self._kept = ""
        self._seen = 0
        self._called = False
        self._current = "text"
        self._shown: dict[str, list[str]] = {}

    def watch(self, source: str, start: int, end: int) -> None:
        kind = self._channel(source)
        if kind != self._kind:
            self._kind, self._kept = kind, ""
        if not kind:
            return
        text = self._kept + self._buffer.text[start:end]
        shown = self._shown.setdefault(kind, [])
        if not shown:
            text = text.lstrip()
        whole = text.rstrip()
        self._kept = text[len(whole) :]
        if whole:
            shown.append(whole)
            self._events.append(_DELTAS[kind](whole))

    def answered(self, answer: str) -> bool:
        """Has the answer been shown, as answer or as prose that became the answer?"""
        return any("".join(self._shown.get(kind, ())) == answer for kind in ("answer", "text"))

    def _channel(self, source: str) -> str:
        if source == "think":
            return "thought"
        if source == "answer":
            return "answer"
        for segment in self.segments[self._seen :]:
            if segment.kind == "label" and segment.strong:
                self._current = {"thought": "thought", "answer": "" if self._called else "answer"}.get(segment.word, "")
            self._called = self._called or segment.kind in ("call", "observe", "end") or segment.word == "action"
            if segment.kind in ("call", "observe", "end"):
                self._current = ""
        self._seen = len(self.segments)
        return self._current


_DELTAS: dict[str, type[TextDelta] | type[ThoughtDelta] | type[AnswerDelta]] = {
    "text": TextDelta,
    "thought": ThoughtDelta,
    "answer": AnswerDelta,
}


def parse(text: str, tools: Iterable[Any] = ()) -> Parsed:
    """What a whole reply says; never raises for any text.

    `tools` as for `Parser`.

    >>> parse('行动：{"type": "final_answer", "content": "晴"}').answer
    '晴'
    """
    parser = Parser(tools)
    parser.feed(text)
    parser.close()
    return parser.result
