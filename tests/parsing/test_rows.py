"""Lists that hold a name and its arguments: which are calls, and which are data."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.parsing.names import ToolNames, as_specs
from react_agent.parsing.rows import rows
from tests.vectors import TOOLS

NAMES = ToolNames(as_specs(TOOLS["desk"]))


@pytest.mark.parametrize(
    ("values", "calls"),
    [
        (["find_book", {"title": "Pan"}], [("find_book", {"title": "Pan"})]),
        (["list_rooms", {}], [("list_rooms", {})]),
        ([["find_book", {"title": "Pan"}], ["list_rooms", {}]], [("find_book", {"title": "Pan"}), ("list_rooms", {})]),
        (["find_book", {"title": "a"}, {"title": "b"}], [("find_book", {"title": "a"}), ("find_book", {"title": "b"})]),
        (["find_book", "title=Pan", "year=1894"], [("find_book", "title=Pan\nyear=1894")]),
        (["find_book", "(title='Pan')"], [("find_book", "title='Pan'")]),
    ],
)
def test_calls(values: list[Any], calls: list[tuple[str, Any]]) -> None:
    assert rows(values, NAMES) == calls


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["find_book"],
        ["find_book", "list_rooms"],
        ["Oslo", {"title": "Pan"}],
        ["find_book", {"shelf": 4}],
        ["find_book", {"title": "Pan"}, 4],
        ["find_book", "shelf=4"],
        [["find_book", {"title": "Pan"}], "and so on"],
        [{"title": "Pan"}],
    ],
)
def test_data(values: list[Any]) -> None:
    assert rows(values, NAMES) is None
