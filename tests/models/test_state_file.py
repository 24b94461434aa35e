"""The folder for state, and a file in it that is never half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from react_agent.models.state_file import change, read, stamp_of, state_folder


def test_the_folder_is_where_xdg_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "react-agent"


@pytest.mark.parametrize("said", [None, "", "relative/folder"])
def test_without_a_word_it_is_under_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str | None) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    if said is not None:
        monkeypatch.setenv("XDG_STATE_HOME", said)
    assert state_folder() == tmp_path / ".local" / "state" / "react-agent"


def test_without_a_home_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "nowhere")
    with pytest.raises(OSError, match="react-agent"):
        change(state_folder() / "notes.json", lambda data: data)


def test_a_change_sees_the_data_and_replaces_the_file(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "notes.json"
    assert (read(path), stamp_of(path)) == ({}, None)
    assert change(path, lambda data: {**data, "a": "中"}) == {"a": "中"}
    before = stamp_of(path)
    assert change(path, lambda data: {**data, "b": 1}) == read(path) == {"a": "中", "b": 1}
    assert stamp_of(path) != before


def test_a_change_that_fails_leaves_the_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    change(path, lambda _: {"a": 1})
    with pytest.raises(TypeError):
        change(path, lambda _: {"a": object()})
    assert read(path) == {"a": 1}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["notes.json", "notes.json.lock"]
