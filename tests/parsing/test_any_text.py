"""The invariants over every case, over cases that were cut in pieces, and over cases that were damaged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent import parse
from react_agent.parsing.dialects import OPENERS
from react_agent.parsing.labels import STRONG
from tests.vectors import TOOLS, Case, load

from .invariants import cut_at, cut_changes_nothing, events_tell_the_verdict, sound, stream

CASES = load()


def by_case(subject: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [case.param(subject) for case in CASES])


MARKS = (
    *sorted({literal for opener in OPENERS.values() for literal in (opener.literal, *opener.closers)}),
    *(f"\n{word.replace('_', ' ')}: " for words in STRONG.values() for word in words.split()),
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "“",
        "”",
        "`",
        "```json\n",
        "```",
        "\n",
        "\n\n",
        "\\",
        "\\u",
        ",",
        "，",
        ":",
        "：",
        "(",
        ")",
    ),
    *(
        "｛",
        "｝",
        "<",
        "</",
        ">",
        "|",
        "> ",
        "｜",
        "\ufeff",
        "\u200b",
        "\x00",
        "\u2028",
        "\ud83d",
        "null",
        "NaN",
        "...",
        "$",
        "#",
    ),
)


@by_case("cut")
def test_cut(case: Case) -> None:
    """One character at a time, and in a few pieces."""
    cut_changes_nothing(list(case.text), case.tools)
    chance = random.Random(case.id)
    for count in (1, 4):
        cut_changes_nothing(cut_at(case.text, (chance.randrange(len(case.text) + 1) for _ in range(count))), case.tools)


def test_sound() -> None:
    for case in CASES:
        if not case.known("sound"):
            with told(case):
                sound(parse(case.text, case.tools), case.text, case.tools)


@by_case("events")
def test_events(case: Case) -> None:
    for pieces in ([case.text], list(case.text)):
        events_tell_the_verdict(*stream(pieces, case.tools), case.text)


@contextmanager
def told(case: Case) -> Iterator[None]:
    """A failure names the case."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{case}: {error}") from error


@st.composite
def damaged(draw: st.DrawFn) -> Case:
    """A case with spans deleted, doubled or swapped, and marks where none belong."""
    case = draw(st.sampled_from(CASES))
    text = case.text
    for _ in range(draw(st.integers(1, 4))):
        a, b, c = sorted(draw(st.integers(0, len(text))) for _ in range(3))
        text = draw(
            st.sampled_from(
                (
                    text[:a] + text[b:],
                    text[:b] + text[a:],
                    text[:a] + text[b:c] + text[a:b] + text[c:],
                    text[:a] + draw(st.sampled_from(MARKS)) + text[a:],
                )
            )
        )
    return Case(case.where, {**case.data, "id": f"damaged {case.id}", "text": text})


@settings(max_examples=150)
@given(damaged())
def test_damaged(case: Case) -> None:
    sound(parse(case.text, case.tools), case.text, case.tools)


@settings(max_examples=150)
@given(damaged(), st.lists(st.integers(0, 2000), max_size=6))
def test_damaged_in_pieces(case: Case, places: list[int]) -> None:
    cut_changes_nothing(cut_at(case.text, (place % (len(case.text) + 1) for place in places)), case.tools)


@settings(max_examples=80)
@given(damaged())
def test_damaged_one_character_at_a_time(case: Case) -> None:
    cut_changes_nothing(list(case.text), case.tools)


@settings(max_examples=100)
@given(st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=12)), max_size=24).map("".join))
def test_marks_and_noise(text: str) -> None:
    tools = TOOLS["desk"]
    sound(parse(text, tools), text, tools)
    cut_changes_nothing(list(text), tools)


LINES = (
    "list_rooms()",
    '[list_rooms{"a":<longcat_tool_call> 1}l|>',
    '{"name": "list_rooms", "arguments": {}}',
    '```json\n{"name": "list_rooms", "arguments": {}}\n```',
    "Action: list_rooms\nAction Input: {}",
    "## Action\nlist_rooms",
    "list_rooms%s()",
    "list_rooms%s{}",
    'list_rooms:0%s{"a": 1}',
    "Action%s: list_rooms\nAction Input: {}",
    "call:list_rooms%s{}",
    ">>>%slist_rooms\n{}",
)


@pytest.mark.parametrize("blank", [" ", "\t", " \t", "\u3000", "\ufeff", "\n"])
@pytest.mark.parametrize("line", LINES)
def test_blanks_of_any_number_before_and_within_a_mark(line: str, blank: str) -> None:
    for count in (0, 1, 39, 41, 64, 65, 100, 101, 127, 129, 385, 1_000):
        text = line % (blank * count) if "%s" in line else blank * count + line
        for before in ("", "so:\n"):
            cut_changes_nothing(list(before + text), TOOLS["desk"])
