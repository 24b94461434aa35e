"""Guesses of tokens, beside what the tokenizer of a Qwen 2.5 model counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.memory import Scale, tokens

COUNTED = [
    ("今日は東京で雨が降っています。明日は晴れるでしょう。傘を持って行ってください。" * 5, 105),
    ("Сегодня в Москве тепло и солнечно, завтра обещают дождь и ветер, лучше взять зонт. " * 5, 142),
    ("오늘 서울은 비가 오고 내일은 맑을 것입니다. 우산을 가져가세요. " * 5, 112),
    ("L'été dernier, nous avons visité une forêt près de la mer, où l'eau était très froide. " * 5, 126),
    ("😀🎉🚀✅" * 20, 80),
]


@pytest.mark.parametrize(("text", "counted"), COUNTED, ids=["ja", "ru", "ko", "fr", "emoji"])
def test_a_guess_is_near_what_a_tokenizer_counts(text: str, counted: int) -> None:
    assert 0.75 <= tokens(text) / counted <= 1.2


def test_digits_and_marks_cost_more_than_letters() -> None:
    assert tokens("1234567890") > tokens('{"":[]},:;') > tokens("abcdefghij") > tokens("")


@given(st.text(), st.text())
def test_a_guess_adds_up(one: str, other: str) -> None:
    assert tokens(one + other) == pytest.approx(tokens(one) + tokens(other), abs=0.02)


def test_what_a_server_does_not_count_teaches_nothing() -> None:
    scale = Scale()
    scale.learn(100, 0)
    scale.learn(0, 100)
    assert not scale.learnt
    scale.learn(100, 1_000_000)
    assert (scale.ratio, scale.learnt) == (3.0, True)
