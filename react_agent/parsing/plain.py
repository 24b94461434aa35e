"""Replies that leave nothing to decide: no scanner, no gates, the same verdict.

    [f(x=1, y="a"), g()]    f(x=1); g()       the whole reply, arguments as `repair.plain` reads them
    {"name": "f", …}        [{"name": …}]     the whole reply, valid JSON
    ```json⏎…⏎```                             one of these in the only fence
    <tool_call>{…}</tool_call>                valid JSON, one or several
    just a sentence                           nothing in it that could begin a mark

In: a whole reply.  Out: its verdict; None when it is anything else, or when one of its calls is not sound: then the `Judge`
reads it.  The rule: where this module speaks, the `Judge` says the same (all tests that feed a reply in pieces compare them).
"""

from __future__ import annotations

import re

from react_agent.messages import Call, Parsed
from react_agent.repair.plain import plain_call
from react_agent.repair.reader import strict

from .announcing import disowns
from .bodies import CALL_START, Body, written_in
from .dialects import OPENERS
from .dialects.telling import told
from .evidence import MARKED, WHOLE
from .forms import Arguments
from .manner import Manner
from .names import ToolNames
from .settle import Written, settle
from .verdict import joined, prose_answer
from .weak import in_fence

Read = tuple[list[Written], int]
"""What was read, and where the last segment ends."""
Pattern = re.Pattern[str]

_BLANKS = " \t\n"
_MOST_BLANKS = 16
"""More of them in front may keep a mark from being one."""
_MAX_CALLS = 64
_PYTHON = told("", "python")
_SPECIAL = re.compile(r"(?:or|and|print|await|return)\b|.*\.call\Z")
"""What is more than the name of a tool in front of a bracket."""
_BLANK = re.compile(r"[ \t\n]*")
_SEPARATOR = re.compile(r"[,;]?[ \t\n]*")
_COMMA = re.compile(r"[ \t\n]*,[ \t\n]*")
_LIST_START = re.compile(r"\[[ \t\n]{0,16}")
_LIST_END = re.compile(r"[ \t\n]*\]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"```(\w{0,20})[ \t]*\n[ \t]{0,16}")
_FENCE_END = re.compile(r"(?:\n|(?<=[}\])]))[ \t]*```\Z")
_OPENER = OPENERS["<tool_call>"]
_CLOSER = _OPENER.closers[0]
MARK = re.compile(r"[\[({<`~|>:：#*=｛［✿◁]|assistant")
"""Every mark holds one of these."""


def plainly(text: str, names: ToolNames, manner: Manner) -> Parsed | None:
    """The verdict on a plain reply."""
    if manner.record is not None or manner.strictness == "strict":
        return None
    if MARK.search(text) is None:
        return Parsed(answer=prose_answer(text.strip()) or None, end=len(text))
    stop = len(text.rstrip(_BLANKS))
    start = len(text) - len(text.lstrip(_BLANKS))
    if start > _MOST_BLANKS:
        return None
    if text.startswith("<", start):
        return _verdict(_wrapped(text, start, stop, names), MARKED, text, names)
    if text.startswith("`", start):
        return _verdict(_fenced(text, start, stop, names), WHOLE, text, names)
    return _verdict(_bare(text, start, stop, names), WHOLE, text, names)


def _verdict(read: Read | None, evidence: str, text: str, names: ToolNames) -> Parsed | None:
    """The calls as read, when all of them are sound."""
    if read is None:
        return None
    calls: list[Call] = []
    for written in read[0]:
        call = settle(written, names, evidence, text, later=bool(calls))
        if not isinstance(call, Call):
            return None
        calls.append(call)
    return Parsed(tuple(calls), thought=joined([written.thought for written in read[0]]), end=read[1])


def _bare(text: str, start: int, stop: int, names: ToolNames) -> Read | None:
    if text.startswith("[", start) and (calls := _list(text, start, stop)) is not None:
        blank = _BLANK_LINE.search(text, stop)
        return calls, blank.start() if blank else len(text)
    if text.startswith(("{", "["), start):
        written = _value(text, start, stop, names, bounded=False)
        return None if written is None else (written, stop)
    calls = _calls(text, start, stop)
    if calls is None or names.tools.get(calls[0].name) is None or "\n" in text[calls[0].end : calls[-1].end]:
        return None
    line_end = text.find("\n", calls[-1].end)
    return calls, line_end if line_end >= 0 else len(text)


def _fenced(text: str, start: int, stop: int, names: ToolNames) -> Read | None:
    head, end = _FENCE.match(text, start), _FENCE_END.search(text, max(start, stop - 40), stop)
    if head is None or end is None or text.find("```", head.end()) != stop - 3 or end.start() < head.end():
        return None
    inner, until = head.end(), len(text[: end.start()].rstrip(_BLANKS))
    read: list[Written] | None = _list(text, inner, until) if text.startswith("[", inner) else None
    if read is None and text.startswith(("{", "["), inner):
        read = _value(text, inner, until, names, bounded=True)
    elif read is None:
        read = _calls(text, inner, until)
    return None if read is None else ([in_fence(item, head[1]) for item in read], stop)


def _list(text: str, start: int, stop: int) -> list[Written] | None:
    """The calls of `[f(…), g(…)]`."""
    head = _LIST_START.match(text, start)
    return None if head is None else _sequence(text, head.end(), stop, _COMMA, _LIST_END)


def _calls(text: str, start: int, stop: int) -> list[Written] | None:
    """The calls of `f(…); g(…)`."""
    return _sequence(text, start, stop, _SEPARATOR, _SEPARATOR)


def _sequence(text: str, start: int, stop: int, separator: Pattern, closing: Pattern) -> list[Written] | None:
    """Calls with `separator` between them, and `closing` from the last of them to `stop`."""
    written: list[Written] = []
    while len(written) < _MAX_CALLS:
        call = plain_call(text, start)
        if call is None or _SPECIAL.match(call[0]) is not None:
            return None
        name, keywords, end = call
        written.append(Written(name, Arguments((), keywords), start, end, _PYTHON))
        last = closing.match(text, end, stop)
        if last is not None and last.end() == stop:
            return written
        between = separator.match(text, end, stop)
        if between is None or between.end() == end:
            return None
        start = between.end()
    return None


def _value(text: str, start: int, stop: int, names: ToolNames, *, bounded: bool) -> list[Written] | None:
    """The calls that one JSON value writes, up to `stop`."""
    if text.startswith("[", start) and CALL_START.pattern.match(text, start, stop) is not None:
        return None
    written = _json(text, start, Body(text, start, stop, names, "", bounded))
    return written if written is not None and written[0].end == stop else None


def _wrapped(text: str, start: int, stop: int, names: ToolNames) -> Read | None:
    """The calls of wrappers that follow each other."""
    found: list[Written] = []
    while len(found) < _MAX_CALLS and text.startswith(_OPENER.literal, start):
        inner = _behind_blanks(text, start + len(_OPENER.literal))
        written = _json(text, inner, Body(text, inner, stop, names, _OPENER.dialect)) if text.startswith("{", inner) else None
        if written is None or (found and disowns(text, start)):
            return None
        close = _behind_blanks(text, written[0].end)
        if not text.startswith(_CLOSER, close):
            return None
        found += written
        end = close + len(_CLOSER)
        if end == stop:
            return found, end
        start = _behind_blanks(text, end)
    return None


def _json(text: str, start: int, body: Body) -> list[Written] | None:
    """The calls of the valid JSON value that starts exactly at `start`; None when there are none, or an answer."""
    value = strict(text, start)
    found = written_in(value, body, start) if value is not None else None
    written = [item for item in found or () if isinstance(item, Written)]
    return written if found and len(written) == len(found) else None


def _behind_blanks(text: str, index: int) -> int:
    return _BLANK.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text
