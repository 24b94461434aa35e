"""Calls that close a reply on the line of a sentence, where no line of their own tells them.

    思考：够了。{"type": "final_answer", …}        an explicit action
    tools call: [f(x=1), g(y=2)]                   calls of declared tools behind a colon
    Let me compute that.f⏎{"x": 1}                 GLM: the name of a declared tool, glued to a full stop, and its arguments

Tried last.  Each must reach to the end of the reply, be complete, and not be announced as an example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from react_agent.repair.reader import Unreadable, read

from .announcing import announces_example
from .bodies import Found, is_gap
from .evidence import LINE
from .segments import Segment
from .settle import Written
from .verdict import Verdict

_EXPLICIT = re.compile(r"\{\s*\"type\"\s*:\s*\"(?:tool_call|final_answer)\"")
_CODE = re.compile(r"(?<=[:：])[ \t]{0,8}(?=(?:\[\s{0,8})?[\"'`]?[^\W\d](?:[\w.\-]|\\_){0,127}\()")
_GLUED = re.compile(r"(?<=[.!?。！？:：)）])(?P<name>[^\W\d][\w\-]{0,127}(?:\.[\w\-]{1,127})?)\s{0,8}\n\s{0,16}\Z")
_LONGEST = 8000
_MAX_STARTS = 8


def take_closing(verdict: Verdict, parts: list[Segment], start: int, end: int) -> None:
    """Take what closes text[start:end]; `parts` are the candidates there, none of which is a call."""
    start = max(start, end - _LONGEST)
    end = start + len(verdict.text[start:end].rstrip())
    for written in (*_explicit(verdict, start, end), *_code(verdict, start, end), *_glued(verdict, parts, end)):
        if written and not announces_example(verdict.text, written[0].start):
            verdict.take(written, LINE, end)
            return


def _explicit(verdict: Verdict, start: int, end: int) -> Iterator[list[Found]]:
    text = verdict.text[start:end]
    for match in list(_EXPLICIT.finditer(text))[:_MAX_STARTS]:
        try:
            value = read(text, match.start())
        except Unreadable:
            continue
        if value.end == len(text) and not value.cut and "closed" not in {fix.name for fix in value.fixes}:
            yield verdict.read(start + match.start(), end, "", bounded=False)
            return


def _code(verdict: Verdict, start: int, end: int) -> Iterator[list[Found]]:
    for match in list(_CODE.finditer(verdict.text, start, end))[-_MAX_STARTS:]:
        found = verdict.read(match.end(), end, "", bounded=False)
        known = [item for item in found if isinstance(item, Written) and verdict.names.find(item.name) and not item.cut]
        if found and len(known) == len(found) and is_gap(verdict.text, found[-1].end, end):
            yield found
            return


def _glued(verdict: Verdict, parts: list[Segment], end: int) -> Iterator[list[Found]]:
    value = parts[-1] if parts and parts[-1].kind == "value" and parts[-1].end == end else None
    name = _GLUED.search(verdict.text, max(0, value.start - 300), value.start) if value is not None else None
    if value is None or name is None or value.read is None or value.read.cut:
        return
    written = name["name"]
    for start in (0, written.find(".") + 1):
        if verdict.names.find(written[start:]) is not None and isinstance(value.read.value, dict):
            yield [Written(written[start:], value.read.value, name.start() + start, end, "glm4_plain", value.read.fixes)]
            return
