"""One reply on its way to the verdict: text comes in, and at the end a `Parsed` comes out.

A `Judge` scans the text as it comes, ends the reading where nothing more can be wanted, and decides.  It tells nobody what it
finds on the way: who wants to know gives it a `Watcher`, which changes nothing of the verdict.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

from react_agent.messages import Call, Parsed

from .buffer import Buffer
from .decide import decide
from .evidence import LABELLED
from .explaining import explained
from .manner import Manner
from .names import ToolNames
from .scan import Scanner
from .segments import Segment


class Watcher(Protocol):
    """Who is told of a reply while it is read."""

    def watch(self, source: str, start: int, end: int) -> None:
        """text[start:end] holds no mark."""

    def opened(self, opening: Segment, closers: tuple[str, ...]) -> None:
        """A wrapper has opened; it will be the next segment."""


class Judge:
    """Reads one reply: `advance` when its `buffer` has grown, `verdict` when that is closed.

    `segments` are the parts found so far; `done` is True as soon as nothing more can be wanted: a call is complete and
    something invented follows it.
    """

    def __init__(self, names: ToolNames, manner: Manner, *, one_action: bool) -> None:
        """`manner` and `one_action` are those of `Parser`."""
        self.buffer = Buffer()
        self.done = False
        self.watcher: Watcher | None = None
        self._names = names
        self._manner = manner
        self._quiet = manner if manner.record is None else replace(manner, record=None)
        self._scanner = Scanner(self.buffer, tuple(names.tools), self._watch, self._opened)
        self.segments = self._scanner.segments
        self._reading = self._scanner.scan(self._stops)
        self._early: Parsed | None = None
        self._decided = _UNDECIDED
        self._action = _FirstAction(one_action)
        self._checked = 0
        self._fresh = False
        self._checks = 0

    def advance(self) -> None:
        """Read as far as the text has come."""
        try:
            next(self._reading)
        except StopIteration:
            over = True
        else:
            over = self._action.acted and self._action.is_over(self.buffer.text)
        self.done = self.done or (over and not self.buffer.closed)

    def verdict(self) -> Parsed:
        """What the reply says."""
        text, segments = self.buffer.text, self.segments
        if self._early is not None:
            text, segments = text[: segments[-1].start], segments[:-1]
        else:
            text, segments = self._action.kept(text, segments)
        record = self._manner.record
        if record is None:
            return self._early or self._decide(text, segments)
        parsed = decide(text, segments, self._names, self._manner)
        return replace(parsed, explanation=explained(self.buffer.text, segments, self._names, parsed, record))

    def _decide(self, text: str, segments: list[Segment]) -> Parsed:
        """The verdict on a beginning of the reply: told by its size, as text and segments only grow."""
        size = len(text), len(segments)
        if self._decided[0] != size:
            self._decided = size, decide(text, segments, self._names, self._quiet)
        return self._decided[1]

    def _watch(self, source: str, start: int, end: int) -> None:
        if self._action.acted:
            self._action.passed(self.buffer.text, start, end, self.segments)
        if self.watcher is not None:
            self.watcher.watch(source, start, end)

    def _opened(self, opening: Segment, closers: tuple[str, ...]) -> None:
        if self.watcher is not None:
            self.watcher.opened(opening, closers)

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
            self._action.look(self._decide(self.buffer.text[: last.end], segments).calls, last, len(segments))
        if self._action.over or not marks or not self._fresh:
            return self._action.over
        self._fresh = False
        self._checks += 1
        early = self._decide(self.buffer.text[: last.start], segments[:-1])
        self._early = early if early.calls else None
        return self._early is not None


_UNDECIDED = ((-1, 0), Parsed())
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
        self.acted = False
        """There is an action."""
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
        self.acted, self._count, self._end, self._segments = True, len(calls), last.end, segments

    def passed(self, text: str, start: int, end: int, segments: list[Segment]) -> None:
        """Prose text[start:end] that follows the action ends it; a name behind a label is no prose."""
        behind_label = bool(segments) and segments[-1].kind == "label" and len(segments) > self._segments
        if self.acted and not behind_label and not text[start:end].isspace():
            self.over = True

    def is_over(self, text: str) -> bool:
        """Does something follow that is not wanted?"""
        if self.acted and not self.over and _ANSWER_AHEAD.match(text, self._end, self._end + 120):
            self.over = True
        return self.over

    def kept(self, text: str, segments: list[Segment]) -> tuple[str, list[Segment]]:
        """What counts of a reply: all of it, or the action alone."""
        return (text[: self._end], segments[: self._segments]) if self.is_over(text) else (text, segments)
