"""Notes on what is left out: settled things only, the latest that fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.memory import tokens
from react_agent.memory.extracting import extract
from react_agent.messages import Call, Message, Result

ROUND = [
    Message("user", "Which room\nis free?"),
    Message("assistant", "Thought: I look.\nAction: …", (Call("look", {"at": 3}, "a"), Call("look", {"at": 4}, "b"))),
    Message("tool", result=Result("a", "look", "room 3: free until 14:00")),
    Message("tool", result=Result("b", "look", "TimeoutError: no reply", "error")),
    Message("user", "(1) Write the action again.", note=True),
    Message("assistant", "Thought: done.\nFinal Answer: Room 3 is free."),
]


def test_what_was_asked_done_and_answered() -> None:
    assert extract(ROUND, "- earlier", "en", 1000).splitlines() == [
        "- earlier",
        "- The user said: Which room is free?",
        "- look(at=3) gave: room 3: free until 14:00",
        "- The answer was: Room 3 is free.",
    ]


def test_the_same_in_chinese() -> None:
    assert extract(ROUND[:3], "", "zh", 1000) == (
        "- 用户说：Which room is free?\n- look(at=3) 的结果：room 3: free until 14:00"
    )


@pytest.mark.parametrize("room", [0, 12, 30])
def test_the_latest_lines_stay(room: int) -> None:
    lines = extract(ROUND, "- earlier", "en", room).splitlines()
    everything = extract(ROUND, "- earlier", "en", 1000).splitlines()
    assert lines == everything[len(everything) - len(lines) :]
    assert len(lines) < len(everything)


@given(st.text(max_size=3000), st.floats(0, 300))
def test_an_extract_keeps_to_its_room(text: str, room: float) -> None:
    messages = [Message("user", text), Message("assistant", text, (Call("look", {"at": text}, "a"),))]
    assert tokens(extract([*messages, Message("tool", result=Result("a", "look", text))], text, "en", room)) <= room
