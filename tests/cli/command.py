"""The real command: as a user's shell starts it, or called where the start is not what is tested."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from typer.testing import CliRunner

from react_agent.cli.app import app

COMMAND = str(Path(sys.executable).with_name("react-agent"))
PRIVATE = (
    "OPENAI_BASE_URL",
    "OPENAI_API_KEY",
    "REACT_AGENT_MODEL",
    "NO_COLOR",
    "FORCE_COLOR",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
)


def environment(folder: Path, **more: str) -> dict[str, str]:
    """This process's environment without what would choose a model or colours, and with an empty cache."""
    ours = {name: value for name, value in os.environ.items() if name not in PRIVATE}
    return {
        **ours,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm",
        **more,
    }


def react_agent(
    folder: Path, *arguments: str, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in `folder` to its end; a traceback is never right."""
    done = subprocess.run(
        [COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, **(env or {})),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=100,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def in_process(
    folder: Path, *arguments: str, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """As `react_agent`, without the start of a process, which takes longer than most of what is tested."""
    folders = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_STATE_HOME": str(folder / "state")}
    variables: dict[str, str | None] = {**dict.fromkeys(PRIVATE), **folders, **(env or {})}
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = CliRunner().invoke(app, arguments, input=stdin, env=variables)
    finally:
        os.chdir(before)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
