"""A dangerous tool on the command line: the terminal is asked, and without one the answer is no."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.server import ScriptedServer

from .command import react_agent
from .terminal import in_terminal

TOOLS = '''
from pathlib import Path
from react_agent import tool

@tool(dangerous=True)
def wipe(path: str) -> str:
    """Wipes a path when the user asks for it."""
    Path("done.txt").write_text(path)
    return "wiped"
'''
CALL = 'Action: {"type": "tool_call", "name": "wipe", "args": {"path": "/data"}}'
ANSWER = 'Action: {"type": "final_answer", "content": "That is all."}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(TOOLS)
    return tmp_path


def arguments(server: ScriptedServer, *more: str) -> tuple[str, ...]:
    at = ("--base-url", server.base_url, "-m", "scripted", "--mode", "text", "--lang", "en", "--tools", "mine.py:wipe")
    return ("run", *at, *more, "Wipe /data")


@pytest.mark.parametrize(("keys", "done"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_the_terminal_is_asked(folder: Path, keys: str, done: bool) -> None:
    with ScriptedServer([CALL, ANSWER]) as server, in_terminal(folder, *arguments(server)) as terminal:
        terminal.wait_for('wipe(path="/data"): [y/N]')
        terminal.press(keys)
        assert terminal.end() == 0
    assert (folder / "done.txt").exists() is done


@pytest.mark.parametrize(
    ("more", "done"),
    [
        ((), False),
        (("--allow", "wipe"), True),
        (("--allow", "*", "--deny", "wipe"), False),
        (("--allow", "*", "--dry-run"), False),
    ],
)
def test_without_a_terminal_lists_decide(folder: Path, more: tuple[str, ...], done: bool) -> None:
    with ScriptedServer([CALL, ANSWER]) as server:
        assert react_agent(folder, *arguments(server, *more)).returncode == 0
    assert (folder / "done.txt").exists() is done
