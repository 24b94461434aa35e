"""What was made of a part is found again, and does not grow without end."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.serving.kept import Kept


def test_a_part_is_read_once_until_it_changes() -> None:
    kept: Kept[list[Any]] = Kept()
    reads = []

    def read(part: Any) -> list[Any]:
        return kept(part, lambda: reads.append(part) or [part])  # type: ignore[func-returns-value]

    first = read({"a": [1, "é"]})
    assert read({"a": [1, "é"]}) is first
    for other in ({"a": [1.0, "é"]}, {"a": [True, "é"]}, {"a": ["1", "é"]}, [], ["a"]):
        assert read(other) is not first
    assert len(reads) == 6


def test_what_is_refused_is_read_anew() -> None:
    kept: Kept[int] = Kept()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept("x", lambda: 1 // 0)
    assert kept("x", lambda: 7) == 7


def test_the_least_recently_used_goes_first_and_the_room_is_bounded() -> None:
    kept: Kept[str] = Kept(most=2, room=100, longest=60)
    fresh = []

    def read(part: str) -> str:
        return kept(part, lambda: fresh.append(part) or part)  # type: ignore[func-returns-value]

    for part in ("a", "b", "a", "c", "a", "b"):
        read(part)
    assert fresh == ["a", "b", "c", "b"]
    for part in ("x" * 50, "y" * 50, "x" * 50, "z" * 70, "z" * 70):
        read(part)
    assert fresh[4:] == ["x" * 50, "y" * 50, "x" * 50, "z" * 70, "z" * 70]
