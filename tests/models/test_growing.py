"""Texts whose deltas repeat what was said before them, and texts that only look so."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from react_agent.models.growing import LIKELY, Growing


def read(deltas: list[str]) -> str:
    text = Growing()
    return "".join([*map(text.take, deltas), text.rest()])


@pytest.mark.parametrize(
    ("deltas", "text"),
    [
        (["The", "The beach", "The beach is", "The beach is wide."], "The beach is wide."),
        (["The", "The beach", "The beach", "The beach is wide."], "The beach is wide."),
        (["4", "42", "42.", ""], "42."),
        (["", "It is 31.", "It is 31. Hot."], "It is 31. Hot."),
        (["北", "北京", "北京今", "北京今天", "北京今天晴", "北京今天晴"], "北京今天晴"),
        (["The", " beach"], "The beach"),
        (["1", "10"], "110"),
        (["no", "no no"], "nono no"),
        (["哈", "哈哈", "哈哈哈", "哈哈哈哈"], "哈" * 10),
        (["\n", "\n\n", "\n\n\n", "ok"], "\n" * 6 + "ok"),
        (["ab"] * 5, "ab" * 5),
        (["-"] * 3000, "-" * 3000),
        (["a b", "a bc", "a bcd", "!"], "a ba bca bcd!"),
        (["1", "10", "10"], "11010"),
        (["a b", "a bc", "a bcd", "a bcde", "!"], "a bcde!"),
        ([], ""),
    ],
)
def test_what_deltas_add(deltas: list[str], text: str) -> None:
    assert read(deltas) == text


def test_a_text_is_told_as_soon_as_it_is_sure() -> None:
    text = Growing()
    told = [text.take(delta) for delta in ("I", "I w", "I will", "I will go", "I will go on", "I will go on")]
    assert told == ["I", "", "", " will go", " on", ""]


@given(st.lists(st.text(min_size=1, max_size=5), min_size=4, max_size=50))
def test_a_text_that_is_repeated_is_told_once(parts: list[str]) -> None:
    deltas = list(itertools.accumulate(parts))
    assume(sum(len(set(delta)) > 1 for delta in deltas[1:]) >= LIKELY)
    assert read(deltas) == deltas[-1]


@given(st.lists(st.text(max_size=5), max_size=50))
def test_deltas_that_do_not_grow_are_told_as_they_are(deltas: list[str]) -> None:
    first, second = [*filter(None, deltas), "", ""][:2]
    assume(not second.startswith(first))
    assert read(deltas) == "".join(deltas)
