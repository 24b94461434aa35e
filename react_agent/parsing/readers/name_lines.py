"""A tool's name on a line, and its arguments: the call is told by nothing else.

get_weather⏎{"city": "Oslo"}
get_weather⏎```json⏎{"city": "Oslo"}⏎```
call:get_weather{city:<escape>Oslo<escape>}
"""

from __future__ import annotations

import regex

from react_agent.parsing.buffer import Buffer, Reading
from react_agent.parsing.places import BRACE, fence_end
from react_agent.parsing.segments import Segment

from .unclosed import paragraph


def name_line(buffer: Buffer, match: regex.Match[str]) -> Reading[Segment]:
    """A name line and its JSON."""
    gap = match["gap"]
    if gap.endswith("```"):
        close = yield from buffer.find(fence_end("`"), match.end())
        end = close.end() if close else len(buffer.text)
        return Segment("call", match.start(), end, match.start(), end, close is not None, "name_line")
    brace = match if gap.endswith("{") else (yield from buffer.find(BRACE, match.end()))
    if brace is None or not brace.group().endswith("{"):
        end = yield from paragraph(buffer, match.end())
        return Segment("call", match.start(), end, match.start(), end, end < len(buffer.text), "name_line")
    read = yield from buffer.value(brace.end() - 1)
    end = read.end if read else (yield from paragraph(buffer, brace.end()))
    return Segment("call", match.start(), end, match.start(), end, read is not None and not read.cut, "name_line")


def braces(buffer: Buffer, match: regex.Match[str]) -> Reading[Segment]:
    """A name behind `call:` and its braces."""
    end = yield from paragraph(buffer, match.end())
    return Segment("call", match.start(), end, match.start(), end, end < len(buffer.text), "gemma4")
