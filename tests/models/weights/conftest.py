"""Each test has a cache and a package index of its own: two folders.  pip is real, and sees no network."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files end up; it does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("REACT_AGENT_MODEL", raising=False)
    return tmp_path / "cache" / "react-agent" / "models"


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The index; empty."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    settings = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(shelf)}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return shelf
