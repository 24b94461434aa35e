"""Notices a model that writes white space and nothing else, up to its limit.

In: the chunks of a reply.  Out: whether it has become a flood.  Seen where a grammar allows white space without end: with
`tool_choice: "required"` in the text, with JSON Schemas between the parts of the arguments.  Code and tables are not met: no
line of them has so many blanks in a row.
"""

from __future__ import annotations

from react_agent.events import ModelChunk

LIMIT = 500  # characters of white space in a row


class Blanks:
    """Counts the white space at the end of what came so far."""

    def __init__(self) -> None:
        self._run = 0

    def flooded(self, chunk: ModelChunk) -> bool:
        """Whether nothing but white space comes, with this chunk."""
        if chunk.reasoning:
            self._count(chunk.reasoning)
        if chunk.text:
            self._count(chunk.text)
        for call in chunk.tool_calls:
            self._count(call.name + call.arguments)
        return self._run > LIMIT

    def _count(self, text: str) -> None:
        written = len(text.rstrip())
        self._run = len(text) - written if written else self._run + len(text)
