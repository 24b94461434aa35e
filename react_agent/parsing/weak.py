"""Calls without wrapper or label: a fence, a value on lines of its own, code, the whole message.

Tried only where nothing stronger was found.  Each level has its gate (`evidence`): the prose around a candidate must be short,
must not announce an example, and a fence must hold nothing else.  A candidate that ends a short reply and is refused tried to
be a call, and the model must hear of it; elsewhere a refused candidate is just part of the answer.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import replace

from react_agent.repair.reader import Read, Unreadable, read

from .announcing import announces_example, explains, forbids
from .bodies import Found, WrittenAnswer, is_bare_name, is_code, is_gap
from .closing import take_closing
from .commentary import is_closed, is_commentary
from .evidence import FENCED, LINE, WHOLE
from .listing import listed_calls
from .names import Declared
from .segments import Segment
from .settle import Written
from .verdict import Verdict

_FENCED = ("bare_json", "llama3_json", "xlam", "python_dict")
_NAMED_ONLY = ("pythonic", "glm45", "glm4_plain")
_WORD = re.compile(r"\w")
_CLOSERS = re.compile(r"(?:[\s;)\]#]|</[\w:|]{1,40}>)*")
_WORDS = re.compile(r"[ \t]*->|[ \t]+[^\W\d_]+[ \t]+[^\W\d_]+\b(?!\()|[ \t]*(?!和|与|及)[\u4e00-\u9fff]")
_TURN = re.compile(
    r"[^\S\n]{0,40}\n\s{0,40}(?:(?P<role>(?:tool|function|assistant|system|model|environment|ipython|api|server|response|reply"
    r"|answer|output|returns?|results?)(?:[ _-](?:results?|response|output|reply|message))?"
    r"|工具|函数|系统|助手|输出|返回值?|响应|回复|结果)|(?P<name>\w[\w.-]{0,63}))"
    r"(?:[ \t]?[(（\[][^()（）\[\]\n]{1,60}[)）\]])?[ \t]{0,4}(?:[:：]|[-=]>|\n)",
    re.IGNORECASE,
)
"""Behind a candidate: a line that begins as the turn of somebody else does."""
_SHORT = 240
_MAX_CANDIDATES = 200
_NEIGHBOURS = 40


def take_weaker(verdict: Verdict, end: int) -> None:
    """Try what stands between the last border and `end`: the candidates, the arguments of the only tool, a last action."""
    parts, start = verdict.weak, verdict.border
    around = _Around(verdict, parts, end)
    verdict.weak, verdict.border = [], end
    verdict.take(listed_calls(verdict, _prose_start(verdict, start), end), WHOLE, end)
    if verdict.open:
        _take_candidates(verdict, around, parts)
    if verdict.open:
        _take_only_arguments(verdict, around, parts)
    if verdict.open:
        take_closing(verdict, parts, start, end)


def _prose_start(verdict: Verdict, start: int) -> int:
    """Where the prose behind `start` begins."""
    return next((a for a, b in verdict.prose if a >= start and not verdict.text[a:b].isspace()), verdict.border)


def _take_candidates(verdict: Verdict, around: _Around, parts: list[Segment]) -> None:
    for part in [part for part in parts if part.kind != "doc" or part is parts[-1]][:_MAX_CANDIDATES]:
        written = _written(verdict, around, part)
        evidence = (around.evidence(part, written[-1].end) or _overlooking(verdict, around, part, written)) if written else None
        if evidence is not None:
            _take(verdict, around, part, written, evidence)
        elif any(isinstance(item, Written) for item in written):
            verdict.note("example", part.start, part.end)


class _Around:
    """The prose around the candidates of a reply."""

    def __init__(self, verdict: Verdict, parts: list[Segment], end: int) -> None:
        self.end = end
        self._text = verdict.text
        self._prose = verdict.around
        self._names = verdict.names.tools
        self._heads = self._runs(parts)
        self._leaves_standing: dict[int, bool] = {}

    def _runs(self, parts: list[Segment]) -> dict[int, int]:
        """Where the run starts that a candidate belongs to: what is said before a run is said of all in it."""
        heads: dict[int, int] = {}
        end, head = -1, 0
        for part in parts:
            follows = end >= 0 and not self._text[end : part.start].strip(" \t\r\n,;-*•")
            head = head if follows else part.start
            heads[part.start], end = head, part.end
        return heads

    def both(self, part: Segment) -> tuple[str, str]:
        """As much of the prose before and behind a candidate as the gates look at."""
        at = self._place(part)
        before = self._prose[max(0, at - _NEIGHBOURS) : at]
        return self._some(reversed(before)), self._some(self._prose[at : at + _NEIGHBOURS])

    def _place(self, part: Segment) -> int:
        """The index of the prose behind a candidate."""
        return bisect.bisect_left(self._prose, (part.start, part.start))

    def _some(self, spans: Iterable[tuple[int, int]]) -> str:
        kept, size = [], 0
        for a, b in spans:
            kept.append(self._text[a:b].strip())
            size += len(kept[-1])
            if size > _SHORT:
                break
        return " ".join(kept)

    def announced(self, part: Segment) -> bool:
        """Does the sentence before say that an example follows?"""
        return announces_example(self._text, self._heads[part.start])

    def evidence(self, part: Segment, end: int) -> str | None:
        """The level of a candidate whose last call ends at `end`, None when its surroundings make it an example."""
        before, after = self.both(part)
        if after and self._another_speaks(part):
            after = ""
        if not before and not after:
            return WHOLE
        if self.announced(part) or (before and after[:1].islower()) or (after and not self._fits(part, end, before, after)):
            return None
        if part.kind == "fence" and after and self._text.startswith("<", part.inner):
            return None  # a wrapper in a fence, explained behind it
        return self.level(part)

    def _another_speaks(self, part: Segment) -> bool:
        """Does the next line begin the turn of somebody else, or a result named after a tool?  The model has made it up."""
        turn = _TURN.match(self._text, part.end)
        return turn is not None and (turn["role"] is not None or turn["name"] in self._names)

    def _fits(self, part: Segment, end: int, before: str, after: str) -> bool:
        """May this prose stand behind the candidate?  A reply that begins with code may explain it at any length."""
        code = part.kind == "python" or (part.kind == "fence" and is_code(self._text, part.inner, part.until))
        if not self._is_commentary(part, after) or (code and not is_closed(self._text[end : part.until])):
            return False
        listed = code or self._text.startswith("[", part.inner)
        return (listed and not before) or (len(after) <= _SHORT and not explains(after))

    def _is_commentary(self, part: Segment, after: str) -> bool:
        """`is_commentary` of what stands behind, read once for all candidates before the same prose."""
        at = self._place(part)
        if at not in self._leaves_standing:
            self._leaves_standing[at] = is_commentary(after)
        return self._leaves_standing[at]

    def level(self, part: Segment) -> str:
        """The level of a candidate that is not the whole message."""
        return FENCED if part.kind == "fence" else LINE

    def insists(self, part: Segment) -> bool:
        """Does the candidate end a short reply?"""
        before, after = self.both(part)
        return len(before) <= _SHORT and not after


def _overlooking(verdict: Verdict, around: _Around, part: Segment, written: list[Found]) -> str | None:
    """The level of a candidate whose surroundings the caller wants to overlook."""
    rule = verdict.manner.excuse([item.dialect for item in written if isinstance(item, Written)])
    if not rule or around.announced(part):
        return None
    verdict.rule(rule, part.start, part.end)
    return around.level(part)


def _written(verdict: Verdict, around: _Around, part: Segment) -> list[Found]:
    """The calls and answers in a candidate, none when other things stand beside them."""
    inner, until = part.inner, part.until
    if is_bare_name(verdict.text, inner, until):
        return []
    if part.kind == "doc" and (
        inner >= until or verdict.text[part.end : around.end].strip(" \t\r\n。.") or around.announced(part)
    ):
        return []
    written = verdict.read(inner, until, "", bounded=part.closed and part.kind != "value")
    if written and _is_followed_up(verdict.text, max(item.end for item in written), until, part):
        return []
    named = any if verdict.text.startswith("[", inner) else all
    if part.kind != "value" and not named(_is_named(verdict, item) for item in written):
        return []
    explicit = [item for item in written if _is_explicit(verdict, item)]
    if part.kind != "fence":
        return explicit
    return [in_fence(item, part.word) if isinstance(item, Written) else item for item in explicit]


def _is_followed_up(text: str, end: int, until: int, part: Segment) -> bool:
    """Does more than closers stand behind the last call?  Behind code only words matter: `f(x=1) returns the rows`."""
    rest = text[end:until]
    if part.kind in ("fence", "doc"):
        return not is_gap(text, end, until) and _CLOSERS.fullmatch(rest) is None
    forbidden = rest.lstrip().startswith("#") and forbids(rest[:_SHORT])
    return part.kind == "python" and (forbidden or _WORDS.match(rest) is not None)


def _is_named(verdict: Verdict, item: Found) -> bool:
    """Code and name lines are calls only when they name a declared tool; in a list of calls one of them is enough."""
    return isinstance(item, WrittenAnswer) or item.dialect not in _NAMED_ONLY or verdict.names.find(item.name) is not None


def _is_explicit(verdict: Verdict, item: Found) -> bool:
    return isinstance(item, WrittenAnswer) or item.explicit or verdict.names.find(item.name) is not None


def in_fence(item: Written, word: str) -> Written:
    """A call from a fence with this word behind its mark: both may tell the dialect."""
    if word.casefold() == "tool_code":
        return replace(item, dialect="gemma_tool_code")
    return replace(item, dialect="fenced_json") if item.dialect in _FENCED else item


def _take(verdict: Verdict, around: _Around, part: Segment, written: list[Found], evidence: str) -> None:
    before, calls, end = verdict.refused, len(verdict.calls), verdict.end
    verdict.take(written, evidence, part.end)
    if _is_repeated(verdict, calls) and _WORD.search(verdict.text, end, part.start):
        del verdict.calls[calls:]
    if before or not verdict.refused or len(verdict.calls) > calls:
        return
    known = any(isinstance(item, WrittenAnswer) or verdict.names.find(item.name) for item in written)
    if evidence != WHOLE:
        verdict.refused = around.insists(part) and (known or evidence != LINE)


def _is_repeated(verdict: Verdict, calls: int) -> bool:
    """Are the calls from the `calls`th on those before, shown again?"""
    made = [(call.name, call.arguments) for call in verdict.calls[:calls]]
    again = [(call.name, call.arguments) for call in verdict.calls[calls:]]
    return bool(again) and all(call in made for call in again)


def _take_only_arguments(verdict: Verdict, around: _Around, parts: list[Segment]) -> None:
    """The whole message as the arguments of the only tool, or as a list of them."""
    values = [part for part in parts if part.kind in ("value", "fence")]
    if len(verdict.names.tools) != 1 or len(values) != 1 or around.evidence(values[0], values[0].end) != WHOLE:
        return
    tool, part = next(iter(verdict.names.tools.values())), values[0]
    read = part.read or _fenced_value(verdict, part)
    if read is None or read.cut:
        return
    sets = read.value if isinstance(read.value, list) else [read.value]
    if sets and all(isinstance(item, dict) and item and _are_arguments(item, tool) for item in sets):
        written = [Written(tool.name, item, part.start, part.end, "bare_arguments", read.fixes) for item in sets]
        verdict.take(list(written), WHOLE, part.end)


def _are_arguments(item: dict[str, object], tool: Declared) -> bool:
    return set(item) <= set(tool.properties) and set(tool.required) <= set(item)


def _fenced_value(verdict: Verdict, part: Segment) -> Read | None:
    """The value that fills a fence."""
    try:
        found = read(verdict.text[: part.until], part.inner, bounded=part.closed)
    except Unreadable:
        return None
    return None if verdict.text[found.end : part.until].strip() else found
