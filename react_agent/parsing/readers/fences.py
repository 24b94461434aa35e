"""Code fences, and code inside a line."""

from __future__ import annotations

import regex

from react_agent.parsing.buffer import Buffer, Reading
from react_agent.parsing.places import FENCE_BEHIND, LABELLED_LINE, fence_end
from react_agent.parsing.segments import Segment


def fence(buffer: Buffer, match: regex.Match[str]) -> Reading[Segment]:
    ticks = match["ticks"]
    head = yield from buffer.line_end(match.end())
    info = buffer.text[match.end() : head]
    if "`" in info:
        close = buffer.text.find(ticks, match.end(), head)
        until = close if close >= 0 else head
        return Segment("fence", match.start(), min(head, until + len(ticks)), match.end(), until, close >= 0)
    inner = min(head + 1, len(buffer.text))
    if match.start() == 0 and (yield from buffer.match(LABELLED_LINE, inner)):
        return Segment("noise", match.start(), inner)
    one_line = info.strip().startswith(("{", "["))
    close_match = yield from buffer.find(fence_end(ticks[0]), match.end() if one_line else max(inner - 1, match.end()))
    until = close_match.start() if close_match else len(buffer.text)
    end = close_match.end() if close_match else until
    if close_match is None and not buffer.text[inner:].strip() and not info.strip():
        return Segment("noise", match.start(), until)
    return Segment(
        "fence",
        match.start(),
        end,
        match.end() if one_line else inner,
        max(until, inner),
        close_match is not None,
        word=info.strip(),
    )


def fence_behind(buffer: Buffer, index: int) -> Reading[Segment | None]:
    """A fence that begins on the line of a label."""
    match = yield from buffer.match(FENCE_BEHIND, index)
    return None if match is None else (yield from fence(buffer, match))


def inline_code(buffer: Buffer, match: regex.Match[str]) -> Reading[Segment]:
    """Inline code: closed on its line, else the mark is text."""
    end = yield from buffer.line_end(match.end())
    line = buffer.text[match.start() : min(end, match.start() + 4000)]
    run = match.end() - match.start()
    close = line.find("`" * run, run)
    if close < 0:
        return Segment("text", match.start(), match.start() + run)
    return Segment("doc", match.start(), match.start() + close + run, match.start() + run, match.start() + close)
