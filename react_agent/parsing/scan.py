"""Text to segments, as it comes: one left-to-right pass over a `Buffer`.

The leftmost mark wins, the longest spelling first; once inside something nothing else is tried until it ends.  Where a
segment ends is a function of the text alone, never of how it was cut into chunks: see `buffer`.  What the marks look like is
the business of `places`, where what they open ends that of `readers`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import regex

from .buffer import Buffer, Reading
from .dialects import OPENERS, Opener
from .labels import kind_of
from .places import CALL_OPENERS, COLON, NAME_IN_TAG, STRIPPED_THOUGHT, THINK_CLOSERS, any_literal, places_for
from .readers.code import code_lines
from .readers.fences import fence, fence_behind, inline_code
from .readers.mentions import is_mentioned
from .readers.name_lines import braces, name_line
from .readers.values import closed_alone, label_behind, line_behind, list_behind, next_value, value, value_behind
from .readers.wrappers import json_in_tag, wrapped
from .segments import Segment, SegmentKind

MAX_SEGMENTS = 4_000
"""No reply has so many parts; a flood of marks must not take so much time and memory as its parts would."""

_TAG_CLOSERS = ("</function>", "</invoke>", "</tool>", "</call>", "</tool_call>", "</｜DSML｜invoke>", "</steptml:invoke>")
_NAME_TAGS = ("<tool>", "<action>", "<function>")
_HARMONY_CLOSERS = ("<|call|>", "<|end|>", "<|start|>", "<|return|>")

Watch = Callable[[str, int, int], None]
Opened = Callable[[Segment, tuple[str, ...]], None]


class Scanner:
    """Reads segments from a buffer into `segments`; `watch(kind, start, end)` is told of text as it passes, and
    `opened(segment, closers)` of a wrapper whose body begins."""

    def __init__(self, buffer: Buffer, tools: tuple[str, ...], watch: Watch, opened: Opened) -> None:
        self.buffer = buffer
        self.segments: list[Segment] = []
        self._tools = tools
        self._watch = watch
        self._pass_text = functools.partial(watch, "text")
        self._opened = opened
        self._labelled = False

    def scan(self, stop: Callable[[list[Segment]], bool]) -> Reading[None]:
        """Read to the end of the text, or until `stop` says that nothing more can be wanted.

        Behind `MAX_SEGMENTS` nothing is looked for: the rest is prose.
        """
        index = 0
        segment: Segment | None = None
        while len(self.segments) < MAX_SEGMENTS:
            segment = None if segment is None else (yield from self._following(segment))
            if segment is None:
                match = yield from self._next(index)
                start = len(self.buffer.text) if match is None else match.start()
                if start > index:
                    self._add(Segment("text", index, start))
                if match is None:
                    return
                segment = yield from self._read(match)
            self._add(segment)
            index = segment.end
            if stop(self.segments):
                return
        end = yield from self.buffer.end(index, self._pass_text)
        self._add(Segment("text", index, end))

    def _following(self, segment: Segment) -> Reading[Segment | None]:
        """What belongs directly behind a segment, wherever the line breaks are; None where the search goes on."""
        buffer, end = self.buffer, segment.end
        match segment.kind:
            case "label" if segment.word in ("action", "input"):
                return (
                    (yield from fence_behind(buffer, end))
                    or (yield from value_behind(buffer, end))
                    or (yield from line_behind(buffer, end))
                )
            case "label" if segment.word == "answer":
                return (yield from fence_behind(buffer, end))
            case "unthink" | "noise" | "think":
                found = (yield from value_behind(buffer, end)) or (yield from list_behind(buffer, end))
                return None if found is None else (yield from closed_alone(buffer, found))
            case "value":
                return (yield from next_value(buffer, end)) or (yield from label_behind(buffer, end))
        return None

    def _add(self, segment: Segment) -> None:
        if segment.end > segment.start or segment.kind == "label":
            self.segments.append(segment)

    def _next(self, index: int) -> Reading[regex.Match[str] | None]:
        """The next mark; once the reply is labelled, also one inside a line."""
        marks = places_for(self._tools, self._labelled)
        return self.buffer.find(marks, index, self._pass_text)

    def _read(self, match: regex.Match[str]) -> Reading[Segment]:
        """What the mark opens, by the group of its pattern."""
        match match.lastgroup:
            case "literal":
                return (yield from self._literal(match))
            case "label":
                return self._label(match, match["word"] or match["heading"])
            case "inline":
                return self._label(match, match["within"] or match["concluding"])
            case "fence":
                return (yield from fence(self.buffer, match))
            case "doc":
                return Segment("doc", match.start(), (yield from self.buffer.line_end(match.end())))
            case "tick":
                return (yield from inline_code(self.buffer, match))
            case "value":
                found = yield from value(self.buffer, match.start(), match.end() - 1)
                return (yield from closed_alone(self.buffer, found))
            case _:
                return (yield from self._dynamic(match))

    def _dynamic(self, match: regex.Match[str]) -> Reading[Segment]:
        """A call that is told by a tag, a header or a name."""
        match match.lastgroup:
            case "suffixed":
                tag = match.group().strip("<>")
                return (yield from self._wrapped(match, Opener(match.group(), "hunyuan", (f"</{tag}>",)), match.end()))
            case "harmony":
                dialect = "harmony" if match["recipient"] else "harmony_stripped"
                opener = Opener(match.group(), dialect, _HARMONY_CLOSERS)
                return (yield from self._wrapped(match, opener, match.end(), word=match["recipient"] or match["bare"] or ""))
            case "stripped":
                return self._stripped(match)
            case "tag":
                return (yield from self._tag(match))
            case "tooltag":
                return (yield from self._tool_tag(match, match["tool"]))
            case "python":
                return (yield from code_lines(self.buffer, match))
            case "braces":
                return (yield from braces(self.buffer, match))
            case _:
                return (yield from name_line(self.buffer, match))

    # --- one reader each ----------------------------------------------------------------------------------------------

    def _wrapped(self, match: regex.Match[str], opener: Opener, inner: int, word: str = "") -> Reading[Segment]:
        """A call between its marks, whose body starts at `inner`; `word` is its name when that stands in the header."""
        return wrapped(self.buffer, self._opens(match, opener, inner, word), opener, self._tools)

    def _whole(self, match: regex.Match[str], opener: Opener) -> Reading[Segment]:
        """A call whose marks belong to the body."""
        return wrapped(self.buffer, self._opens(match, opener, match.start()), opener, self._tools, whole=True)

    def _opens(self, match: regex.Match[str], opener: Opener, inner: int, word: str = "") -> Segment:
        opening = Segment("call", match.start(), match.end(), inner, inner, dialect=opener.dialect, word=word)
        self._opened(opening, opener.closers)
        return opening

    def _tag(self, match: regex.Match[str]) -> Reading[Segment]:
        """A function tag: it belongs to the body."""
        if (yield from is_mentioned(self.buffer, match, None, self._tools)):
            return Segment("text", match.start(), match.end())
        data = yield from json_in_tag(self.buffer, match)
        opener = Opener("", "tag", _TAG_CLOSERS)
        opening = self._opens(match, opener, match.start())
        return (yield from wrapped(self.buffer, opening, opener, self._tools, whole=True, data=data))

    def _tool_tag(self, match: regex.Match[str], tool: str) -> Reading[Segment]:
        """A tag with the name of a tool."""
        if match.group().rstrip("> ").endswith("/"):
            inner = match.end()
            return Segment("call", match.start(), inner, inner, inner, dialect="cline_xml", word=tool)
        opener = Opener(match.group(), "cline_xml", (f"</{tool}>",))
        return (yield from self._wrapped(match, opener, match.end(), word=tool))

    def _literal(self, match: regex.Match[str]) -> Reading[Segment]:
        opener = OPENERS.get(match.group()) or OPENERS.get(match.group().lower())
        if (yield from is_mentioned(self.buffer, match, opener, self._tools)):
            return Segment("text", match.start(), match.end())
        if match.group() in THINK_CLOSERS and (opener is None or opener.kind != "think"):
            return Segment("unthink", match.start(), match.end())
        if opener is None:
            return Segment("text", match.start(), match.end())
        if opener.kind == "call":
            if opener.literal in _NAME_TAGS and (head := (yield from self.buffer.match(NAME_IN_TAG, match.end()))):
                return (yield from self._whole(match, Opener(opener.literal, opener.dialect, (f"</{head['inside']}>",))))
            if opener.literal.endswith("<invoke"):
                return (yield from self._whole(match, opener))
            inner = match.end() - 1 if opener.literal.endswith("functools[") else match.end()
            return (yield from self._wrapped(match, opener, inner))
        if opener.kind in ("think", "answer"):
            return (yield from self._between(match, opener))
        if opener.kind in ("thought", "action", "input"):
            colon = yield from self.buffer.match(COLON, match.end())
            end = colon.end() if colon else match.end()
            self._labelled = True
            return Segment("label", match.start(), end, dialect=opener.dialect, word=opener.kind)
        if opener.kind == "observe":
            return Segment("observe", match.start(), match.end())
        return Segment("end" if opener.kind == "end" else "noise", match.start(), match.end())

    def _between(self, match: regex.Match[str], opener: Opener) -> Reading[Segment]:
        """Reasoning or an answer between its marks; an answer without closing mark goes to the end."""
        kind: SegmentKind = "think" if opener.kind == "think" else "answer"
        inner = (yield from self._behind_colon(match.end())) if kind == "answer" else match.end()
        if not opener.closers:
            return Segment("answer", match.start(), inner, inner, inner, closed=False, dialect=opener.dialect)
        close = yield from self.buffer.find(any_literal(opener.closers), inner, functools.partial(self._watch, kind))
        until = close.start() if close else len(self.buffer.text)
        if kind == "answer" and CALL_OPENERS.pattern.search(self.buffer.text, inner, until):
            return Segment("noise", match.start(), inner)
        keep = close is not None and close.group() in ("<|start|>", "<|channel|>")
        end = until if close is None or keep else close.end()
        return Segment(kind, match.start(), end, inner, until, close is not None, opener.dialect)

    def _behind_colon(self, index: int) -> Reading[int]:
        """The index behind the colon of a mark, `index` itself when none stands there."""
        colon = yield from self.buffer.match(COLON, index)
        return colon.end() if colon and colon.group().strip() else index

    def _stripped(self, match: regex.Match[str]) -> Segment:
        """The head of a harmony message without its tokens: only where the reply began with such a head."""
        kind: SegmentKind = "text"
        if any(segment.kind == "call" for segment in self.segments):
            kind = "noise" if match.group() == "assistant" else "observe"
        elif self.buffer.text.startswith(STRIPPED_THOUGHT) or match.start() == 0:
            kind = "unthink" if match.start() else "noise"
        return Segment(kind, match.start(), match.end(), dialect="harmony_stripped")

    def _label(self, match: regex.Match[str], word: str) -> Segment:
        kind, strong = kind_of(word)
        self._labelled = (self._labelled or (strong and kind in ("thought", "action"))) and kind != "answer"
        return Segment("label", match.start(), match.end(), word=kind, strong=strong)
