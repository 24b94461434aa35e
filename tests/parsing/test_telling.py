"""What is told of a reply while it is being written: early, in order, once, and never taken back."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from react_agent import Parser
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
from react_agent.parsing.started import WITHDRAWN
from tests.vectors import TOOLS, Case, load

from .invariants import cut_at, events_tell_the_verdict, joined, plain, stream
from .test_any_text import damaged

DESK = TOOLS["desk"]
CASES = [case for case in load() if not case.known("cut") and not case.known("events")]


def told(text: str) -> list[Event]:
    """The events before the end of the reply is known, one character at a time."""
    parser = Parser(DESK)
    return plain(event for char in text for event in parser.feed(char))


# --- early -----------------------------------------------------------------------------------------------------------

CALL = [CallStarted(0, "find_book", "hermes"), ArgumentsDelta(0, '{"title": "Em')]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ('<tool_call>\n{"name": "find_book"', CALL[:1]),
        ('<tool_call>\n{"name": "find_book", "arguments": {"title": "Em', CALL),
        ('<tool_call>\n{"arguments": {"title": "Em"}, "name": "find_book"',
         [CALL[0], ArgumentsDelta(0, '{"title": "Em"}')]),
        ("<tool_call>\n<function=find_book>\n<parameter=title>\nEm",
         [CALL[0], ArgumentsDelta(0, "<parameter=title>\nEm")]),
        ("<tool_call>find_book\n<arg_key>title</arg_key>\n<arg_value>Em",
         [CALL[0], ArgumentsDelta(0, "<arg_key>title</arg_key>\n<arg_value>Em")]),
        ('<｜tool▁call▁begin｜>function<｜tool▁sep｜>find_book\n```json\n{"title": "Em',
         [CallStarted(0, "find_book", "deepseek_v3"), CALL[1]]),
        ('<|channel|>commentary to=functions.find_book <|constrain|>json<|message|>{"title": "Em',
         [CallStarted(0, "find_book", "harmony"), CALL[1]]),
        ('Thought: look.\nAction: find_book\nAction Input: {"title": "Em',
         [ThoughtDelta("look."), CallStarted(0, "find_book", "react"), CALL[1]]),
        ("Thought: look.\nAction: find_book\nAction Input: Emil and",
         [ThoughtDelta("look."), CallStarted(0, "find_book", "react"), ArgumentsDelta(0, "Emil and")]),
        ('Action:\n```json\n{"action": "find_book", "action_input": {"title": "Em',
         [CallStarted(0, "find_book"), CALL[1]]),
        ('Action: {"type": "final_answer", "content": "It opens', [AnswerDelta("It opens")]),
        ('Thought: easy.\nAction:\n```json\n{"action": "Final Answer", "action_input": "It opens',
         [ThoughtDelta("easy."), AnswerDelta("It opens")]),
        ("Thought: easy.\nFinal Answer: It opens", [ThoughtDelta("easy."), AnswerDelta("It opens")]),
        ("<think>easy</think>\nIt opens", [ThoughtDelta("easy"), TextDelta("It opens")]),
        ("easy\n</think>\nIt opens", [TextDelta("easy"), ThoughtDelta("easy"), TextDelta("It opens")]),
        ("Hours:\n```\nten to six\n```\nCome early", [TextDelta("Hours:\n```\nten to six\n```\nCome early")]),
    ],
)  # fmt: skip
def test_told_while_it_is_written(text: str, events: list[Event]) -> None:
    found = told(text + " " * 18)  # inside a call some characters are waited for
    assert found[: len(events) - 1] == events[:-1]
    assert type(found[-1]) is type(events[-1])
    if not isinstance(events[-1], CallStarted):
        assert found[-1].text.rstrip() == events[-1].text  # type: ignore[attr-defined]  # every delta has a text
    else:
        assert found == events


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "find_book", "arguments": {"title": "Emil"}}\n',
        '```json\n{"name": "find_book", "arguments": {"title": "Emil"}}\n```\n and more',
        '<tool_call>\n{"name": "find_shelf", "arguments": {"title": "Em',
        '"<tool_call>\n{"name": "find_book", "arguments": {"title": "Em',
        '{"type": "final_answer", "content": "It opens',
        'Action: {"type": "final_answer", "note": "It opens',
        "Sure.\nFinal Answer: It opens",
    ],
    ids=["value", "fence", "unknown tool", "quoted", "bare answer", "unknown key", "label behind prose"],
)
def test_not_told_before_the_end(text: str) -> None:
    kinds = (AnswerDelta, CallStarted, CallFinished, CallRejected)
    assert not [event for event in told(text) if isinstance(event, kinds)]


def deltas(head: str, size: int) -> list[int]:
    """Where the text ends each time that something is told of it, with `size` characters behind the head, four at a time."""
    text, parser = head + "word " * (size // 5), Parser(DESK)
    return [start + 4 for start in range(0, len(text), 4) if parser.feed(text[start : start + 4])]


def test_the_longer_a_text_the_larger_the_steps_in_which_it_is_told() -> None:
    prose = deltas("Look: ", 20_000)
    call = deltas('<tool_call>{"name": "find_book", "arguments": {"title": "', 20_000)
    for ends, least, more in ((prose, 8, 0.02), (call, 20, 0.08)):
        steps = list(itertools.pairwise(ends))
        assert all(end - start <= least for start, end in steps if 100 < end < 1_000)
        assert all(end - start <= least + more * end for start, end in steps if end > 100)
    assert len(call) < 400 < len(prose) < 1_000


@pytest.mark.parametrize("end", ["}}", "}}\n", "}} "])
def test_the_end_of_a_call_is_not_waited_for(end: str) -> None:
    parser = Parser(DESK, one_action=True)
    for char in 'Action: {"name": "find_book", "arguments": {"title": "Emil"':
        parser.feed(char)
    parser.feed(end)
    parser.feed("\nObservation: 3")
    assert parser.done


# --- once -------------------------------------------------------------------------------------------------------------

TAGS = (
    "<function=find_book>\n<parameter=title>\nEmil\n</parameter>\n</function>",
    '<function=find_book>{"title": "Emil"}</function>',
    '<invoke name="find_book"><parameter name="title">Emil</parameter></invoke>',
    '<tool_call>{"name": "find_book", "arguments": {"title": "Emil"}}</tool_call>',
    "<tool_call><function=find_book><parameter=title>Emil</parameter></function></tool_call>",
)
LABELS = (
    "Action: ",
    "Action:\n",
    "Thought: look.\nAction: ",
    "行动：",
    "Action: find_book\nAction Input: ",
    "行动：find_book\n行动输入：\n",
)


@given(
    label=st.sampled_from(LABELS),
    tags=st.lists(st.sampled_from(TAGS), min_size=1, max_size=3),
    between=st.sampled_from(["", "\n", "\n\n"]),
    places=st.sets(st.integers(1, 400), max_size=12),
)
@settings(max_examples=150, deadline=None)
def test_a_call_in_a_tag_behind_a_label_is_told_once(label: str, tags: list[str], between: str, places: set[int]) -> None:
    text = label + between.join(tags)
    parsed, whole = stream([text], DESK)
    assert len(parsed.calls) == len(tags)
    assert [event.index for event in whole if isinstance(event, CallStarted)] == list(range(len(tags)))
    assert not any(isinstance(event, CallRejected) for event in whole)
    for pieces in (list(text), cut_at(text, places)):
        assert plain(stream(pieces, DESK)[1]) == plain(whole)


# --- never taken back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<tool_call>{"name": "find_book", "arguments": {"year": 1929}}</tool_call>', "invalid_arguments"),
        ('<tool_call>{"name": "find_book", "arguments": {"title": "Em', "cut"),
        ('I try <tool_call>{"name": "list_rooms", "arguments": {}}</tool_call> or not.\n</think>\nHello.', WITHDRAWN),
    ],
)
def test_a_call_that_started_and_is_none_is_rejected(text: str, reason: str) -> None:
    parsed, events = stream(list(text), DESK)
    assert not parsed.calls
    (rejected,) = (event for event in events if isinstance(event, CallRejected))
    assert (rejected.index, rejected.rejected.reason) == (0, reason)


def test_parallel_calls_keep_their_indices_when_one_is_invalid() -> None:
    text = "".join(f'<tool_call>{{"name": "{name}", "arguments": {{}}}}</tool_call>' for name in ("find_book", "list_rooms"))
    _, events = stream(list(text), DESK)
    ends = [event for event in events if isinstance(event, (CallFinished, CallRejected))]
    assert [(type(event), event.index) for event in ends] == [(CallFinished, 1), (CallRejected, 0)]


def test_an_answer_that_was_shown_is_kept_when_a_closing_mark_follows() -> None:
    parsed, events = stream(list("Thought: easy.\nFinal Answer: At ten.\n</think>\nFinal Answer: At nine."), DESK)
    assert joined(events, AnswerDelta) == parsed.answer == "At ten."


@pytest.mark.parametrize("name", ["final_answer", "Final Answer"])
def test_escapes_of_an_answer_are_decoded_whole(name: str) -> None:
    text = f'Action: {{"action": "{name}", "action_input": "a\\n\\u00e9 \\ud83d\\ude00 \\"b\\" \\\\ \\/ c"}}'
    parsed, events = stream(list(text), DESK)
    assert joined(events, AnswerDelta) == parsed.answer == 'a\né 😀 "b" \\ / c'
    assert all(event.text.encode() for event in events if isinstance(event, AnswerDelta)), "half a pair cannot be encoded"
    assert len([event for event in events if isinstance(event, AnswerDelta)]) == 8


@settings(max_examples=150)
@given(damaged(), st.lists(st.integers(0, 2000), max_size=6))
def test_damaged_replies_are_told_once_and_the_same_for_every_cut(case: Case, places: list[int]) -> None:
    pieces = cut_at(case.text, (place % (len(case.text) + 1) for place in places))
    whole, parts = stream([case.text], case.tools), stream(pieces, case.tools)
    assume(whole[0] == parts[0])  # faults of the verdict are the business of `test_damaged_in_pieces`
    for parsed, events in (whole, parts):
        events_tell_the_verdict(parsed, events, case.text)
    assert plain(whole[1]) == plain(parts[1])


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_the_same_events_for_every_cut(case: Case) -> None:
    whole = plain(stream([case.text], case.tools)[1])
    assert plain(stream(list(case.text), case.tools)[1]) == whole


# --- memory -----------------------------------------------------------------------------------------------------------

LONG = {
    "prose": "The hall opens at ten. " * 45_000,
    "answer": "Thought: easy.\nFinal Answer: " + "The hall opens at ten. " * 45_000,
    "reasoning": "<think>" + "The hall opens at ten. " * 45_000,
    "arguments": '<tool_call>{"name": "send_note", "arguments": {"to": "Ida", "body": "' + "at ten " * 150_000,
    "value": 'Action: {"type": "final_answer", "content": "' + "at ten\\n" * 130_000,
}


@pytest.mark.parametrize("name", LONG)
def test_nothing_is_kept_but_the_text(name: str) -> None:
    text, parser = LONG[name], Parser(DESK)
    pieces = [text[start : start + 4096] for start in range(0, len(text), 4096)]
    parser.feed(pieces[0])
    tracemalloc.start()
    seen = sum(len(parser.feed(piece)) for piece in itertools.islice(pieces, 1, None))
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seen > 50
    assert kept < 1.1 * len(text) + 100_000
    assert peak < 2.5 * len(text) + 200_000
