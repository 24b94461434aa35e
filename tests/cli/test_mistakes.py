"""What the user has to change costs a sentence and exit code 2, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .command import in_process

SERVER = ("--base-url", "http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", *SERVER, ""], "the task is empty"),
        (["run", "--base-url", "localhost:1", "x"], "base_url must look like"),
        (["run", *SERVER, "--api-key", "sk-“1”", "x"], "the API key"),
        (["run", *SERVER, "--tools", "nothing:TOOLS", "x"], "nothing"),
        (["run", *SERVER, "--files", "absent", "x"], "absent"),
        (["run", *SERVER, "--write", "x"], "add --files ROOT"),
        (["run", *SERVER, "--tools", "ending", "x"], "SystemExit: 4"),
        (["run", *SERVER, "--deny", "get_wether", "x"], "--deny get_wether fits no tool; there are: get_weather, calculator, "),
        (["chat", *SERVER, "--allow", "shell*"], "--allow shell* fits no tool"),
        (["run", *SERVER, "--trace", "absent/run.jsonl", "x"], "cannot write the trace"),
        (["run", "--local", "absent.gguf", "x"], "absent.gguf"),
        (["run", "--model", "m", "x"], "Add --base-url URL"),
        (["run", "--max-steps", "0", "x"], "--max-steps"),
        (["run", "--mode", "magic", "x"], "--mode"),
        (["run"], "TASK"),
        (["chat", *SERVER, "--tools", "nothing:TOOLS"], "nothing"),
        (["chat", *SERVER, "--write"], "add --files ROOT"),
        (["parse", "absent.txt"], "cannot read absent.txt"),
        (["parse", "--tools", "bad.json", "text.txt"], "bad.json is not JSON"),
        (["parse", "--tools", "absent.json", "text.txt"], "cannot read absent.json: No such file"),
        (["parse", "--tools", "odd.json", "text.txt"], "name"),
        (["models", "pull", "nothing"], "qwen2.5-coder-1.5b"),
        (["models", "path", "nothing"], "qwen2.5-coder-1.5b"),
        (["smoke", "--base-url", "localhost:1"], "base_url must look like"),
        (["fly"], "fly"),
    ],
)
def test_a_mistake(arguments: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("hello", encoding="utf-8")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "ending.py").write_text("raise SystemExit(4)", encoding="utf-8")
    (tmp_path / "odd.json").write_text("[1]", encoding="utf-8")
    shown = in_process(tmp_path, *arguments)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert says in shown.stderr


def test_the_package_is_the_command_too(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "react_agent", "--version"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split()[0], done.stderr) == (0, "react-agent", "")
