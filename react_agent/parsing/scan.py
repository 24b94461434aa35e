"""Text to segments, as it comes: one left-to-right pass over a `Buffer`.

The leftmost mark wins, the longest spelling first; once inside something nothing else is tried until it ends.  Where a
segment ends is a function of the text alone, never of how it was cut into chunks: see `buffer`.  What the marks look like is
the business of `places`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import regex

from react_agent.repair.reader import OPENING, Read

from .bodies import CALL_START, NAME_HEAD
from .buffer import Buffer, Marks, Reading
from .dialects import OPENERS, Opener
from .dialects.telling import told_by_closer
from .labels import AFTER_VALUE, kind_of
from .places import (
    BODY_END,
    BRACE,
    BRACKET_OPENERS,
    CALL_OPENERS,
    CODE_END,
    CODE_LINE,
    COLON,
    JSON_IN_TAG,
    LABELLED_LINE,
    MENTION,
    MENTION_NOUN,
    QUOTED_INPUT,
    STRIPPED_THOUGHT,
    TAG_END,
    THINK_CLOSERS,
    VALUE_CLOSE,
    VALUE_OPEN,
    any_literal,
    fence_end,
    places_for,
)
from .segments import Segment, SegmentKind

_WORD = re.compile(r"\w")
MAX_SEGMENTS = 4_000
"""No reply has so many parts; a flood of marks must not take so much time and memory as its parts would."""

_MAX_LINES = 256
"""So many lines of code are read one by one; more of them end at a blank line."""
_MAX_VALUES = 1_000
"""So many values are stepped over in one wrapper; after that its closing mark is looked for as if none were there."""

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
        end = yield from self.buffer.end(index, functools.partial(self._watch, "text"))
        self._add(Segment("text", index, end))

    def _following(self, segment: Segment) -> Reading[Segment | None]:
        """What belongs directly behind a segment, wherever the line breaks are; None where the search goes on."""
        match segment.kind:
            case "label" if segment.word in ("action", "input"):
                return (yield from self._value_behind(segment.end)) or (yield from self._line_behind(segment.end))
            case "unthink" | "noise" | "think":
                return (yield from self._value_behind(segment.end)) or (yield from self._list_behind(segment.end))
            case "value":
                return (yield from self._next_value(segment.end)) or (yield from self._label_behind(segment.end))
        return None

    def _add(self, segment: Segment) -> None:
        if segment.end > segment.start or segment.kind == "label":
            self.segments.append(segment)

    def _next(self, index: int) -> Reading[regex.Match[str] | None]:
        """The next mark; once the reply is labelled, also one inside a line."""
        marks = places_for(self._tools, self._labelled)
        return (yield from self.buffer.find(marks, index, functools.partial(self._watch, "text")))

    def _read(self, match: regex.Match[str]) -> Reading[Segment]:
        groups = match.groupdict()
        if groups.get("literal") is not None:
            return (yield from self._literal(match))
        if groups.get("label") is not None or groups.get("inline") is not None:
            return self._label(match)
        if groups.get("fence") is not None:
            return (yield from self._fence(match))
        if groups.get("doc") is not None:
            end = yield from self.buffer.line_end(match.end())
            return Segment("doc", match.start(), end)
        if groups.get("tick") is not None:
            return (yield from self._tick(match))
        if groups.get("value") is not None:
            return (yield from self._value(match.start(), match.end() - 1))
        return (yield from self._dynamic(match, groups))

    def _dynamic(self, match: regex.Match[str], groups: dict[str, str | None]) -> Reading[Segment]:
        """A call that is told by a tag, a header or a name."""
        if groups.get("suffixed") is not None:
            tag = match.group().strip("<>")
            return (yield from self._wrapped(match, Opener(match.group(), "hunyuan", (f"</{tag}>",)), match.end()))
        if groups.get("harmony") is not None:
            dialect = "harmony" if groups.get("recipient") else "harmony_stripped"
            opener = Opener(match.group(), dialect, ("<|call|>", "<|end|>", "<|start|>", "<|return|>"))
            word = groups["recipient"] or groups["bare"] or ""
            return (yield from self._wrapped(match, opener, match.end(), word=word))
        if groups.get("stripped") is not None:
            return self._stripped(match)
        if groups.get("tag") is not None and (yield from self._is_mentioned(match, None)):
            return Segment("text", match.start(), match.end())
        if groups.get("tag") is not None:
            closers = (
                "</function>",
                "</invoke>",
                "</tool>",
                "</call>",
                "</tool_call>",
                "</｜DSML｜invoke>",
                "</steptml:invoke>",
            )
            data = yield from self._json_in_tag(match)
            return (yield from self._wrapped(match, Opener("", "tag", closers), match.start(), whole=True, data=data))
        if groups.get("tooltag") is not None:
            if match.group().rstrip("> ").endswith("/"):
                inner = match.end()
                return Segment("call", match.start(), inner, inner, inner, dialect="cline_xml", word=groups["tool"] or "")
            opener = Opener(match.group(), "cline_xml", (f"</{groups['tool']}>",))
            return (yield from self._wrapped(match, opener, match.end(), word=groups["tool"] or ""))
        if groups.get("python") is not None:
            return (yield from self._code(match))
        if groups.get("braces") is not None:
            end = yield from self._paragraph(match.end())
            return Segment("call", match.start(), end, match.start(), end, end < len(self.buffer.text), "gemma4")
        return (yield from self._name_line(match))

    def _code(self, match: regex.Match[str]) -> Reading[Segment]:
        """Lines of calls that follow each other, the first of them a declared tool's."""
        start, called = match.start(), match.start("called")
        for _ in range(_MAX_LINES):
            read = yield from self.buffer.call(called)
            end = yield from self.buffer.line_end(max(read, called))
            following = None if read == called else (yield from self.buffer.match(CODE_LINE, end))
            if following is None:
                return Segment("python", start, end, start, end, end < len(self.buffer.text))
            called = following.start("called")
        end = yield from self._paragraph(called)
        return Segment("python", start, end, start, end, end < len(self.buffer.text))

    def _stripped(self, match: regex.Match[str]) -> Segment:
        """The head of a harmony message without its tokens: only where the reply began with such a head."""
        kind: SegmentKind = "text"
        if any(segment.kind == "call" for segment in self.segments):
            kind = "noise" if match.group() == "assistant" else "observe"
        elif self.buffer.text.startswith(STRIPPED_THOUGHT) or match.start() == 0:
            kind = "unthink" if match.start() else "noise"
        return Segment(kind, match.start(), match.end(), dialect="harmony_stripped")

    def _is_call(self, index: int) -> Reading[bool]:
        """Does a Python-like call, or a list of them, start here?  A brace never does."""
        if self.buffer.text.startswith("{", index):
            return False
        return (yield from self.buffer.match(CALL_START, index)) is not None

    def _is_mentioned(self, match: regex.Match[str], opener: Opener | None) -> Reading[bool]:
        """Is a mark only spoken of?  Words lead to it on its line, and words that name no tool go on behind it."""
        line = self.buffer.text[max(self.buffer.text.rfind("\n", 0, match.start()) + 1, match.start() - 200) : match.start()]
        if not _WORD.search(line):
            return False
        if opener is not None and opener.kind not in ("call", "noise"):
            return (yield from self.buffer.match(MENTION_NOUN, match.end())) is not None
        tag_end = (yield from self.buffer.match(TAG_END, match.end())) if opener is None else None
        behind = yield from self.buffer.match(MENTION, tag_end.end() if tag_end else match.end())
        return behind is not None and (behind["word"] or behind["words"]) not in self._tools

    # --- one reader each ----------------------------------------------------------------------------------------------

    def _literal(self, match: regex.Match[str]) -> Reading[Segment]:
        opener = OPENERS.get(match.group()) or OPENERS.get(match.group().lower())
        if (yield from self._is_mentioned(match, opener)):
            return Segment("text", match.start(), match.end())
        if match.group() in THINK_CLOSERS and (opener is None or opener.kind != "think"):
            return Segment("unthink", match.start(), match.end())
        if opener is None:
            return Segment("text", match.start(), match.end())
        if opener.kind == "call":
            inner = match.end() - 1 if opener.literal.endswith(("functools[",)) else match.end()
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
        if not opener.closers:
            return Segment("answer", match.start(), match.end(), match.end(), match.end(), closed=False, dialect=opener.dialect)
        close = yield from self.buffer.find(any_literal(opener.closers), match.end(), functools.partial(self._watch, kind))
        if kind == "answer" and CALL_OPENERS.pattern.search(
            self.buffer.text, match.end(), close.start() if close else len(self.buffer.text)
        ):
            return Segment("noise", match.start(), match.end())
        until = close.start() if close else len(self.buffer.text)
        keep = close is not None and close.group() in ("<|start|>", "<|channel|>")
        end = until if close is None or keep else close.end()
        return Segment(kind, match.start(), end, match.end(), until, close is not None, opener.dialect)

    def _wrapped(
        self, match: regex.Match[str], opener: Opener, inner: int, word: str = "", whole: bool = False, data: int = 0
    ) -> Reading[Segment]:
        """A call between its marks.  JSON values are stepped over, so that a closing mark inside a string is data.

        The body starts at `inner`; `data` is how much of it is known to hold no closing mark.
        """
        buffer = self.buffer
        opening = Segment("call", match.start(), match.end(), inner, inner, dialect=opener.dialect, word=word)
        self._opened(opening, opener.closers)
        index = yield from self._calls_end((yield from buffer.blanks(inner)))
        index = yield from buffer.blanks(index)
        headed = yield from self._head(index)
        index = headed or index
        values = 0
        while (yield from self._value_in(opener, index)):
            read = yield from buffer.value(index)
            values += 1
            if read is None or read.cut or values > _MAX_VALUES or (opener.closers and _unclosed(read)):
                break
            index = yield from buffer.blanks(read.end)
            if buffer.text.startswith((",", ";"), index):
                index = yield from buffer.blanks(index + 1)
            if headed and not opener.closers:
                index = (yield from self._head(index, known=True)) or index
        else:
            behind = yield from self._behind_value(inner, index)
            index = max(index, behind)
            if index > inner and not whole and behind >= 0:
                closed = yield from self._closes(opener, index)
                if closed or not opener.closers or buffer.text[inner:index].strip():
                    end = closed or index
                    dialect = told_by_closer(opener.dialect, buffer.text[index:end])
                    return Segment("call", match.start(), end, inner, index, bool(closed), dialect, word)
            index = inner if opener.closers else index
        closers = opener.closers
        if not closers:
            end = yield from self._paragraph(max(index, inner))
            return Segment("call", match.start(), end, inner, end, end < len(buffer.text), opener.dialect, word)
        close = yield from buffer.find(any_literal(closers), max(index, match.end(), data))
        close = yield from self._outside_values(close, any_literal(closers), max(inner, data))
        until = close.start() if close else len(buffer.text)
        end = close.end() if close else until
        if close is not None and close.group() == opener.literal:
            end = until
        return Segment("call", match.start(), end, inner, end if whole else until, close is not None, opener.dialect, word)

    def _head(self, index: int, known: bool = False) -> Reading[int]:
        """Behind a name and its separators, where a JSON object follows: its text may hold closing marks; else 0.

        `known`: only the name of a declared tool, where nothing else says that a call goes on.
        """
        if self.buffer.text.startswith(OPENING, index):
            return 0
        head = yield from self.buffer.match(NAME_HEAD, index)
        return head.end() if head and (not known or head["name"] in self._tools) else 0

    def _json_in_tag(self, match: regex.Match[str]) -> Reading[int]:
        """Behind the JSON object of a function tag, 0 when the tag holds none."""
        head = yield from self.buffer.match(JSON_IN_TAG, match.end())
        if head is None:
            return 0
        read = yield from self.buffer.value(head.end())
        return read.end if read and not read.cut else 0

    def _calls_end(self, start: int) -> Reading[int]:
        """Behind the Python-like calls that start here, in a list or not; `start` when none can be read."""
        buffer = self.buffer
        in_list = buffer.text.startswith("[", start) and (yield from self._is_call(start))
        index, end = (yield from buffer.blanks(start + 1)) if in_list else start, start
        while (yield from buffer.has(index)) and (yield from self._is_call(index)):
            after = yield from buffer.call(index)
            if after == index:
                return end
            end, index = after, (yield from buffer.blanks(after))
            if in_list and buffer.text.startswith(",", index):
                index = yield from buffer.blanks(index + 1)
        return index + 1 if in_list and buffer.text.startswith("]", index) else end

    def _value_in(self, opener: Opener, index: int) -> Reading[bool]:
        """Does a JSON value of this wrapper start here?  A mark in square brackets is none."""
        if not self.buffer.text.startswith(OPENING, index) or (yield from self._is_call(index)):
            return False
        return not (yield from self._closes(opener, index)) and (
            (yield from self.buffer.match(any_literal(BRACKET_OPENERS), index)) is None
        )

    def _behind_value(self, inner: int, index: int) -> Reading[int]:
        """Behind what belongs to the JSON in front of it: the end of its fence, a tag of code; -1 when that is not closed."""
        if "```" in self.buffer.text[inner:index] and (yield from self.buffer.starts(index, "```")):
            return (yield from self.buffer.blanks(index + 3))
        if not (yield from self.buffer.starts(index, "<code>")):
            return index
        close = yield from self.buffer.find(CODE_END, index)
        return (yield from self.buffer.blanks(close.end())) if close else -1

    def _closes(self, opener: Opener, index: int) -> Reading[int]:
        """The end of the closing mark at `index`, 0 when none stands there."""
        for closer in opener.closers:
            if closer != opener.literal and (yield from self.buffer.starts(index, closer)):
                return index + len(closer)
        return 0

    def _outside_values(self, close: regex.Match[str] | None, closers: Marks, start: int) -> Reading[regex.Match[str] | None]:
        """A closing mark inside a value between tags is data, when the value and the mark are closed behind it."""
        while close is not None:
            opened = [mark.end() for mark in VALUE_OPEN.finditer(self.buffer.text, start, close.start())]
            if not opened or VALUE_CLOSE.pattern.search(self.buffer.text, opened[-1], close.start()):
                return close
            value_end = yield from self.buffer.find(VALUE_CLOSE, close.end())
            if value_end is None or VALUE_OPEN.search(self.buffer.text, close.end(), value_end.start()):
                return close
            later = yield from self.buffer.find(closers, value_end.end())
            if later is None:
                return close
            start, close = value_end.end(), later
        return None

    def _paragraph(self, index: int) -> Reading[int]:
        """The end of an unclosed body: the next blank line, or a mark that ends the turn."""
        match = yield from self.buffer.find(BODY_END, index)
        return match.start() if match else len(self.buffer.text)

    def _list(self, index: int) -> Reading[int]:
        """The end of a list of calls: the next blank line that no comma and no bracket follows."""
        while True:
            index = yield from self._paragraph(index)
            following = yield from self.buffer.blanks(index)
            if following == index or not self.buffer.text.startswith((",", "]"), following):
                return index
            index = following

    def _label(self, match: regex.Match[str]) -> Segment:
        groups = match.groupdict()
        word = groups.get("word") or groups.get("heading") or groups.get("within") or ""
        kind, strong = kind_of(word)
        self._labelled = (self._labelled or (strong and kind in ("thought", "action"))) and kind != "answer"
        start = match.start()
        return Segment("label", start, match.end(), word=kind, strong=strong)

    def _value_behind(self, index: int) -> Reading[Segment | None]:
        """A whole value directly behind a label or a mark."""
        start = yield from self.buffer.blanks(index)
        return (yield from self._whole_value(start, start))

    def _next_value(self, index: int) -> Reading[Segment | None]:
        """Another value behind one, maybe behind a comma or semicolon."""
        start = yield from self.buffer.blanks(index)
        if self.buffer.text.startswith((",", ";", "；"), start):
            start = yield from self.buffer.blanks(start + 1)
        return (yield from self._whole_value(index, start))

    def _whole_value(self, index: int, start: int) -> Reading[Segment | None]:
        """The value at `start`, with what stands between `index` and it; None for marks that look like one."""
        if not self.buffer.text.startswith(OPENING, start) or (yield from self._is_call(start)):
            return None
        if (yield from self.buffer.match(any_literal(BRACKET_OPENERS), start)) is not None:
            return None
        segment = yield from self._value(index, start)
        whole = segment.kind == "value" and segment.read is not None and not segment.read.cut
        return segment if whole else None

    def _list_behind(self, index: int) -> Reading[Segment | None]:
        """A list of calls directly behind a mark."""
        start = yield from self.buffer.blanks(index)
        if not self.buffer.text.startswith("[", start) or not (yield from self._is_call(start)):
            return None
        return (yield from self._value(start, start))

    def _line_behind(self, index: int) -> Reading[Segment | None]:
        """A call or quoted input on the line of a label, whose text may hold marks: it is one piece of text."""
        start = yield from self.buffer.blanks(index)
        head = yield from self.buffer.match(QUOTED_INPUT, start)
        if head is not None:
            read = yield from self.buffer.value(head.end())
            end = read.end if read and not read.cut else start
        else:
            end = yield from self._calls_end(start)
        return Segment("text", index, end) if end > start else None

    def _label_behind(self, index: int) -> Reading[Segment | None]:
        """An invented observation may start on the line of a value."""
        match = yield from self.buffer.match(AFTER_VALUE, index)
        if match is None:
            return None
        kind, strong = kind_of(match["word"])
        return Segment("label", match.start(), match.end(), word=kind, strong=strong)

    def _fence(self, match: regex.Match[str]) -> Reading[Segment]:
        ticks = match["ticks"]
        head = yield from self.buffer.line_end(match.end())
        info = self.buffer.text[match.end() : head]
        if "`" in info:
            close = self.buffer.text.find(ticks, match.end(), head)
            until = close if close >= 0 else head
            return Segment("fence", match.start(), min(head, until + len(ticks)), match.end(), until, close >= 0)
        inner = min(head + 1, len(self.buffer.text))
        if match.start() == 0 and (yield from self.buffer.match(LABELLED_LINE, inner)):
            return Segment("noise", match.start(), inner)
        one_line = info.strip().startswith(("{", "["))
        close_match = yield from self.buffer.find(fence_end(ticks[0]), match.end() if one_line else max(inner - 1, match.end()))
        until = close_match.start() if close_match else len(self.buffer.text)
        end = close_match.end() if close_match else until
        if close_match is None and not self.buffer.text[inner:].strip() and not info.strip():
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

    def _tick(self, match: regex.Match[str]) -> Reading[Segment]:
        """Inline code: closed on its line, else the mark is text."""
        end = yield from self.buffer.line_end(match.end())
        line = self.buffer.text[match.start() : min(end, match.start() + 4000)]
        run = match.end() - match.start()
        close = line.find("`" * run, run)
        if close < 0:
            return Segment("text", match.start(), match.start() + run)
        return Segment("doc", match.start(), match.start() + close + run, match.start() + run, match.start() + close)

    def _value(self, start: int, at: int) -> Reading[Segment]:
        if (yield from self._is_call(at)):
            end = yield from self._list((yield from self._calls_end(at)))
            return Segment("python", start, end, at, end, end < len(self.buffer.text))
        read: Read | None = yield from self.buffer.value(at)
        if read is None:
            return Segment("text", start, at + 1)
        return Segment("value", start, read.end, at, read.end, read=read)

    def _name_line(self, match: regex.Match[str]) -> Reading[Segment]:
        """A name line and its JSON."""
        gap = match["gap"]
        if gap.endswith("```"):
            close = yield from self.buffer.find(fence_end("`"), match.end())
            end = close.end() if close else len(self.buffer.text)
            return Segment("call", match.start(), end, match.start(), end, close is not None, "name_line")
        brace = match if gap.endswith("{") else (yield from self.buffer.find(BRACE, match.end()))
        if brace is None or not brace.group().endswith("{"):
            end = yield from self._paragraph(match.end())
            return Segment("call", match.start(), end, match.start(), end, end < len(self.buffer.text), "name_line")
        read = yield from self.buffer.value(brace.end() - 1)
        end = read.end if read else (yield from self._paragraph(brace.end()))
        return Segment("call", match.start(), end, match.start(), end, read is not None and not read.cut, "name_line")


def _unclosed(read: Read) -> bool:
    """Is a bracket missing at the end of the value?"""
    return any(fix.name == "closed" for fix in read.fixes)
