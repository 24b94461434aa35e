"""Where a part ends that has no closing mark."""

from __future__ import annotations

from react_agent.parsing.buffer import Buffer, Reading
from react_agent.parsing.places import BODY_END


def paragraph(buffer: Buffer, index: int) -> Reading[int]:
    """The end of an unclosed body: the next blank line, or a mark that ends the turn."""
    match = yield from buffer.find(BODY_END, index)
    return match.start() if match else len(buffer.text)


def list_end(buffer: Buffer, index: int) -> Reading[int]:
    """The end of a list of calls: the next blank line that no comma and no bracket follows."""
    while True:
        index = yield from paragraph(buffer, index)
        following = yield from buffer.blanks(index)
        if following == index or not buffer.text.startswith((",", "]"), following):
            return index
        index = following
