"""Many literals as one pattern."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsing.words import any_of

words = st.lists(st.text("abc<|", min_size=1, max_size=5), min_size=1, max_size=8)


@settings(max_examples=50)
@given(words, st.text("abc<|", max_size=8))
def test_the_longest_word_that_stands_there(literals: list[str], text: str) -> None:
    match = re.match(any_of(literals), text)
    longest = max((word for word in literals if text.startswith(word)), key=len, default=None)
    assert (match.group() if match else None) == longest


def test_no_words_match_nothing() -> None:
    assert re.search(any_of([]), "anything") is None
