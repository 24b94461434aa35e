"""The numbers of a conversation that grows are those of all its texts, in whatever portions they were read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from react_agent.engine.numbers import Said, numbers_of
from react_agent.messages import Message, Result, ToolSpec

TEXTS = st.lists(st.text("0123456789.,' ，a\n") | st.sampled_from(["two dozen", "四十", "1,024", "half"]), max_size=8)


def as_history(texts: list[str]) -> list[Message]:
    return [
        Message("tool", result=Result("c", "look", text)) if at % 2 else Message("user", text) for at, text in enumerate(texts)
    ]


@given(TEXTS, st.lists(st.integers(0, 8), max_size=4))
def test_a_history_read_in_portions_has_the_numbers_of_all_its_texts(texts: list[str], stops: list[int]) -> None:
    history, said = as_history(texts), Said()
    for stop in sorted(stops):
        said.conversation(history[:stop])
    assert said.conversation(history) == numbers_of("\n".join(texts))


def test_a_text_that_was_read_is_not_read_again() -> None:
    history, said = as_history(["7", "8"]), Said()
    said.conversation(history).known.clear()
    assert said.conversation([*history, Message("user", "9")]).known == {9.0}


def test_the_instructions_count_as_said() -> None:
    assert Said("at most 40").conversation([]).known == {40.0}


def test_the_schema_of_each_tool_is_its_own() -> None:
    said = Said()
    low, high = (ToolSpec(name, "", {"maximum": most}) for name, most in (("low", 20), ("high", 5000)))
    assert (said.schema(low).known, said.schema(high).known) == ({20.0}, {5000.0})
