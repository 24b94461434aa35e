"""What holds for every text, whoever wrote it: each function takes a text and fails with a sentence."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import jsonschema

from react_agent import Parser, parse
from react_agent.events import (
    AnswerDelta,
    ArgumentsDelta,
    CallFinished,
    CallRejected,
    CallStarted,
    Event,
    TextDelta,
    ThoughtDelta,
)
from react_agent.messages import Parsed
from react_agent.parsing.dialects import OPENERS
from react_agent.parsing.started import WITHDRAWN
from react_agent.parsing.words import any_of
from react_agent.repair import COSTS

Tools = list[dict[str, Any]]


def stream(pieces: Iterable[str], tools: Tools) -> tuple[Parsed, list[Event]]:
    """The verdict on a text that comes in these pieces, and all events."""
    parser = Parser(tools)
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.close()
    return parser.result, events


def cut_at(text: str, places: Iterable[int]) -> list[str]:
    """`text` cut at these places."""
    borders = [0, *sorted({place for place in places if 0 < place < len(text)}), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(borders)]


def cut_changes_nothing(pieces: Sequence[str], tools: Tools) -> None:
    """A stream gives what the whole text gives, whatever follows a point where nothing more was wanted included."""
    text = "".join(pieces)
    whole, streamed = parse(text, tools), stream(pieces, tools)[0]
    assert streamed == whole, f"cut into {pieces!r}\n  whole    {whole}\n  streamed {streamed}"


def sound(parsed: Parsed, text: str, tools: Tools) -> None:
    """Everything in a verdict is true of the text and the tools."""
    calls_are_valid(parsed, tools)
    spans_lie_in(parsed, text)
    fixes_are_known(parsed)
    assert not (parsed.calls and parsed.answer is not None), "calls win over an answer"
    assert parsed.cut == any(item.reason == "cut" for item in parsed.rejected)


def calls_are_valid(parsed: Parsed, tools: Tools) -> None:
    for call in parsed.calls:
        schema = next((tool["parameters"] for tool in tools if tool["name"] == call.name), None)
        assert schema is not None, f"{call.name} is not declared"
        problems = list(_validator(json.dumps(schema)).iter_errors(call.arguments))
        assert not problems, f"{call.name}({call.arguments}): {problems}"


@functools.cache
def _validator(schema: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(schema))


def spans_lie_in(parsed: Parsed, text: str) -> None:
    assert 0 <= parsed.end <= len(text)
    for span in [*(call.span for call in parsed.calls), *(item.span for item in parsed.rejected if item.span)]:
        start, end = span
        assert 0 <= start < end <= len(text), f"{span} is outside of the text"
    for call in parsed.calls:
        assert call.span, f"{call} has no place"
        assert call.span[1] <= parsed.end, f"{call} stands behind the end of what counts"


def fixes_are_known(parsed: Parsed) -> None:
    unknown = {fix.name for call in parsed.calls for fix in call.fixes} - COSTS.keys()
    assert not unknown, f"fixes without a cost: {unknown}"


def events_tell_the_verdict(parsed: Parsed, events: list[Event], text: str) -> None:
    """Joined deltas are what the verdict says; every call that started ends once, in order."""
    assert joined(events, ThoughtDelta) == (parsed.thought or "")
    answer, prose = joined(events, AnswerDelta), joined(events, TextDelta)
    if parsed.answer is None:
        assert not answer or parsed.cut or (parsed.rejected and not parsed.calls), f"told an answer that is none: {answer!r}"
    elif answer:
        assert answer == parsed.answer
        told_no_more_than_written(answer, prose, text)
    else:
        assert prose.endswith(parsed.answer)
    assert all(not isinstance(event, (TextDelta, ThoughtDelta, AnswerDelta, ArgumentsDelta)) or event.text for event in events)
    calls_are_told(parsed, events, text)


def told_no_more_than_written(answer: str, prose: str, text: str) -> None:
    """No part of the answer was shown as prose before, unless the model wrote it twice.  What is short may stand anywhere."""
    if f'"{answer[:_LONG]}' in prose:
        return  # a value in a line of prose, which proved to be the answer at the end of the reply
    plain_text = _NOISE.sub("", text)
    for start in range(0, len(answer) - _LONG + 1, _LONG):
        part = answer[start : start + _LONG]
        written = max(text.count(part), plain_text.count(part))
        twice = part in prose and 0 < written < answer.count(part) + prose.count(part)
        assert not twice, f"told twice: {part!r}"


_LONG = 8
NOISE = tuple(opener.literal for opener in OPENERS.values() if opener.kind == "noise")
_NOISE = re.compile(any_of(NOISE))
BESIDE = ("qwen_code",)
"""Dialects that write a part of the arguments beside their JSON."""


def calls_are_told(parsed: Parsed, events: list[Event], text: str) -> None:
    finished = [event for event in events if isinstance(event, CallFinished)]
    rejected = [event for event in events if isinstance(event, CallRejected)]
    started = {event.index: event for event in events if isinstance(event, CallStarted)}
    assert [event.call for event in finished] == list(parsed.calls)
    assert [event.rejected for event in rejected if event.rejected.reason != WITHDRAWN] == list(parsed.rejected)
    ends = [event.index for event in finished] + [event.index for event in rejected if event.index is not None]
    assert sorted(ends) == sorted(started) == list(range(len(started))), "every call starts once and ends once"
    assert all(started[event.index].name == event.call.name for event in finished)
    order = [event.index for event in events if isinstance(event, CallStarted)]
    assert order == sorted(order)
    for event in finished:
        pieces = [item.text for item in events if isinstance(item, ArgumentsDelta) and item.index == event.index]
        assert all(piece in text for piece in pieces)
        written = "".join(pieces)
        if written.startswith("{") and not event.call.fixes and event.call.dialect not in BESIDE:
            assert _breaks_off(written, text) or json.loads(written) == event.call.arguments, written


def _breaks_off(written: str, text: str) -> bool:
    """Arguments are told up to a mark without meaning; what stands behind it only `CallFinished` knows."""
    ends = (match.end() for match in re.finditer(re.escape(written), text))
    return written.count("{") > written.count("}") and any(text.startswith(NOISE, end) for end in ends)


def plain(events: Iterable[Event]) -> list[Event]:
    """Events with neighbouring deltas joined: the same for every cut of a text."""
    found: list[Event] = []
    for event in events:
        last = found[-1] if found else None
        if isinstance(event, ArgumentsDelta) and isinstance(last, ArgumentsDelta) and last.index == event.index:
            found[-1] = ArgumentsDelta(event.index, last.text + event.text)
        elif isinstance(event, (TextDelta, ThoughtDelta, AnswerDelta)) and type(last) is type(event):
            found[-1] = type(event)(getattr(last, "text", "") + event.text)
        else:
            found.append(event)
    return found


def joined(events: list[Event], kind: type[TextDelta] | type[AnswerDelta] | type[ThoughtDelta]) -> str:
    """The text of all deltas of a kind."""
    return "".join(event.text for event in events if isinstance(event, kind))
