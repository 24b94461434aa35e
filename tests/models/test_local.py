"""`LocalModel` with the smallest real model: llama.cpp loads it, serves it and lets it go."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from react_agent.driving.ports import Model
from react_agent.errors import ModelError, UsageError, WeightsError
from react_agent.events import ModelChunk, ModelRequest
from react_agent.models.capability import Capabilities
from react_agent.models.local import LocalModel
from tests.models.asking import REQUEST, Ask, failure_of
from tests.support.tiny_gguf import write_tiny_model

pytest.importorskip("xllamacpp")

SHORT = ModelRequest(messages=REQUEST.messages, max_tokens=5)
OPTIONS: dict[str, Any] = {"context": 256, "threads": 1}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("weights") / "tiny-1k.gguf")


@pytest.fixture
def model(path: Path) -> Iterator[LocalModel]:
    with LocalModel(path, **OPTIONS) as local:
        yield local


def url_of(model: LocalModel) -> str:
    return model._remote().base_url


def test_it_streams_replies_and_counts(ask: Ask, model: LocalModel) -> None:
    pieces = ask(model, SHORT)
    last = pieces[-1]
    assert isinstance(last, ModelChunk)
    assert last.usage is not None
    assert (last.last, last.usage.completion_tokens) == (True, 5)
    assert [piece.finish_reason for piece in pieces if isinstance(piece, ModelChunk) and piece.finish_reason] == ["length"]


def test_it_loads_at_the_first_request_and_again_after_close(ask: Ask, path: Path) -> None:
    model = LocalModel(path, **OPTIONS)
    for _ in range(2):
        assert isinstance(ask(model, SHORT)[-1], ModelChunk)
        model.close()


def test_closing_frees_the_port(model: LocalModel) -> None:
    url = url_of(model)
    model.close()
    with pytest.raises(urllib.error.URLError, match="refused"):
        urllib.request.urlopen(f"{url}/models", timeout=5)


def test_others_on_the_machine_cannot_use_it(model: LocalModel) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{url_of(model)}/models", timeout=5)
    caught.value.close()
    assert caught.value.code == 401


def test_two_models_at_once(ask: Ask, path: Path) -> None:
    with LocalModel(path, **OPTIONS) as one, LocalModel(path, **OPTIONS) as two:
        assert url_of(one) != url_of(two)
        assert isinstance(ask(one, SHORT)[-1], ModelChunk)
        assert isinstance(ask(two, SHORT)[-1], ModelChunk)


def test_it_is_silent_and_ends_with_the_program(path: Path) -> None:
    program = (
        "from pathlib import Path; import sys; from react_agent.models import LocalModel\n"
        "model = LocalModel(Path(sys.argv[1]), context=256, threads=1); model.start(); print('loaded')"
    )
    run = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False, timeout=50)
    assert (run.returncode, run.stdout, run.stderr) == (0, "loaded\n", "")


def test_a_prompt_that_does_not_fit_is_told(ask: Ask, model: LocalModel) -> None:
    long = ModelRequest(messages=({"role": "user", "content": "x" * 2000},), max_tokens=5)
    assert failure_of(ask(model, long)).kind == "context_overflow"


def test_a_file_that_is_no_model(ask: Ask, tmp_path: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"GGUF no more")
    model = LocalModel(bad, **OPTIONS)
    with pytest.raises(ModelError, match="complete GGUF file"):
        model.start()
    failure = failure_of(ask(model, SHORT))
    assert (failure.kind, str(bad) in failure.message) == ("server", True)


def test_the_catalogue_gives_the_start_and_learning_overrules_it(path: Path, tmp_path: Path) -> None:
    leaky = tmp_path / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    leaky.write_bytes(path.read_bytes())
    notes = Capabilities()
    model = LocalModel(leaky, capabilities=notes)
    assert model.mode == "text"
    assert LocalModel(leaky, capabilities=notes, mode="native").mode == "native"
    model.learn("native", works=True)
    assert model.mode == "auto"


def test_facts_are_kept_by_the_name_of_the_file(path: Path) -> None:
    notes = Capabilities()
    model = LocalModel(path, capabilities=notes)
    assert isinstance(model, Model)
    assert (model.name, model.mode) == ("tiny-1k", "auto")
    model.learn("native", works=False)
    assert (model.mode, LocalModel(path, capabilities=notes).mode) == ("text", "text")
    assert LocalModel(path, capabilities=notes, mode="native").mode == "native"


def test_what_is_not_there_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("REACT_AGENT_MODEL", raising=False)
    with pytest.raises(WeightsError, match=r"react-agent models pull qwen2\.5-coder-1\.5b"):
        LocalModel()
    with pytest.raises(WeightsError, match="no file"):
        LocalModel(tmp_path / "absent.gguf")
    with pytest.raises(UsageError, match="no model 'qwen99'"):
        LocalModel("qwen99")


def test_without_the_extra_it_names_it(path: Path) -> None:
    program = (
        "import sys; sys.modules['xllamacpp'] = None; from pathlib import Path; from react_agent.models import LocalModel\n"
        "try: LocalModel(Path(sys.argv[1]))\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert 'pip install "react-agent[local]"' in run.stdout


@pytest.mark.real
@pytest.mark.timeout(300)
def test_real_weights_answer(ask: Ask) -> None:
    with LocalModel(context=1024) as model:
        request = ModelRequest(messages=({"role": "user", "content": "Answer with one word: hello"},), max_tokens=8)
        assert "".join(piece.text for piece in ask(model, request) if isinstance(piece, ModelChunk)).strip()
