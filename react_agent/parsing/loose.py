"""Calls that only `strictness="loose"` takes: inside a sentence, and under keys that nobody knows.

I call {"name": "get_weather", "arguments": {"city": "Oslo"}} now.        a value or code inside a sentence
{"use": "get_weather", "with": {"city": "Oslo"}}                          one member names a tool, the rest holds its arguments

Tried where nothing else was found.  What stands here is a call only when it is complete and valid; anything less stays prose,
and so does what is announced as an example.  Quotations, inline code, reasoning and answers are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from react_agent.messages import Call
from react_agent.repair.reader import Unreadable, read

from .announcing import announces_example
from .evidence import LINE
from .segments import Segment
from .settle import Written, settle
from .verdict import Verdict

_START = re.compile(r"[{｛](?=\s*[\"'“]?\w+[\"'”]?\s*[:：])|(?<![\w.])[^\W\d][\w.\-]{0,127}(?=\()")
_LONGEST = 4000
_MAX_STARTS = 64


def take_loose(verdict: Verdict, parts: list[Segment], start: int, end: int) -> None:
    """Take the calls among the candidates `parts`, else those in the prose of text[start:end], where nothing else was found."""
    for part in parts:
        _take(verdict, _under_any_key(verdict, part), part.end, "loose_keys")
    if not verdict.calls:
        candidates = {part.start for part in parts}
        spans = [span for span in verdict.around if start <= span[0] < end and span[0] not in candidates]
        for written in _in_sentences(verdict, spans):
            _take(verdict, written, written.end, "loose_sentence")


def _take(verdict: Verdict, written: Written | None, end: int, rule: str) -> None:
    if written is None or written.cut or announces_example(verdict.text, written.start):
        return
    if isinstance(settle(written, verdict.names, LINE, verdict.text), Call):
        verdict.rule(rule, written.start, end, written.name, written.dialect)
        verdict.take([written], LINE, end)


def _in_sentences(verdict: Verdict, spans: list[tuple[int, int]]) -> Iterator[Written]:
    tried = index = 0
    for start, end in spans:
        index = max(index, start)
        while tried < _MAX_STARTS and (match := _START.search(verdict.text, index, end)) is not None:
            tried += 1
            found = verdict.read(match.start(), min(end, match.start() + _LONGEST), "", bounded=False)
            first = found[0] if found and isinstance(found[0], Written) else None
            index = max(match.end(), first.end) if first is not None else match.end()
            if first is not None and first.start == match.start():
                yield first


def _under_any_key(verdict: Verdict, part: Segment) -> Written | None:
    value = _value(verdict, part)
    if not isinstance(value, dict):
        return None
    named = [key for key, item in value.items() if isinstance(item, str) and verdict.names.find(item)]
    if len(named) != 1:
        return None
    rest = {key: item for key, item in value.items() if key != named[0]}
    objects = [item for item in rest.values() if isinstance(item, dict)]
    tool = verdict.names.find(value[named[0]])
    if tool is None or not (len(objects) == 1 or (rest and rest.keys() <= tool[0].properties.keys())):
        return None
    raw = rest if rest.keys() <= tool[0].properties.keys() else objects[0]
    return Written(value[named[0]], raw, part.start, part.end, "generic_keys")


def _value(verdict: Verdict, part: Segment) -> Any:
    """The value of a candidate, None when it is cut or none."""
    if part.read is not None:
        return None if part.read.cut else part.read.value
    if part.kind != "fence":
        return None
    try:
        found = read(verdict.text[part.inner : part.until])
    except Unreadable:
        return None
    return None if found.cut else found.value
