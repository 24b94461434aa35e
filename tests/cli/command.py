"""The real command, as a user's shell starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("react-agent"))
PRIVATE = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "REACT_AGENT_MODEL", "NO_COLOR", "FORCE_COLOR", "XDG_CACHE_HOME")


def environment(folder: Path, **more: str) -> dict[str, str]:
    """This process's environment without what would choose a model or colours, and with an empty cache."""
    ours = {name: value for name, value in os.environ.items() if name not in PRIVATE}
    return {**ours, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONIOENCODING": "utf-8", "TERM": "xterm", **more}


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
        timeout=50,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done
