"""Prose behind code: what explains the call, and what takes it back."""

from __future__ import annotations

import pytest

from react_agent.parsing.commentary import is_closed, is_commentary


@pytest.mark.parametrize(
    "prose", ["", "This line calls `f` with x set to 1.", "The code returns a list of books.", "它返回书的位置。"]
)
def test_commentary(prose: str) -> None:
    assert is_commentary(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "Note: this is a guess.",
        "The function does not search for people.",
        "It can't answer the question.",
        "There is no suitable function for that.",
        "Replace the name with yours.",
        "Assuming the year is known.",
        "However, the year is missing.",
        "这个工具无法查询年份。",
    ],
)
def test_taken_back(prose: str) -> None:
    assert not is_commentary(prose)


@pytest.mark.parametrize(
    ("rest", "closed"), [("", True), ("]", True), (")]\n```", True), ("  # the novel\n", True), ("].", True)]
)
def test_closed(rest: str, closed: bool) -> None:
    assert is_closed(rest) is closed


@pytest.mark.parametrize("rest", ["][0]['year']", "] + 2", "]()", " returns the year", "] == []"])
def test_computes_on(rest: str) -> None:
    assert not is_closed(rest)
