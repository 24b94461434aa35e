"""Values set apart: at the start of a line, behind a label or a mark, behind another value.

Out: the segment that the value makes, with what stands in front of it; None where the search for marks is to go on.
Python-like calls in such a place count as a value.
"""

from __future__ import annotations

from dataclasses import replace

from react_agent.parsing.buffer import Buffer, Reading
from react_agent.parsing.dialects import OPENERS
from react_agent.parsing.labels import AFTER_VALUE, kind_of
from react_agent.parsing.places import BRACKET_OPENERS, CALL_CLOSERS, QUOTED_INPUT, any_literal
from react_agent.parsing.segments import Segment
from react_agent.repair.reader import OPENING

from .code import calls_end, code_list, is_call


def value(buffer: Buffer, start: int, at: int) -> Reading[Segment]:
    """The value at `at`, with the blanks from `start` on: maybe a list of calls; text when there is none."""
    if (yield from is_call(buffer, at)):
        return (yield from code_list(buffer, start, at))
    read = yield from buffer.value(at)
    if read is None:
        return Segment("text", start, at + 1)
    return Segment("value", start, read.end, at, read.end, read=read)


def closed_alone(buffer: Buffer, found: Segment) -> Reading[Segment]:
    """A value behind which the mark stands that closes a wrapper is the body of one, although nothing opened it."""
    if found.kind != "value" or found.read is None or found.read.cut:
        return found
    close = yield from buffer.match(CALL_CLOSERS, (yield from buffer.blanks(found.end)))
    if close is None:
        return found
    dialect = next(opener.dialect for opener in OPENERS.values() if close.group() in opener.closers)
    return replace(found, kind="call", end=close.end(), dialect=dialect)


def value_behind(buffer: Buffer, index: int) -> Reading[Segment | None]:
    """A whole value directly behind a label or a mark."""
    start = yield from buffer.blanks(index)
    return (yield from _whole_value(buffer, index, start))


def next_value(buffer: Buffer, index: int) -> Reading[Segment | None]:
    """Another value behind one, maybe behind a comma or semicolon."""
    start = yield from buffer.blanks(index)
    if buffer.text.startswith((",", ";", "；"), start):
        start = yield from buffer.blanks(start + 1)
    return (yield from _whole_value(buffer, index, start))


def _whole_value(buffer: Buffer, index: int, start: int) -> Reading[Segment | None]:
    """The value at `start`, with what stands between `index` and it; None for marks that look like one."""
    if not buffer.text.startswith(OPENING, start) or (yield from is_call(buffer, start)):
        return None
    if buffer.text[start] == "[" and (yield from buffer.match(any_literal(BRACKET_OPENERS), start)) is not None:
        return None
    segment = yield from value(buffer, index, start)
    whole = segment.kind == "value" and segment.read is not None and not segment.read.cut
    return segment if whole else None


def list_behind(buffer: Buffer, index: int) -> Reading[Segment | None]:
    """A list of calls directly behind a mark."""
    start = yield from buffer.blanks(index)
    if not buffer.text.startswith("[", start) or not (yield from is_call(buffer, start)):
        return None
    return (yield from code_list(buffer, index, start))


def line_behind(buffer: Buffer, index: int) -> Reading[Segment | None]:
    """A call or quoted input on the line of a label, whose text may hold marks: it is one piece of text."""
    start = yield from buffer.blanks(index)
    head = yield from buffer.match(QUOTED_INPUT, start)
    if head is not None:
        read = yield from buffer.value(head.end())
        end = read.end if read and not read.cut else start
    else:
        end = yield from calls_end(buffer, start)
    return Segment("text", index, end) if end > start else None


def label_behind(buffer: Buffer, index: int) -> Reading[Segment | None]:
    """An invented observation may start on the line of a value."""
    match = yield from buffer.match(AFTER_VALUE, index)
    if match is None:
        return None
    kind, strong = kind_of(match["word"])
    return Segment("label", match.start(), match.end(), word=kind, strong=strong)
