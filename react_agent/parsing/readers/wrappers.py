"""A call between its marks: where its body ends.

    <tool_call> {"name": "f", "arguments": {"text": "</tool_call> inside a string is data"}} </tool_call>

JSON values and Python-like calls are stepped over, so that a closing mark inside a string does not end the body; in tags a
closing mark inside a value between tags does not.
"""

from __future__ import annotations

import regex

from react_agent.parsing.bodies import NAME_HEAD
from react_agent.parsing.buffer import Buffer, Marks, Reading
from react_agent.parsing.dialects import Opener
from react_agent.parsing.dialects.telling import told_by_closer
from react_agent.parsing.places import BRACKET_OPENERS, CODE_END, JSON_IN_TAG, VALUE_CLOSE, VALUE_OPEN, any_literal
from react_agent.parsing.segments import Segment
from react_agent.repair.reader import OPENING, Read

from .code import calls_end, is_call
from .unclosed import paragraph

_MAX_VALUES = 1_000
"""So many values are stepped over in one wrapper; after that its closing mark is looked for as if none were there."""


def wrapped(
    buffer: Buffer, opening: Segment, opener: Opener, tools: tuple[str, ...], *, whole: bool = False, data: int = 0
) -> Reading[Segment]:
    """The call that `opening` begins, whose body starts at its `inner`.

    `whole`: the marks belong to the body; `data` is how much of the text is known to hold no closing mark.
    """
    start, inner, word, closers = opening.start, opening.inner, opening.word, opener.closers
    index, read = yield from _past_values(buffer, opener, inner, tools)
    if read:
        behind = yield from _behind_value(buffer, inner, index)
        index = max(index, behind)
        if index > inner and not whole and behind >= 0:
            closed = yield from _closes(buffer, opener, index)
            if closed or not closers or buffer.text[inner:index].strip():
                end = closed or index
                dialect = told_by_closer(opener.dialect, buffer.text[index:end])
                return Segment("call", start, end, inner, index, bool(closed), dialect, word)
        index = inner if closers else index
    if not closers:
        end = yield from paragraph(buffer, max(index, inner))
        return Segment("call", start, end, inner, end, end < len(buffer.text), opener.dialect, word)
    close = yield from buffer.find(any_literal(closers), max(index, opening.end, data))
    close = yield from _outside_values(buffer, close, any_literal(closers), max(inner, data))
    until = close.start() if close else len(buffer.text)
    end = close.end() if close and close.group() != opener.literal else until
    return Segment("call", start, end, inner, end if whole else until, close is not None, opener.dialect, word)


def _past_values(buffer: Buffer, opener: Opener, inner: int, tools: tuple[str, ...]) -> Reading[tuple[int, bool]]:
    """Behind the calls and values that a body starts with, and whether all of them could be read."""
    index = yield from buffer.blanks((yield from calls_end(buffer, (yield from buffer.blanks(inner)))))
    headed = yield from _head(buffer, index, tools)
    index = headed or index
    values = 0
    while (yield from _value_in(buffer, opener, index)):
        read = yield from buffer.value(index)
        values += 1
        if read is None or read.cut or values > _MAX_VALUES or (opener.closers and _unclosed(read)):
            return index, False
        index = yield from buffer.blanks(read.end)
        if buffer.text.startswith((",", ";"), index):
            index = yield from buffer.blanks(index + 1)
        if headed and not opener.closers:
            index = (yield from _head(buffer, index, tools, known=True)) or index
    return index, True


def _head(buffer: Buffer, index: int, tools: tuple[str, ...], *, known: bool = False) -> Reading[int]:
    """Behind a name and its separators, where a JSON object follows: its text may hold closing marks; else 0.

    `known`: only the name of a declared tool, where nothing else says that a call goes on.
    """
    if buffer.text.startswith(OPENING, index):
        return 0
    head = yield from buffer.match(NAME_HEAD, index)
    return head.end() if head and (not known or head["name"] in tools) else 0


def _value_in(buffer: Buffer, opener: Opener, index: int) -> Reading[bool]:
    """Does a JSON value of this wrapper start here?  A mark in square brackets is none."""
    if not buffer.text.startswith(OPENING, index) or (yield from is_call(buffer, index)):
        return False
    return not (yield from _closes(buffer, opener, index)) and (
        (yield from buffer.match(any_literal(BRACKET_OPENERS), index)) is None
    )


def _behind_value(buffer: Buffer, inner: int, index: int) -> Reading[int]:
    """Behind what belongs to the JSON in front of it: the end of its fence, a tag of code; -1 when that is not closed."""
    if "```" in buffer.text[inner:index] and (yield from buffer.starts(index, "```")):
        return (yield from buffer.blanks(index + 3))
    if not (yield from buffer.starts(index, "<code>")):
        return index
    close = yield from buffer.find(CODE_END, index)
    return (yield from buffer.blanks(close.end())) if close else -1


def _closes(buffer: Buffer, opener: Opener, index: int) -> Reading[int]:
    """The end of the closing mark at `index`, 0 when none stands there."""
    for closer in opener.closers:
        if closer != opener.literal and (yield from buffer.starts(index, closer)):
            return index + len(closer)
    return 0


def _outside_values(
    buffer: Buffer, close: regex.Match[str] | None, closers: Marks, start: int
) -> Reading[regex.Match[str] | None]:
    """A closing mark inside a value between tags is data, when the value and the mark are closed behind it."""
    while close is not None:
        if not _in_value(buffer.text, start, close.start()):
            return close
        value_end = yield from buffer.find(VALUE_CLOSE, close.end())
        if value_end is None or VALUE_OPEN.search(buffer.text, close.end(), value_end.start()):
            return close
        later = yield from buffer.find(closers, value_end.end())
        if later is None:
            return close
        start, close = value_end.end(), later
    return None


def _in_value(text: str, start: int, end: int) -> bool:
    """Is a value of text[start:end] not closed: the last one, or one around a whole call?"""
    opened = [mark.end() for mark in VALUE_OPEN.finditer(text, start, end)]
    closed = [mark.start() for mark in VALUE_CLOSE.pattern.finditer(text, start, end)]
    return bool(opened) and (len(opened) > len(closed) or opened[-1] > closed[-1])


def _unclosed(read: Read) -> bool:
    """Is a bracket missing at the end of the value?"""
    return any(fix.name == "closed" for fix in read.fixes)


def json_in_tag(buffer: Buffer, match: regex.Match[str]) -> Reading[int]:
    """Behind the JSON object of a function tag, 0 when the tag holds none."""
    head = yield from buffer.match(JSON_IN_TAG, match.end())
    if head is None:
        return 0
    read = yield from buffer.value(head.end())
    return read.end if read and not read.cut else 0
