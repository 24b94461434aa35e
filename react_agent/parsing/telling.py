"""Tells what is certain of a reply while it is still being written; an event is never taken back.

In: text as it passes the scanner, segments as they end, bodies as they open.  Out: events.  What certain means, by evidence:

| what stands there                                | what is told at once                                                     |
|--------------------------------------------------|--------------------------------------------------------------------------|
| reasoning marks, a thought label that leads      | `ThoughtDelta`, while nothing else came before                           |
| prose                                            | `TextDelta`: the answer, unless a call or the mark of reasoning follows  |
| answer label, in a reply that began with a label | `AnswerDelta`                                                            |
| answer marks                                     | `TextDelta`, up to the first other mark: a call inside makes it prose    |
| an answer in a value behind an action label      | `AnswerDelta`, while its string is open                                  |
| a call in a wrapper or behind labels             | `CallStarted` once the name is read, `ArgumentsDelta` as written         |
| a value, fence or code that may be a call        | nothing: it and all that follows is told at the end                      |

The joined deltas of a kind are the beginning of what the verdict says; `finish` tells the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from react_agent.events import AnswerDelta, Event, TextDelta, ThoughtDelta
from react_agent.messages import Parsed

from .bodies import Body, read_body
from .buffer import Buffer
from .calling import OpenCalls
from .channels import Channel
from .names import ToolNames
from .opening import Opening
from .placeholders import may_become_placeholder
from .places import INNER_MARKS
from .reasoning import closing_mark, reasoning_before
from .segments import Segment

Mode = Literal["text", "thought", "answer", "input", "held", "over"]
"""What text between segments is at the moment: "held" is told at the end, and so is everything once it is "over"."""
_MAX_CLOSINGS = 8


class Teller:
    """Follows a scanner and gathers `events`."""

    def __init__(self, buffer: Buffer, segments: list[Segment], names: ToolNames, *, candidates: bool) -> None:
        """`segments`: those of the scanner, which adds to them; `candidates`: any value, fence or code may be a call, not only
        those that read as one."""
        self.events: list[Event] = []
        self.segments = segments
        self._buffer = buffer
        self._names = names
        self._candidates = candidates
        self._text = Channel(TextDelta, self.events)
        self._thought = Channel(ThoughtDelta, self.events)
        self._answer = Channel(AnswerDelta, self.events, may_become_placeholder)
        self._calls = OpenCalls(buffer, names, self.events, self._answered)
        self._action: int | None = None
        self._acted = False
        self._seen = 0
        self._mode: Mode = "text"
        self._run = Run()
        self._only_thoughts = True
        self._spoken = False
        self._passed = 0
        self._marked = False
        self._decided = True
        self._closings = 0

    # --- what the scanner says ----------------------------------------------------------------------------------------

    def watch(self, source: str, start: int, end: int) -> None:
        """text[start:end] holds no mark; it stands between segments ("text"), in reasoning ("think") or in an answer mark."""
        self.advance()
        if source == "answer":
            self._in_mark(start, end)
            return
        text = self._buffer.text[max(start, self._passed) : end]
        self._passed = max(end, self._passed)
        if source == "text":
            self._pass(text)
        elif self._only_thoughts and self._mode not in ("answer", "over"):
            self._leave_thought()
            self._thought.say(text)

    def opened(self, opening: Segment, closers: tuple[str, ...]) -> None:
        """A wrapper has opened; it will be the next segment."""
        self.advance()
        if self._mode not in ("answer", "over"):
            self._acted = True
            self._calls.open_wrapper(opening, closers)

    def advance(self) -> None:
        """Look at the segments that ended, and at what has come of an open body."""
        while self._seen < len(self.segments):
            self._seen += 1
            self._segment(self.segments[self._seen - 1], self._seen - 1)
        if self._calls.opening is not None:
            self._calls.advance()

    def finish(self, parsed: Parsed) -> None:
        """The verdict is there: tell the rest."""
        self.advance()
        self._thought.complete(parsed.thought or "")
        self._calls.finish(parsed)
        if parsed.answer is None:
            return
        prose = self._text.spoken and not self._answer.size
        if not (prose and self._text.complete(parsed.answer)):
            self._answer.complete(parsed.answer)

    @property
    def opening(self) -> Opening | None:
        """What reads along in a body that is being written and may hold a call."""
        return self._calls.opening

    def taken(self) -> list[Event]:
        """The events since they were taken last."""
        if not self.events:
            return []
        events = self.events.copy()
        self.events.clear()
        return events

    def _answered(self, text: str) -> None:
        """An answer in a value: nothing else counts from here on."""
        self._mode = "over"
        self._answer.say(text)

    # --- text ---------------------------------------------------------------------------------------------------------

    def _pass(self, text: str) -> None:
        if self._mode == "thought":
            self._thought.say(text)
        elif self._mode == "answer":
            self._answer.say(text)
        elif text and not text.isspace():
            self._run.blank = self._only_thoughts = False
        if self._mode == "text":
            self._text.say(text)
            self._spoken = self._spoken or bool(text.strip())
        elif self._mode == "input" and self._calls.plain:
            self._calls.bare(text)

    def _pass_all(self, part: Segment) -> None:
        """What of a segment has not passed yet, with the blanks in front of it that no segment holds."""
        if part.end > self._passed:
            between = self._buffer.text[self._passed : part.start]
            start, self._passed = self._passed if between.isspace() else max(part.start, self._passed), part.end
            self._pass(self._buffer.text[start : part.end])

    def _in_mark(self, start: int, end: int) -> None:
        """Text between answer marks: the answer begins here, unless a call stands in it.  Then what looks like a mark is one:
        from the first of them on only the verdict knows what is answer."""
        if self._mode != "text":
            return
        text = self._buffer.text
        if not self._marked:
            self._text.fork()
            self._marked, self._decided, self._passed = True, True, start
        if not self._decided:
            return
        start = self._passed
        mark = INNER_MARKS.search(text, start)
        self._decided = mark is None
        end = min(end, mark.start() if mark else end, INNER_MARKS.unsure_from(text, start))
        if end > start:
            self._passed = end
            self._pass(text[start:end])

    # --- segments -----------------------------------------------------------------------------------------------------

    def _segment(self, part: Segment, index: int) -> None:
        self._calls.passed(part)
        match part.kind:
            case "text":
                self._pass_all(part)
            case "label":
                self._label(part, index)
            case "think":
                self._leave_thought()
                self._thought.part()
                self._run = Run()
            case "unthink":
                self._closing(index)
            case "doc":
                self._pass_all(part)
            case "noise":
                self._leave_thought()
                self._passed = max(self._passed, part.end)
            case "observe" | "end":
                self._turn_ends()
            case "answer":
                self._answer_mark(part)
            case "fence" | "value" | "python" | "call":
                self._candidate(part)
        self._marked = False

    def _answer_mark(self, part: Segment) -> None:
        if self._mode == "answer":
            self._pass_all(part)
            return
        if self._marked and part.until > self._passed:
            self._text.say(self._buffer.text[self._passed : part.until])
        self._mode = "over"

    def _turn_ends(self) -> None:
        if self._mode == "answer" or (self._mode == "text" and self._spoken):
            self._mode = "over"
        elif self._mode in ("thought", "input"):
            self._leave_thought()
            self._mode = "held"

    def _leave_thought(self) -> None:
        """The text of a thought ends where something else begins."""
        if self._mode == "thought":
            self._thought.part()
            self._mode = "held"

    def _candidate(self, part: Segment) -> None:
        """What may be a call holds back all that follows; in an answer, and where it reads as none, it is text."""
        self._leave_thought()
        if (self._mode == "text" and not self._harmless(part)) or (self._mode == "input" and not self._calls.plain):
            self._mode = "held"
        self._pass_all(part)

    def _harmless(self, part: Segment) -> bool:
        if self._candidates or part.kind == "call":
            return False
        inner, until = (part.start, part.end) if part.kind == "value" else (part.inner, part.until)
        source = self._buffer.text[inner:until]
        value = part.read.value if part.read else None
        only = next(iter(self._names.tools.values())) if len(self._names.tools) == 1 else None
        if only is not None and (part.kind == "fence" or (isinstance(value, dict) and value.keys() <= only.properties.keys())):
            return False
        return not read_body(Body(source, 0, len(source), self._names, "", part.closed))

    def _closing(self, index: int) -> None:
        """A closing mark without its opener: all before it was reasoning."""
        text, before = self._buffer.text, self.segments[:index]
        self._closings += 1
        if (
            self._mode in ("answer", "over")
            or self._closings > _MAX_CLOSINGS
            or closing_mark(text, self.segments[: index + 1], self._names) != index
        ):
            self._mode = "over"
        else:
            self._reasoning_ends(reasoning_before(text, before, self.segments[index].dialect))

    def _reasoning_ends(self, parts: Iterable[str]) -> None:
        self._thought.complete("\n".join(part for part in map(str.strip, parts) if part))
        self._thought.part()
        self._text.restart()
        self._run, self._mode, self._only_thoughts, self._spoken = Run(), "text", True, False

    # --- labels -------------------------------------------------------------------------------------------------------

    def _label(self, part: Segment, index: int) -> None:
        if self._mode in ("answer", "over"):
            self._label_in_answer(part)
            return
        self._leave_thought()
        action, self._action = self._action, None
        self._run.led = self._run.led or (part.strong and self._run.blank)
        if part.word == "action":
            self._act(part, index)
        elif part.word == "input" and action is not None:
            self._take_input(part, action)
        elif part.strong:
            self._mode = self._behind(part.word)
        elif self._mode == "text" and not (part.word == "answer" and self._opens(part)):
            self._pass_all(part)
        elif self._mode != "text":
            self._mode = "held"
        self._run.blank = False
        self._only_thoughts = self._only_thoughts and self._mode == "thought"

    def _opens(self, part: Segment) -> bool:
        """Nothing stands before `part`."""
        return not self._buffer.text[: part.start].strip()

    def _behind(self, word: str) -> Mode:
        """What the text behind a strong label is."""
        if word == "thought":
            return "thought" if self._run.blank and self._only_thoughts else "held"
        if word == "answer" and self._run.led and self._only_thoughts:
            return "answer"
        ends = self._acted or (word == "question" and self._spoken)
        return "over" if ends and word in ("answer", "observe", "question") else "held"

    def _label_in_answer(self, part: Segment) -> None:
        if part.strong and part.word in ("question", "observe", "thought", "action"):
            self._mode = "over"
        self._pass_all(part)

    def _act(self, part: Segment, index: int) -> None:
        answers = self._run.led and self._only_thoughts
        self._mode, self._action, self._acted = "held", index, True
        if part.strong:
            self._calls.open_action(part.end, answers=answers)

    def _take_input(self, part: Segment, action: int) -> None:
        """The arguments of the tool that the action line named."""
        line = self._buffer.text[self.segments[action].end : part.start].strip().partition("\n")[0]
        self._mode = "input" if self._calls.open_input(line.strip(), part) else "held"


@dataclass
class Run:
    """What stands since the last reasoning ended: nothing yet (`blank`); something that began with a label (`led`)."""

    blank: bool = True
    led: bool = False
