"""What holds for every text, whoever wrote it: each function takes a text and fails with a sentence."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any

import jsonschema

from react_agent import Parser, parse
from react_agent.events import AnswerDelta, CallFinished, CallRejected, CallStarted, Event, TextDelta, ThoughtDelta
from react_agent.messages import Parsed
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


def events_tell_the_verdict(parsed: Parsed, events: list[Event]) -> None:
    """Calls and refusals come as events, in order; the answer is what was shown as prose or as answer."""
    assert [event.call for event in events if isinstance(event, CallFinished)] == list(parsed.calls)
    assert [event.name for event in events if isinstance(event, CallStarted)] == [call.name for call in parsed.calls]
    assert [event.rejected for event in events if isinstance(event, CallRejected)] == list(parsed.rejected)
    if parsed.answer is not None:
        assert parsed.answer in (joined(events, AnswerDelta), joined(events, TextDelta))
    elif parsed.calls:
        assert joined(events, AnswerDelta) == ""


def joined(events: list[Event], kind: type[TextDelta] | type[AnswerDelta] | type[ThoughtDelta]) -> str:
    """The text of all deltas of a kind."""
    return "".join(event.text for event in events if isinstance(event, kind))
