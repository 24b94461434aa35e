"""What has been found in a reply so far, and the few ways to add to it.

`calls` and `rejected` in order; `refused` once something that tried to be a call was refused, so that prose around it is no
answer; `prose` the spans that become the answer when nothing else does, `around` those of them that are no candidates; `spoken`
whether any of them says something; `invented` the spans of observations that no tool gave; `weak` the candidates without
wrapper or label that are still to be tried, all behind `border`; `stop` where the reply stops counting (-1: nowhere); `end`
where the last call ends; `manner` how the caller wants it read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from react_agent.messages import Call, Parsed, Rejected

from .bodies import Body, Found, WrittenAnswer, read_body
from .evidence import STRONG
from .manner import Manner
from .names import ToolNames
from .placeholders import placeholder_in
from .places import half_a_mark
from .segments import Segment
from .settle import Written, settle

MAX_CALLS = 1_000
"""So many calls of a reply are settled, sound or not; more of them are a flood."""
MAX_QUOTED = 2000
MAX_HINTS = 16
"""So many unknown names are compared with the declared ones, which is slow; nobody reads more."""
CANDIDATES = ("fence", "value", "python")
"""What is no prose around another candidate; inline code is."""


@dataclass
class Verdict:
    """The state of one decision."""

    text: str
    names: ToolNames
    calls: list[Call] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    refused: bool = False
    answer: str | None = None
    thoughts: list[str] = field(default_factory=list)
    prose: list[tuple[int, int]] = field(default_factory=list)
    around: list[tuple[int, int]] = field(default_factory=list)
    spoken: bool = False
    invented: list[tuple[int, int]] = field(default_factory=list)
    weak: list[Segment] = field(default_factory=list)
    border: int = 0
    stop: int = -1
    end: int = 0
    manner: Manner = field(default_factory=Manner)

    @property
    def open(self) -> bool:
        """Nothing that decides the reply was found yet."""
        return not self.calls and not self.refused and self.answer is None

    @cached_property
    def cut_mark(self) -> int:
        """Where the last line starts when it may be the first half of a label or mark; else the end of the text."""
        start = self.text.rfind("\n") + 1
        return start if half_a_mark(self.text, start) else len(self.text)

    def read(self, start: int, end: int, dialect: str, *, bounded: bool) -> list[Found]:
        """The calls and answers written in text[start:end], placed in the whole text."""
        source = self.text[start:end]
        found = read_body(Body(source, 0, len(source), self.names, dialect, bounded))
        return [replace(item, start=item.start + start, end=item.end + start) for item in found] if start else found

    def take(self, written: list[Found], evidence: str, end: int) -> None:
        """Settle what was written: valid calls, an answer when no call came before, the rest rejected."""
        for item in written:
            if self.answer is not None or self._flooded(item):
                return
            if isinstance(item, WrittenAnswer):
                self.thoughts.append(item.thought)
                self._take_answer(item)
            elif self.manner.strictness == "strict" and evidence not in STRONG:
                self.rule("weak_evidence", item.start, item.end, item.name, item.dialect)
            else:
                self.thoughts.append(item.thought)
                self._take_call(item, evidence, end)

    def _flooded(self, item: Found) -> bool:
        """Whether there are as many calls as may be; the first one more is told, for all that follow."""
        many = len(self.calls) + len(self.rejected)
        if many == MAX_CALLS and isinstance(item, Written):
            said = f"expected at most {MAX_CALLS:,} calls in one reply, got more"
            self.note("too_many", item.start, item.end, said, name=item.name, dialect=item.dialect)
        return many >= MAX_CALLS

    def _take_call(self, item: Written, evidence: str, end: int) -> None:
        hint = len(self.rejected) < MAX_HINTS
        verdict = settle(item, self.names, evidence, self.text, later=bool(self.calls), hint=hint)
        if isinstance(verdict, Call) and verdict.fixes and self.manner.strictness == "strict":
            verdict = _as_written(verdict, self.text)
        if isinstance(verdict, Rejected):
            self.rejected.append(verdict)
            self.refused = self.refused or not self.calls
            return
        self.calls.append(verdict)
        self.end = max(self.end, end)
        self.rule(evidence, item.start, item.end, verdict.name, verdict.dialect)
        if self.manner.record is not None:
            self.manner.record.written.append((verdict, item.raw))

    def _take_answer(self, item: WrittenAnswer) -> None:
        if self.calls or self.refused or self.answer is not None:
            return
        if item.cut:
            self.refuse("cut", item.start, item.end)
        else:
            self.rule("answer", item.start, item.end)
            self.conclude(item.text)
            if self.answer is not None:
                self.stop = item.end

    def conclude(self, text: str) -> None:
        """Take `text` as the answer, unless it is empty or a placeholder."""
        answer = text.strip()
        if answer and not placeholder_in(answer):
            self.answer = answer
        elif answer:
            self.refused = True
            self.rejected.append(Rejected("placeholder", text=answer))

    def refuse(self, reason: str, start: int, end: int, *problems: str, name: str = "", dialect: str = "") -> None:
        """What stands there tried to be a call and is none: the model must hear of it."""
        self.refused = True
        self.note(reason, start, end, *problems, name=name, dialect=dialect)

    def note(self, reason: str, start: int, end: int, *problems: str, name: str = "", dialect: str = "") -> None:
        """What stands there looks like a call and is none: only worth telling."""
        quoted = self.text[start:end][:MAX_QUOTED]
        self.rejected.append(Rejected(reason, name, quoted, problems, dialect=dialect, span=(start, end)))

    def rule(self, rule: str, start: int, end: int, name: str = "", dialect: str = "") -> None:
        """Note which rule decided about text[start:end], when somebody wants to know."""
        if self.manner.record is not None:
            self.manner.record.rule(rule, (start, end), name, dialect)

    def as_prose(self, part: Segment) -> None:
        """`part` is what the user would see when the reply is no more than prose."""
        self.prose.append((part.start, part.end))
        if self.text[part.start : part.end].isspace():
            return
        self.spoken = True
        if part.kind not in CANDIDATES:
            self.around.append((part.start, part.end))

    def as_candidate(self, part: Segment) -> None:
        """`part` may be a call when nothing stronger is found; it is prose otherwise."""
        self.weak.append(part)
        self.as_prose(part)

    def parsed(self) -> Parsed:
        """The result: calls win over an answer, a refusal over prose."""
        answer = self.answer
        if self.calls:
            answer = None
        elif answer is None and not self.refused:
            answer = self._prose_answer() or None
        if self.open and answer is None and self.invented:
            self.refuse("invented", *self.invented[0])
        thought = joined(self.thoughts)
        end = self.end if self.calls else self.stop if self.stop >= 0 else len(self.text)
        cut = any(item.reason == "cut" for item in self.rejected)
        invented = tuple((start, min(stop, end)) for start, stop in self.invented if start < end)
        return Parsed(tuple(self.calls), answer, thought, tuple(self.rejected), cut, end, invented)

    def _prose_answer(self) -> str:
        spans = sorted(set(self.prose))
        return prose_answer("".join(self.text[a:b] for a, b in spans if self.stop < 0 or a < self.stop).strip())


def prose_answer(text: str) -> str:
    """The answer that prose without white space around it is; "" when it says nothing."""
    return "" if _degenerate(text) or placeholder_in(text) else text


def joined(thoughts: Iterable[str]) -> str | None:
    """Thoughts as one text, None when nothing was thought."""
    return "\n".join(part for part in map(str.strip, thoughts) if part) or None


def _as_written(call: Call, text: str) -> Rejected:
    """Strictly read, a call that had to be mended is none."""
    problems = tuple(f"it can be read only with the fix {fix.name} {fix.path}".rstrip() for fix in call.fixes)
    start, end = call.span
    return Rejected("repaired", call.name, text[start:end][:MAX_QUOTED], problems, call.arguments, "", call.dialect, call.span)


def _degenerate(text: str) -> bool:
    """Nothing but punctuation and line breaks, over and over."""
    return len(text) > 40 and re.search(r"\w", text) is None
