"""The reader of replies: text in chunks goes in, events and at the end a `Parsed` come out.

`parse(text, tools)` is one `Parser` that is closed with the whole text as its last piece: there is no other path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from react_agent.errors import UsageError
from react_agent.events import Event
from react_agent.messages import Call, Parsed

from .buffer import Buffer
from .decide import decide
from .evidence import LABELLED
from .explaining import explained
from .manner import Strictness, manner_of
from .names import ToolNames, as_specs
from .scan import Scanner
from .segments import Segment
from .telling import Teller


class Parser:
    """Reads one reply.

    `feed` takes chunks of any size and gives the events that are certain; `close` gives the rest, after which `result`
    holds the verdict.  `done` is True as soon as nothing more can be wanted: a call is complete and something invented
    follows it; what is fed later is ignored.
    """

    def __init__(
        self,
        tools: Iterable[Any] | ToolNames = (),
        *,
        one_action: bool = False,
        strictness: Strictness = "normal",
        dialect: str = "",
        explain: bool = False,
    ) -> None:
        """`tools`: `Tool`s, `ToolSpec`s, OpenAI tool dicts or dicts with name, description and parameters; or
        the `ToolNames` of such, which saves compiling their schemas for every reply.

        `one_action`: a labelled reply holds one action, as an agent loop asks for.  What stands behind it was written
        without its result: prose, an answer, or a call of another tool.  More calls of the same tool may follow at once.

        `strictness`: "strict" takes only what is wrapped or labelled and valid as written, "loose" also what stands in long
        prose or in a sentence (`parsing.manner`).  `dialect`: a dialect or a model that is expected; it breaks ties among
        weak forms, and is never needed.  `explain`: fill `result.explanation`.

        Raises:
            UsageError: an entry is none of these, two tools have one name, or there is no such strictness.
        """
        self._manner = manner_of(strictness, dialect, explain)
        self._quiet = replace(self._manner, record=None) if explain else self._manner
        self._names = tools if isinstance(tools, ToolNames) else ToolNames(as_specs(tools))
        self._buffer = Buffer()
        self._teller = Teller(self._buffer, self._names, candidates=strictness == "loose")
        self._scanner = Scanner(self._buffer, tuple(self._names.tools), self._watch, self._teller.opened)
        self._teller.segments = self._scanner.segments
        self._reading = self._scanner.scan(self._stops)
        self._result: Parsed | None = None
        self._early: Parsed | None = None
        self._action = _FirstAction(one_action)
        self._checked = 0
        self._fresh = False
        self._checks = 0
        self.done = False

    def feed(self, chunk: str) -> list[Event]:
        """Take more text; the events that became certain.

        Raises:
            UsageError: it is no `str`.
        """
        if not self.done and chunk and self._buffer.add(_text(chunk)):
            self._advance()
            self._teller.advance()
            self.done = self.done or self._action.is_over(self._buffer.text)
        return self._taken()

    def close(self, chunk: str = "") -> list[Event]:
        """The text is over, with `chunk` as its last piece; the remaining events.

        Raises:
            UsageError: it is no `str`.
        """
        if self._result is None:
            if not self.done:
                self._buffer.add(_text(chunk))
            self._buffer.close()
            if not self.done:
                self._advance()
            self._result = self._conclude()
            self._teller.finish(self._result)
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

    def _decide(self, text: str, segments: list[Segment]) -> Parsed:
        return decide(text, segments, self._names, self._quiet)

    def _conclude(self) -> Parsed:
        text, segments = self._buffer.text, self._scanner.segments
        if self._early is not None:
            text, segments = text[: segments[-1].start], segments[:-1]
        else:
            text, segments = self._action.kept(text, segments)
        record = self._manner.record
        if record is None:
            return self._early or self._decide(text, segments)
        parsed = decide(text, segments, self._names, self._manner)
        return replace(parsed, explanation=explained(self._buffer.text, segments, self._names, parsed, record))

    def _watch(self, source: str, start: int, end: int) -> None:
        self._action.passed(self._buffer.text[start:end], self._scanner.segments)
        self._teller.watch(source, start, end)

    def _stops(self, segments: list[Segment]) -> bool:
        """A call that counts, and behind it the mark of something invented."""
        last = segments[-1]
        marks = last.kind in ("observe", "end") or (last.kind == "label" and last.strong and last.word in _AFTER_A_CALL)
        self._fresh = self._fresh or any(_may_hold_call(segment) for segment in segments[self._checked :])
        self._checked = len(segments)
        if self._checks >= _MAX_CHECKS:
            return False
        if self._action.wants(last):
            self._checks += 1
            self._action.look(self._decide(self._buffer.text[: last.end], segments).calls, last, len(segments))
        if self._action.over or not marks or not self._fresh:
            return self._action.over
        self._fresh = False
        self._checks += 1
        early = self._decide(self._buffer.text[: last.start], segments[:-1])
        self._early = early if early.calls else None
        return self._early is not None

    def _taken(self) -> list[Event]:
        events = self._teller.events.copy()
        if events:
            self._teller.events.clear()
        return events


_MAX_CHECKS = 16
"""Places where a reply may end early that are looked at; a reply with more of them is read to its end."""
_AFTER_A_CALL = ("observe", "thought", "answer", "question")
_ANSWER_AHEAD = re.compile(
    r"[\s,;]*(?:[^\s{}]{1,16}[:：]\s*)?[{]\s*\"(?:type\"\s*:\s*\"final_answer|action\"\s*:\s*\"final)", re.I
)


def _may_hold_call(segment: Segment) -> bool:
    return segment.kind in ("call", "fence", "value", "python") or (segment.kind == "label" and segment.word == "action")


class _FirstAction:
    """Knows when the one action of a labelled reply is over, and what of the reply it covers."""

    def __init__(self, active: bool) -> None:
        self.over = False
        self._active = active
        self._tool = ""
        self._count = 0
        self._end = 0
        self._segments = 0

    def wants(self, last: Segment) -> bool:
        """Could `last` have completed a call?"""
        return self._active and not self.over and last.kind in ("value", "fence", "python", "call")

    def look(self, calls: tuple[Call, ...], last: Segment, segments: int) -> None:
        """Take note of the calls so far, the last of them in `last`."""
        if not calls or calls[0].evidence != LABELLED:
            return
        self._tool = self._tool or calls[0].name
        one_list = all(call.span == calls[0].span for call in calls)
        if len(calls) == self._count or not (one_list or all(call.name == self._tool for call in calls)):
            self.over = True
            return
        self._count, self._end, self._segments = len(calls), last.end, segments

    def passed(self, text: str, segments: list[Segment]) -> None:
        """Prose that follows the action ends it; a name behind a label is no prose."""
        behind_label = bool(segments) and segments[-1].kind == "label" and len(segments) > self._segments
        if self._count and not behind_label and not text.isspace():
            self.over = True

    def is_over(self, text: str) -> bool:
        """Does something follow that is not wanted?"""
        if self._count and not self.over and _ANSWER_AHEAD.match(text, self._end, self._end + 120):
            self.over = True
        return self.over

    def kept(self, text: str, segments: list[Segment]) -> tuple[str, list[Segment]]:
        """What counts of a reply: all of it, or the action alone."""
        return (text[: self._end], segments[: self._segments]) if self.is_over(text) else (text, segments)


def _text(chunk: str) -> str:
    if not isinstance(chunk, str):
        raise UsageError(f"a reply is a str, but {type(chunk).__name__} came: decode it, or take the text of the response")
    return chunk


def parse(
    text: str,
    tools: Iterable[Any] | ToolNames = (),
    strictness: Strictness = "normal",
    *,
    dialect: str = "",
    explain: bool = False,
) -> Parsed:
    """What a whole reply says; never raises for any text.

    Everything but `text` is as for `Parser`, which says what raises a UsageError.

    >>> parse('行动：{"type": "final_answer", "content": "晴"}').answer
    '晴'
    """
    parser = Parser(tools, strictness=strictness, dialect=dialect, explain=explain)
    parser.close(text)
    return parser.result
