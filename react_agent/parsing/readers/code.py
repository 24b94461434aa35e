"""Python-like calls where prose could stand: one behind a mark or label, lines of them, a list over several lines.

f(x=1)          [f(x=1), g()]          note = f(x=1)
"""

from __future__ import annotations

import regex

from react_agent.parsing.bodies import CALL_START
from react_agent.parsing.buffer import Buffer, Reading
from react_agent.parsing.places import CODE_LINE
from react_agent.parsing.segments import Segment

from .unclosed import list_end, paragraph

_MAX_CALLS = 1_000
_MAX_LINES = 256
"""So many lines of code are read one by one; more of them end at a blank line."""


def is_call(buffer: Buffer, index: int) -> Reading[bool]:
    """Does a Python-like call, or a list of them, start here?  A brace never does."""
    if buffer.text.startswith("{", index):
        return False
    return (yield from buffer.match(CALL_START, index)) is not None


def calls_end(buffer: Buffer, start: int) -> Reading[int]:
    """Behind the Python-like calls that start here, in a list or not; `start` when none can be read.

    Of a long list of them only the first `_MAX_CALLS` are stepped over.
    """
    in_list = buffer.text.startswith("[", start) and (yield from is_call(buffer, start))
    index, end = (yield from buffer.blanks(start + 1)) if in_list else start, start
    for _ in range(_MAX_CALLS):
        if not ((yield from buffer.has(index)) and (yield from is_call(buffer, index))):
            break
        after = yield from buffer.call(index)
        if after == index:
            return end
        end, index = after, (yield from buffer.blanks(after))
        if in_list and buffer.text.startswith(",", index):
            index = yield from buffer.blanks(index + 1)
    return index + 1 if in_list and buffer.text.startswith("]", index) else end


def code_lines(buffer: Buffer, match: regex.Match[str]) -> Reading[Segment]:
    """Lines of calls that follow each other, the first of them a declared tool's."""
    start, called = match.start(), match.start("called")
    for _ in range(_MAX_LINES):
        read = yield from buffer.call(called)
        end = yield from buffer.line_end(max(read, called))
        following = None if read == called else (yield from buffer.match(CODE_LINE, end))
        if following is None:
            return Segment("python", start, end, start, end, end < len(buffer.text))
        called = following.start("called")
    end = yield from paragraph(buffer, called)
    return Segment("python", start, end, start, end, end < len(buffer.text))


def code_list(buffer: Buffer, start: int, at: int) -> Reading[Segment]:
    """The calls at `at`, in a list that may go on over blank lines, with what stands between `start` and them."""
    end = yield from list_end(buffer, (yield from calls_end(buffer, at)))
    return Segment("python", start, end, at, end, end < len(buffer.text))
