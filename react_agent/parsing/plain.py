"""Replies that leave nothing to decide: no scanner, no gates, the same verdict.

    [f(x=1, y="a"), g()]    f(x=1); g()       the whole reply
    ["f(x=1)", "g()"]                         the whole reply
    {"name": "f", …}        [{"name": …}]     the whole reply
    f⏎{"x": 1}                                the whole reply, valid JSON
    Action: {"action": …}                     the same, maybe behind `Thought: …`; also an answer
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
from react_agent.repair.reader import Read as Value
from react_agent.repair.reader import Unreadable, loose, read_call, strict

from .announcing import disowns
from .bodies import Body, read_quoted, with_inner, written_in
from .dialects import OPENERS
from .dialects.telling import told
from .evidence import LABELLED, MARKED, WHOLE
from .forms import Arguments
from .manner import Manner
from .names import ToolNames
from .placeholders import is_placeholder
from .places import BODY_END
from .settle import Written, settle
from .verdict import joined, prose_answer
from .weak import in_fence

Read = tuple[list[Written], str, int]
"""What was read, how surely these are calls, and where the last segment ends."""
Pattern = re.Pattern[str]

_BLANKS = " \t\n"
_MOST_BLANKS = 16
"""More of them in front may keep a mark from being one."""
_MAX_CALLS = 64
_PYTHON, _NAME_LINES = told("", "python"), told("name_line", "named")
_NAME_LINE = re.compile(r"(?!functions\.|json\b)(?P<name>[^\W\d][\w.\-]{0,127})\n[ \t\n]{0,8}(?=\{)")
_LABEL = re.compile(r"(?:Action|行动)[:：][ \t\n]{0,16}(?=\{)")
_THOUGHT = re.compile(r"(?:Thought|思考)[:：](?P<said>[^:：]{1,4000})\n(?=(?:Action|行动)[:：])")
_ANSWER = re.compile(r'\{\s{0,8}"type"\s{0,8}:\s{0,8}"(?P<word>final_answer)"\s{0,8},\s{0,8}"content"\s{0,8}:\s{0,8}(?=")')
_CLOSED = re.compile(r"\s{0,8}\}")
_VALUE = re.compile(r"\[?[ \t\n]{0,16}\{[ \t\n]{0,16}(?:\"[^\"(]|'[^'(])[^\"'(]{0,40}[\"']")
_QUOTED_LIST = re.compile(r"\[[ \t\n]{0,16}[\"'](?=[^\W\d][\w.]{0,127}\()")
_CALLED = re.compile(r"[^\W\d][\w.\-\\]{0,127}\(")
"""The beginning of a call, no longer than names are: nothing longer is worth a look."""
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
        read = _wrapped(text, start, stop, names)
    elif text.startswith("`", start):
        read = _fenced(text, start, stop, names)
    elif text.startswith("[", start):
        read = _listed(text, start, stop, names)
    elif text.startswith("{", start):
        read = _value(text, start, stop, names)
    else:
        thought = _thought(text, start)
        label = _LABEL.match(text, thought.end() if thought else start)
        if label is not None:
            return _labelled(text, label.end(), stop, names, thought["said"] if thought else "")
        read = _named(text, start, stop, names)
    return None if read is None else _verdict(read, text, names)


def _verdict(read: Read, text: str, names: ToolNames, thought: str = "") -> Parsed | None:
    """The calls as read, when all of them are sound."""
    found, evidence, end = read
    if len(found) > _MAX_CALLS:
        return None
    calls: list[Call] = []
    for written in found:
        call = settle(written, names, evidence, text, later=bool(calls))
        if not isinstance(call, Call):
            return None
        calls.append(call)
    return Parsed(tuple(calls), thought=joined([thought, *(written.thought for written in found)]), end=end)


def _listed(text: str, start: int, stop: int, names: ToolNames) -> Read | None:
    """A list of calls, of calls as text, or of objects."""
    blank = _BLANK_LINE.search(text, stop)
    end = blank.start() if blank else len(text)
    calls = _list(text, start, stop, names) or _quoted(Body(text, start, end, names, "", end < len(text)), stop)
    return _value(text, start, stop, names) if calls is None else (calls, WHOLE, end)


def _thought(text: str, start: int) -> re.Match[str] | None:
    """A thought in plain words, with the label of an action on the next line."""
    head = _THOUGHT.match(text, start)
    return head if head is not None and MARK.search(text, *head.span("said")) is None else None


def _labelled(text: str, start: int, stop: int, names: ToolNames, thought: str) -> Parsed | None:
    """What the object says that stands behind the label of an action."""
    if answer := _answer(text, start, stop, names):
        return Parsed(answer=answer, thought=joined([thought]), end=stop)
    found = _value(text, start, stop, names)
    return None if found is None else _verdict((found[0], LABELLED, stop), text, names, thought)


def _answer(text: str, start: int, stop: int, names: ToolNames) -> str:
    """The answer in an object of the form that is asked for; "" where anything else stands."""
    head = _ANSWER.match(text, start)
    value = strict(text, head.end()) if head is not None and names.find(head["word"]) is None else None
    if value is None or not _CLOSED.fullmatch(text, value.end, stop) or is_placeholder(value.value):
        return ""
    return str(value.value).strip()


def _named(text: str, start: int, stop: int, names: ToolNames) -> Read | None:
    """The name of a tool on a line before its arguments, or calls on one line."""
    if (head := _NAME_LINE.match(text, start)) is not None:
        value = strict(text, head.end()) if head["name"] in names.tools else None
        if value is None or value.end != stop:
            return None
        return [Written(head["name"], value.value, head.start("name"), stop, _NAME_LINES)], MARKED, stop
    calls = _calls(text, start, stop, names)
    if calls is None or calls[0].name not in names.tools or "\n" in text[calls[0].end : calls[-1].end]:
        return None
    line_end = text.find("\n", calls[-1].end)
    return calls, WHOLE, line_end if line_end >= 0 else len(text)


def _fenced(text: str, start: int, stop: int, names: ToolNames) -> Read | None:
    head, end = _FENCE.match(text, start), _FENCE_END.search(text, max(start, stop - 40), stop)
    if head is None or end is None or text.find("```", head.end()) != stop - 3 or end.start() < head.end():
        return None
    inner, source = head.end(), text[: end.start()].rstrip(_BLANKS)
    read: list[Written] | None
    if (value := _value(source, inner, len(source), names, bounded=True)) is not None:
        read = value[0]
    else:
        sequence = _list if text.startswith("[", inner) else _calls
        read = sequence(source, inner, len(source), names)
    return None if read is None else ([in_fence(item, head[1]) for item in read], WHOLE, stop)


def _list(text: str, start: int, stop: int, names: ToolNames) -> list[Written] | None:
    """The calls of `[f(…), g(…)]`."""
    head = _LIST_START.match(text, start)
    return None if head is None else _sequence(text, head.end(), stop, _COMMA, _LIST_END, names)


def _calls(text: str, start: int, stop: int, names: ToolNames) -> list[Written] | None:
    """The calls of `f(…); g(…)`."""
    return _sequence(text, start, stop, _SEPARATOR, _SEPARATOR, names)


def _sequence(text: str, start: int, stop: int, separator: Pattern, closing: Pattern, names: ToolNames) -> list[Written] | None:
    """Calls with `separator` between them, and `closing` from the last of them to `stop`."""
    found: list[Written] = []
    while len(found) < _MAX_CALLS:
        call = _call(text, start, names)
        if not call:
            return None
        found += call
        end = found[-1].end
        last = closing.match(text, end, stop)
        if last is not None and last.end() == stop:
            return found
        between = separator.match(text, end, stop)
        if between is None or between.end() == end:
            return None
        start = between.end()
    return None


def _call(text: str, start: int, names: ToolNames) -> list[Written]:
    """The call at `start`, as several when it holds several sets of arguments; nothing when there is something to decide."""
    if _CALLED.match(text, start) is None:
        return []
    plain = plain_call(text, start)
    if plain is not None:
        name, keywords, end = plain
        return [] if _SPECIAL.match(name) else [Written(name, Arguments((), keywords), start, end, _PYTHON)]
    try:
        call = read_call(text, start)
    except Unreadable:
        return []
    if call.read.cut or call.inner or _SPECIAL.match(call.name) or not text.startswith("(", start + len(call.name)):
        return []
    found = with_inner(call, Body(text, start, len(text), names, ""), start, set(), [])
    return [] if any(item.fixes for item in found) else found


def _quoted(body: Body, stop: int) -> list[Written] | None:
    """The calls of `["f(…)", "g(…)"]`."""
    if _QUOTED_LIST.match(body.text, body.start) is None or BODY_END.search(body.text[:stop], body.start) is not None:
        return None
    found = read_quoted(body)
    written = [item for item in found if isinstance(item, Written)]
    return written if written and len(written) == len(found) and written[0].end == stop else None


def _value(text: str, start: int, stop: int, names: ToolNames, *, bounded: bool = False) -> Read | None:
    """The calls that one value writes, up to `stop`."""
    written = _json(text, start, Body(text, start, stop, names, "", bounded)) if _VALUE.match(text, start) else None
    return (written, WHOLE, stop) if written is not None and written[0].end == stop else None


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
            return found, MARKED, end
        start = _behind_blanks(text, end)
    return None


def _json(text: str, start: int, body: Body) -> list[Written] | None:
    """The calls of the value that starts exactly at `start`: of valid JSON, or of whatever is the whole text; else None."""
    value = strict(text, start)
    if value is None and start == 0 and body.end == len(text) and not body.dialect:
        value = _loose(text)
    found = written_in(value, body, start) if value is not None else None
    written = [item for item in found or () if isinstance(item, Written)]
    return written if found and len(written) == len(found) else None


def _loose(text: str) -> Value | None:
    try:
        return loose(text, 0)
    except Unreadable:
        return None


def _behind_blanks(text: str, index: int) -> int:
    return _BLANK.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text
