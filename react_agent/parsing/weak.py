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

from react_agent.repair.reader import Unreadable, read

from .bodies import Found, WrittenAnswer
from .evidence import FENCED, LINE, WHOLE
from .segments import Segment
from .settle import Written
from .verdict import Verdict

_EXAMPLE = re.compile(
    r"例如|比如|示例|举例|样例|格式|形如|类似|模板|如下所示|语法|写法|文档|日志|不会|不要|不能|不应|"
    r"for example|for instance|\be\.g\.|\bexample|looks? like|\bformat|\btemplate|would (?:be|emit|look|send|call|destroy)|"
    r"\bschema|\bsyntax|\bsuch as|\bsample|\blogs?\b|\bwill not|\bwon't",
    re.I,
)
_SENTENCE_END = re.compile(r"[。.!！?？\n](?=\s|\Z|[^\s\d])")
_NAMED_ONLY = ("pythonic", "glm45", "glm4_plain")
_EXPLICIT = re.compile(r"\{\s*\"type\"\s*:\s*\"(?:tool_call|final_answer)\"")
_SHORT = 240
_LONGEST_CLOSING = 8000
_MAX_CLOSING = 8
_MAX_CANDIDATES = 200
_NEIGHBOURS = 40


def take_weaker(verdict: Verdict, end: int) -> None:
    """Try what stands between the last border and `end`: the candidates, the arguments of the only tool, a last action."""
    around, parts, start = _Around(verdict, end), verdict.weak, verdict.border
    verdict.weak, verdict.border = [], end
    _take_candidates(verdict, around, parts)
    if verdict.open:
        _take_only_arguments(verdict, around, parts)
    if verdict.open:
        _take_closing(verdict, start, end)


def _take_candidates(verdict: Verdict, around: _Around, parts: list[Segment]) -> None:
    for part in [part for part in parts if part.kind != "doc" or part is parts[-1]][:_MAX_CANDIDATES]:
        written = _written(verdict, around, part)
        evidence = (around.evidence(part) or _overlooking(verdict, around, part, written)) if written else None
        if evidence is not None:
            _take(verdict, around, part, written, evidence)
        elif any(isinstance(item, Written) for item in written):
            verdict.note("example", part.start, part.end)


def _take_closing(verdict: Verdict, start: int, end: int) -> None:
    """An explicit action that closes the reply on the line of a thought: `思考：够了。{"type": "final_answer", …}`."""
    start = max(start, end - _LONGEST_CLOSING)
    text = verdict.text[start:end].rstrip()
    for match in list(_EXPLICIT.finditer(text))[:_MAX_CLOSING]:
        try:
            value = read(text, match.start())
        except Unreadable:
            continue
        if value.end != len(text) or value.cut or "closed" in {fix.name for fix in value.fixes}:
            continue
        at = start + match.start()
        sentence = _SENTENCE_END.split(verdict.text[max(0, at - 200) : at].rstrip(" :："))[-1]
        if _EXAMPLE.search(sentence) is None:
            verdict.take(verdict.read(at, start + len(text), "", bounded=False), LINE, start + len(text))
        return


def announces_example(text: str, start: int) -> bool:
    """Does the sentence before `start` say that an example follows?"""
    before = text[max(0, start - 200) : start].rstrip(" \t\r\n:：")
    return bool(before) and _EXAMPLE.search(_SENTENCE_END.split(before)[-1]) is not None


class _Around:
    """The prose around the candidates of a reply."""

    def __init__(self, verdict: Verdict, end: int) -> None:
        self.end = end
        self._text = verdict.text
        self._prose = verdict.around

    def both(self, part: Segment) -> tuple[str, str]:
        """As much of the prose before and behind a candidate as the gates look at."""
        at = bisect.bisect_left(self._prose, (part.start, part.start))
        before = self._prose[max(0, at - _NEIGHBOURS) : at]
        return self._some(reversed(before)), self._some(self._prose[at : at + _NEIGHBOURS])

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
        return announces_example(self._text, part.start)

    def evidence(self, part: Segment) -> str | None:
        """The level of a candidate, None when its surroundings make it an example."""
        before, after = self.both(part)
        if not before and not after:
            return WHOLE
        if self.announced(part) or len(after) > _SHORT or _EXAMPLE.search(after):
            return None
        return self.level(part)

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
    inner, until = (part.start, part.end) if part.kind == "value" else (part.inner, part.until)
    if part.kind == "doc" and (
        inner >= until or verdict.text[part.end : around.end].strip(" \t\r\n。.") or around.announced(part)
    ):
        return []
    written = verdict.read(inner, until, "", bounded=part.closed and not (part.read and part.read.cut))
    if part.kind in ("fence", "doc") and written:
        end = max(item.end for item in written)
        if verdict.text[end:until].strip(" \t\r\n;)]#"):
            return []
    named = any if verdict.text.startswith("[", inner) else all
    if part.kind != "value" and not named(_is_named(verdict, item) for item in written):
        return []
    return [_in_fence(item, part) for item in written if _is_explicit(verdict, item)]


def _is_named(verdict: Verdict, item: Found) -> bool:
    """Code and name lines are calls only when they name a declared tool; in a list of calls one of them is enough."""
    return isinstance(item, WrittenAnswer) or item.dialect not in _NAMED_ONLY or verdict.names.find(item.name) is not None


def _is_explicit(verdict: Verdict, item: Found) -> bool:
    return isinstance(item, WrittenAnswer) or item.explicit or verdict.names.find(item.name) is not None


def _in_fence(item: Found, part: Segment) -> Found:
    if isinstance(item, Written) and part.kind == "fence" and item.dialect == "bare_json":
        return replace(item, dialect="fenced_json")
    return item


def _take(verdict: Verdict, around: _Around, part: Segment, written: list[Found], evidence: str) -> None:
    before, calls = verdict.refused, len(verdict.calls)
    verdict.take(written, evidence, part.end)
    if before or not verdict.refused or len(verdict.calls) > calls:
        return
    known = any(isinstance(item, WrittenAnswer) or verdict.names.find(item.name) for item in written)
    if evidence != WHOLE:
        verdict.refused = around.insists(part) and (known or evidence != LINE)


def _take_only_arguments(verdict: Verdict, around: _Around, parts: list[Segment]) -> None:
    values = [part for part in parts if part.kind in ("value", "fence")]
    if len(verdict.names.tools) != 1 or len(values) != 1 or around.evidence(values[0]) != WHOLE:
        return
    tool, part = next(iter(verdict.names.tools.values())), values[0]
    read = part.read
    if read is None or not isinstance(read.value, dict) or not read.value or read.cut:
        return
    if set(read.value) <= set(tool.properties) and set(tool.required) <= set(read.value):
        written = Written(tool.name, read.value, part.start, part.end, "bare_arguments", read.fixes)
        verdict.take([written], WHOLE, part.end)
