"""Joins a repeated answer to one that broke off, so that nothing is shown twice.

In: the chunks of an answer, and of the answers to the same request after it broke off.  Out: what the consumer has not seen
yet.  The rule: as long as the new answer says what the old one said, it is kept back; when it goes on from there, the rest is
handed out; when it says anything else, `ReplyRestarted` comes first and then the new answer from its beginning.  Ids of calls
do not count: servers draw them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from react_agent.events import ModelChunk, ModelPiece, ReplyRestarted, ToolCallDelta

from .thinking import Said, said

Place = tuple[int, str]
"""Where a text of a chunk belongs: -1 for the reply itself, else the number of a call; and the name of the field."""


class Seam:
    """Follows the answers to one request."""

    def __init__(self) -> None:
        self._shown: dict[Place, list[str]] = {}
        self._left: dict[Place, str] = {}
        self._held: list[ModelChunk] = []

    @property
    def said(self) -> Said:
        """What the consumer knows of the reply by now."""
        parts = {place: "".join(texts) for place, texts in self._shown.items()}
        return said(parts.get((-1, "reasoning"), ""), parts.get((-1, "text"), ""), any(number >= 0 for number, _ in parts))

    def again(self) -> None:
        """The answer has broken off, and the request is made again."""
        self._left = {place: text for place, parts in self._shown.items() if (text := "".join(parts))}
        self._held = []

    def join(self, chunk: ModelChunk) -> Iterator[ModelPiece]:
        """What is new in the next chunk."""
        if not self._left:
            yield self._show(chunk)
            return
        self._held.append(chunk)
        rest = self._rest(chunk)
        if rest is None:
            yield from self._restart()
        else:
            yield self._show(rest)

    def end(self) -> Iterator[ModelPiece]:
        """What there is to say when the answer is complete: one that ends earlier than the old one is another."""
        if self._left:
            yield from self._restart()

    def _restart(self) -> Iterator[ModelPiece]:
        self._shown, self._left = {}, {}
        yield ReplyRestarted()
        yield from map(self._show, self._held)

    def _show(self, chunk: ModelChunk) -> ModelChunk:
        for place, text in _texts(chunk):
            self._shown.setdefault(place, []).append(text)
        return chunk

    def _rest(self, chunk: ModelChunk) -> ModelChunk | None:
        """The chunk without what was shown; None when it says something else."""
        news = [self._new(place, text) for place, text in _texts(chunk)]
        text, reasoning, *parts = news
        if text is None or reasoning is None or None in parts:
            return None
        named = zip(chunk.tool_calls, parts[::2], parts[1::2], strict=True)
        calls = (self._delta(call, name or "", arguments or "") for call, name, arguments in named)
        return replace(chunk, text=text, reasoning=reasoning, tool_calls=tuple(call for call in calls if call))

    def _delta(self, call: ToolCallDelta, name: str, arguments: str) -> ToolCallDelta | None:
        known = (call.index, "name") in self._shown
        return ToolCallDelta(call.index, "" if known else call.id, name, arguments) if name or arguments else None

    def _new(self, place: Place, text: str) -> str | None:
        """What of a text was not shown yet; None when something else was."""
        left = self._left.pop(place, "")
        if not text.startswith(left) and not left.startswith(text):
            return None
        if len(left) > len(text):
            self._left[place] = left[len(text) :]
        return text[len(left) :]


def _texts(chunk: ModelChunk) -> Iterator[tuple[Place, str]]:
    yield (-1, "text"), chunk.text
    yield (-1, "reasoning"), chunk.reasoning
    for call in chunk.tool_calls:
        yield (call.index, "name"), call.name
        yield (call.index, "arguments"), call.arguments
