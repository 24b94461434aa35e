"""How a reply was read, for those who debug a model: the `Explanation` of a verdict.

In: the segments, the verdict and the notes of one reading.  Out: what every stretch of the reply was taken for, the rule that
accepted or refused each candidate, and what each fix changed.  It only looks back: nothing here has a part in the decision.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from react_agent.messages import Call, Change, Explanation, Fix, Parsed, Rejected, Ruling, Stretch

from .names import ToolNames
from .reasoning import closing_mark
from .rules import REFUSED, Record
from .segments import Segment

KINDS: dict[str, str] = {
    "prose": "text outside of everything else",
    "thought": "reasoning, between its marks or behind a thought label",
    "answer": "behind the mark or label of the final answer",
    "label": "a label of the turn",
    "call": "a call in a wrapper, or one told by its name",
    "action": "behind an action or input label",
    "fence": "a code fence",
    "value": "a JSON-like value",
    "code": "code that looks like a call",
    "documentation": "a quotation, a table row or inline code",
    "observation": "the mark of a tool's result, or what stands behind such a label",
    "question": "behind the label of another question",
    "token": "a token of the chat format",
    "invented": "behind the point where the reply stops counting: not kept",
}
"""What a stretch of a reply can be taken for."""
_LIMIT = 80
_SEGMENTS = {
    "doc": "documentation", "think": "thought", "unthink": "token", "label": "label", "call": "call", "fence": "fence",
    "value": "value", "python": "code", "observe": "observation", "answer": "answer", "end": "token", "noise": "token",
}  # fmt: skip
_LABELS = {"thought": "thought", "action": "action", "input": "action", "observe": "observation", "answer": "answer",
           "question": "question"}  # fmt: skip
_BY_PLACE = {"thought": "reasoning", "answer": "in_answer", "invented": "invented"}
_APART = ("call", "fence", "value", "code", "documentation")
_PLACE = re.compile(r"at character (\d+)")


def explained(text: str, segments: list[Segment], names: ToolNames, parsed: Parsed, record: Record) -> Explanation:
    """The explanation of `parsed`, which was read in `text`."""
    stretches = list(_stretches(text, segments, names, parsed))
    rulings = [*record.rulings, *(_refusal(item) for item in parsed.rejected)]
    kept = [ruling for ruling in rulings if _stands(ruling, parsed)]
    taken_for = {stretch.start: stretch.kind for stretch in stretches}
    unruled = [_unruled(part, taken_for[part.start], parsed) for part in segments if _is_free(part, kept)]
    ordered = sorted([*kept, *unruled], key=lambda ruling: ruling.span)
    return Explanation(tuple(_merged(stretches)), tuple(ordered), tuple(_changes(text, parsed, record)))


# --- stretches --------------------------------------------------------------------------------------------------------


def _stretches(text: str, segments: list[Segment], names: ToolNames, parsed: Parsed) -> Iterator[Stretch]:
    """One stretch per segment; what was never read counts as invented."""
    mark = closing_mark(text, segments, names)
    reasoned = segments[mark].end if mark >= 0 else 0
    role, index = "prose", 0
    for part in segments:
        if part.start > index:
            yield Stretch(role, index, part.start)
        kind = _SEGMENTS.get(part.kind, role)
        if part.kind == "label" and part.strong:
            role = _LABELS[part.word]
        if part.end <= reasoned:
            kind = "thought" if part.kind != "unthink" else kind
        elif part.start >= parsed.end:
            kind = "invented"
        elif role == "answer" and part.kind != "label":
            kind = "answer"
        yield Stretch(kind, part.start, part.end, part.dialect if kind in ("call", "label") else "")
        index = part.end
    if index < len(text):
        yield Stretch("invented", index, len(text))


def _merged(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Neighbours of one kind become one, but for calls and candidates."""
    last: Stretch | None = None
    for stretch in stretches:
        if last is not None and last.kind == stretch.kind and last.kind not in _APART:
            last = Stretch(last.kind, last.start, stretch.end)
            continue
        if last is not None:
            yield last
        last = stretch
    if last is not None:
        yield last


# --- rulings ----------------------------------------------------------------------------------------------------------


def _refusal(rejected: Rejected) -> Ruling:
    why = "; ".join((REFUSED.get(rejected.reason, rejected.reason), *rejected.problems))
    return Ruling(rejected.reason, False, why, rejected.name, rejected.dialect, rejected.span)


def _stands(ruling: Ruling, parsed: Parsed) -> bool:
    """A candidate that was ruled in while looking, but did not become a call in the end, is left to `_unruled`."""
    return not ruling.taken or ruling.rule == "answer" or any(_touch(ruling.span, call.span) for call in parsed.calls)


def _is_free(part: Segment, rulings: list[Ruling]) -> bool:
    """A candidate that no rule was asked about: something before or around it had decided."""
    span = (part.start, part.end)
    return part.kind in ("call", "fence", "value", "python") and not any(_touch(span, ruling.span) for ruling in rulings)


def _unruled(part: Segment, kind: str, parsed: Parsed) -> Ruling:
    decided = bool(parsed.calls or parsed.rejected)
    rule = _BY_PLACE.get(kind, "outweighed" if decided else "data")
    return Ruling(rule, False, REFUSED[rule], "", part.dialect, (part.start, part.end))


def _touch(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return bool(one) and bool(other) and one[0] < other[1] and other[0] < one[1]


# --- changes ----------------------------------------------------------------------------------------------------------


def _changes(text: str, parsed: Parsed, record: Record) -> Iterator[Change]:
    for number, call in enumerate(parsed.calls):
        raw = next((raw for written, raw in record.written if written is call or written == call), None)
        for fix in call.fixes:
            before, after = _before_and_after(text, call, raw, fix)
            yield Change(number, fix.name, fix.path, _short(before), _short(after))


def _before_and_after(text: str, call: Call, raw: object, fix: Fix) -> tuple[str, str]:
    """Of a bent value: as it was and as it is.  Of mended text: the place, and the arguments that were read there."""
    place = _PLACE.search(fix.note)
    if place is not None and call.span:
        at = call.span[0] + int(place[1])
        return text[max(call.span[0], at - 20) : min(call.span[1], at + 20)], _json(call.arguments)
    if fix.name.startswith("name_"):
        return fix.note, call.name
    before = _at(raw, fix.path)
    return (fix.note if before is None else _json(before)), _json(_at(call.arguments, fix.path))


def _at(value: object, path: str) -> object:
    """The member at `a.b[0]`, None when there is none."""
    for step in re.findall(r"[^.\[\]]+", path):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _short(text: str) -> str:
    return text if len(text) <= _LIMIT else f"{text[: _LIMIT - 1]}…"
