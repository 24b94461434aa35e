"""Standard streams that are closed, full or in a poor encoding cost a sentence, and never the answer or a traceback."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from react_agent.cli.run import read_argument
from react_agent.errors import UsageError
from react_agent.events import Event
from tests.support.server import Reply, ScriptedServer

from .command import COMMAND, environment, in_process

FULL = Path("/dev/full")
TEXT = ("--mode", "text")
POOR = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="wants a device that is always full")


def redirected(folder: Path, where: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The command, its streams as the shell's redirections `where` say."""
    script = f'exec "$0" "$@" {where}'
    return subprocess.run(
        ["sh", "-c", script, COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, **env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize("arguments", [["run", *TEXT, "Well?"], ["run", *TEXT, "--json", "Well?"], ["models", "list"], ["-h"]])
def test_a_full_disk_behind_stdout(tmp_path: Path, arguments: list[str]) -> None:
    with ScriptedServer(lambda _: Reply("Fine.")) as server:
        done = redirected(tmp_path, "> /dev/full", *arguments, OPENAI_BASE_URL=server.base_url)
    assert (done.returncode, done.stderr) == (2, "the output cannot be written: No space left on device\n")


def test_a_reader_that_went_away_is_no_mistake(tmp_path: Path) -> None:
    done = redirected(tmp_path, "| true", "models", "list")
    assert done.stderr == ""


def test_stdout_that_is_closed(tmp_path: Path) -> None:
    done = redirected(tmp_path, ">&-", "run", "--base-url", "http://127.0.0.1:1/v1", "Well?")
    assert done.returncode == 2
    assert done.stderr.startswith("stdout is closed")
    assert done.stderr.count("\n") == 1


def test_stdin_that_is_closed_is_empty(tmp_path: Path) -> None:
    done = redirected(tmp_path, "<&-", "run", "--base-url", "http://127.0.0.1:1/v1", "-")
    assert (done.returncode, done.stderr) == (2, "the task is empty: say what is to be done\n")


def test_stderr_that_is_closed_is_not_missed(tmp_path: Path) -> None:
    assert redirected(tmp_path, "2>&-", "run", "--model", "m", "Well?").returncode == 2


def test_a_trace_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    with ScriptedServer([Reply("Fine.")]) as server:
        done = in_process(tmp_path, "run", *TEXT, "--base-url", server.base_url, "--trace", str(FULL), "Well?")
    assert (done.returncode, "Fine." in done.stdout) == (0, True)
    assert done.stderr == "the trace /dev/full is not complete: No space left on device\n"


def test_a_locale_without_the_characters_of_the_task(tmp_path: Path) -> None:
    with ScriptedServer([Reply("上海凉快。")]) as server:
        done = redirected(tmp_path, "", "run", "--json", *TEXT, "--base-url", server.base_url, "北京今天多热？", **POOR)
        sent = server.requests[0].body["messages"][-1]["content"]
    assert "北京今天多热？" in sent
    assert Event.from_dict(json.loads(done.stdout.splitlines()[-1])).result.answer == "上海凉快。"


def test_an_argument_that_is_no_text_is_refused() -> None:
    assert read_argument("北京 😀") == "北京 😀"
    with pytest.raises(UsageError, match="UTF-8"):
        read_argument("caf\udce9")
