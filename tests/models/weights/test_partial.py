"""A file in parts: what is kept, what is believed, what is removed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_agent.models.weights.partial import Partial, UnavailableError

PARTS = {"a": b"first part " * 100, "b": b"second part " * 100, "c": b"third part " * 100}
CONTENT = b"".join(PARTS.values())
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    return folder


def partial(folder: Path, size: int = len(CONTENT)) -> Partial:
    return Partial(folder / "m.gguf", tuple(PARTS), size, lambda *_: None)


def add(target: Partial, *names: str) -> None:
    for name in names:
        target.append(name, [PARTS[name][:500], PARTS[name][500:]], name)


def test_the_parts_make_the_file(here: Path) -> None:
    target = partial(here)
    assert (target.missing, target.done) == (("a", "b", "c"), 0)
    add(target, "a", "b", "c")
    assert (target.missing, target.done) == ((), len(CONTENT))
    assert target.finish(DIGEST).read_bytes() == CONTENT
    assert [path.name for path in here.iterdir()] == ["m.gguf"]


def test_a_later_process_goes_on(here: Path) -> None:
    add(partial(here), "a", "b")
    later = partial(here)
    assert later.missing == ("c",)
    add(later, "c")
    assert later.finish(DIGEST).read_bytes() == CONTENT


def test_half_a_part_is_dropped(here: Path) -> None:
    def breaks() -> Iterator[bytes]:
        yield PARTS["b"][:500]
        raise KeyboardInterrupt

    first = partial(here)
    add(first, "a")
    with pytest.raises(KeyboardInterrupt):
        first.append("b", breaks(), "b")
    later = partial(here)
    assert later.missing == ("b", "c")
    add(later, "b", "c")
    assert later.finish(DIGEST).read_bytes() == CONTENT


@pytest.mark.parametrize(("damaged", "missing"), [(50, "abc"), (1500, "bc"), (2500, "c")])
def test_what_is_on_disk_is_believed_up_to_the_damage(here: Path, damaged: int, missing: str) -> None:
    add(partial(here), "a", "b", "c")
    part = here / "m.gguf.part"
    data = bytearray(part.read_bytes())
    data[damaged] ^= 1
    part.write_bytes(data)
    later = partial(here)
    assert later.missing == tuple(missing)
    add(later, *missing)
    assert later.finish(DIGEST).read_bytes() == CONTENT


def test_a_shortened_file_is_believed_as_far_as_it_goes(here: Path) -> None:
    add(partial(here), "a", "b")
    part = here / "m.gguf.part"
    part.write_bytes(part.read_bytes()[:-1])
    assert partial(here).missing == ("b", "c")


@pytest.mark.parametrize("notes", ["", "[", "{}", "[[1]]", '[["a", 1100, "0"]]', '[["x", 1100, "0"]]', '[["a", -5, "0"]]'])
def test_damaged_notes_start_over(here: Path, notes: str) -> None:
    add(partial(here), "a", "b", "c")
    (here / "m.gguf.parts.json").write_text(notes)
    later = partial(here)
    assert later.missing == ("a", "b", "c")
    add(later, "a", "b", "c")
    assert later.finish(DIGEST).read_bytes() == CONTENT


def test_another_file_is_removed(here: Path) -> None:
    target = partial(here)
    add(target, "a", "b", "c")
    with pytest.raises(UnavailableError, match="another file"):
        target.finish("0" * 64)
    assert list(here.iterdir()) == []


def test_a_file_that_is_too_long_is_removed(here: Path) -> None:
    target = partial(here, size=1500)
    add(target, "a")
    with pytest.raises(UnavailableError, match="longer than the 1500 bytes"):
        add(target, "b")
    assert list(here.iterdir()) == []
