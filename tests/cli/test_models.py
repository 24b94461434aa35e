"""`react-agent models`, and the name behind `--local`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress
from typer.testing import CliRunner

from react_agent.cli.app import app
from react_agent.cli.fetch import Bar, Tenths
from react_agent.cli.options import names_weights, spell_out_local
from react_agent.models.weights import catalogue


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("REACT_AGENT_MODEL", raising=False)


def test_the_list_names_all_and_marks_the_default() -> None:
    lines = CliRunner().invoke(app, ["models", "list"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == [entry.name for entry in catalogue()]
    assert "default" in lines[0]
    assert all(line.endswith("not here") for line in lines)


def test_the_list_as_json() -> None:
    lines = CliRunner().invoke(app, ["models", "list", "--json"]).stdout.splitlines()
    assert [(row["name"], row["path"]) for row in map(json.loads, lines)] == [(entry.name, None) for entry in catalogue()]


def test_the_path_of_a_model_that_is_not_here_is_exit_code_1() -> None:
    shown = CliRunner().invoke(app, ["models", "path"])
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert "react-agent models pull" in shown.stderr


def test_the_users_own_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.gguf"
    own.touch()
    monkeypatch.setenv("REACT_AGENT_MODEL", str(own))
    assert CliRunner().invoke(app, ["models", "path"]).stdout == f"{own}\n"
    assert CliRunner().invoke(app, ["models", "pull"]).stdout == f"{own}\n"


def test_progress_in_a_log_is_a_line_per_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    show = Tenths()
    for done in range(0, 2_000_000_001, 50_000_000):
        show(done, 2_000_000_000, "part")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert (lines[0], lines[-1]) == ("part: 0.00 of 2.00 GB", "part: 2.00 of 2.00 GB")


def test_progress_on_a_terminal_is_a_bar_that_says_what_comes() -> None:
    stream = io.StringIO()
    with Progress("{task.description} {task.percentage:.0f}%", console=Console(file=stream), auto_refresh=False) as progress:
        Bar(progress)(500, 2000, "part 3 of 22\x1b[2J")
    assert "part 3 of 22�[2J 25%" in stream.getvalue()


@pytest.mark.parametrize(
    ("arguments", "spelled"),
    [
        (["--local", "What is 2 + 2?"], ["--local=default", "What is 2 + 2?"]),
        (["What?", "--local"], ["What?", "--local=default"]),
        (["--local", "qwen2.5-coder-0.5b", "What?"], ["--local", "qwen2.5-coder-0.5b", "What?"]),
        (["--local", "a/b.gguf", "What?"], ["--local", "a/b.gguf", "What?"]),
        (["--local=x", "What?"], ["--local=x", "What?"]),
        (["--local", "--json", "What?"], ["--local=default", "--json", "What?"]),
        (["--", "--local"], ["--", "--local"]),
        (["What?"], ["What?"]),
    ],
)
def test_local_may_stand_without_a_name(arguments: list[str], spelled: list[str]) -> None:
    assert spell_out_local(arguments, names_weights) == spelled


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "--local", "nomodel", "hi"], "there is no model 'nomodel': expected one of qwen2.5-coder-1.5b"),
        (["run", "hi", "--local", "nomodel"], "there is no model 'nomodel'"),
        (["run", "--json", "--local", "nomodel", "--lang", "en", "hi"], "there is no model 'nomodel'"),
        (["chat", "--local", "nomodel"], "there is no model 'nomodel'"),
        (["smoke", "--local", "nomodel"], "there is no model 'nomodel'"),
        (["run", "--local", "smollm2-135m"], "TASK"),
        (["run", "--local"], "TASK"),
        (["run", "--local", "--max-steps", "0", "hi"], "--max-steps"),
        (["run", "--local", "a", "b", "c"], "unexpected extra argument"),
    ],
)
def test_a_wrong_name_is_said_to_be_one(arguments: list[str], says: str) -> None:
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 2
    assert says in shown.stderr


def test_the_list_says_what_is_wrong_with_the_users_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert CliRunner().invoke(app, ["models", "list"]).stderr == ""
    for wrong in (str(tmp_path / "absent.gguf"), "nomodel"):
        monkeypatch.setenv("REACT_AGENT_MODEL", wrong)
        shown = CliRunner().invoke(app, ["models", "list"])
        assert (shown.exit_code, len(shown.stdout.splitlines())) == (0, len(catalogue()))
        assert shown.stderr.startswith("REACT_AGENT_MODEL: there is no ")
