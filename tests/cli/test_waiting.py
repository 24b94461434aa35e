"""The line that counts while a model is silent: on a terminal, and gone when something comes."""

from __future__ import annotations

import io
import threading
from pathlib import Path

from react_agent.cli.waiting import Waiting
from tests.support.server import ScriptedServer, Sse, delta

from .terminal import in_terminal

TEXT = ("--mode", "text")


class Screen(io.StringIO):
    """Tells when something has been written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        finally:
            self.written.set()


def shown(written: str) -> str:
    """What stays in the line when every return has been followed."""
    line = ""
    for part in written.split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


def test_it_counts_in_its_place_and_leaves_nothing() -> None:
    screen = Screen()
    waiting = Waiting(screen, every=0.001)
    waiting.start("读取提示")
    assert screen.written.wait(30)
    waiting.words = "书写"
    screen.written.clear()
    assert screen.written.wait(30)
    waiting.stop()
    written = screen.getvalue()
    assert written.startswith("读取提示 … 0 s\r")
    assert shown(written) == ""
    waiting.stop()
    assert screen.getvalue() == written


def test_nothing_is_written_when_it_is_quick() -> None:
    screen = Screen()
    waiting = Waiting(screen, every=1_000)
    waiting.start("Reading")
    waiting.stop()
    assert screen.getvalue() == ""


def test_a_screen_that_fails_does_not_end_the_run() -> None:
    class Broken(Screen):
        def write(self, text: str) -> int:
            self.written.set()
            raise OSError("gone")

    screen = Broken()
    waiting = Waiting(screen, every=0.001)
    waiting.start("Reading")
    assert screen.written.wait(30)
    waiting.stop()


def test_a_run_on_a_terminal_says_what_it_waits_for(tmp_path: Path) -> None:
    read, wrote = threading.Event(), threading.Event()
    reply = Sse(read, delta('行动：{"type": '), wrote, delta('"final_answer", "content": "好。"}'), delta(finish="stop"))
    with (
        ScriptedServer([reply]) as server,
        in_terminal(tmp_path, "run", *TEXT, "--base-url", server.base_url, "北京热吗？", NO_COLOR="1") as terminal,
    ):
        terminal.wait_for("读取提示 … 1 s")
        read.set()
        terminal.wait_for("书写回复 … ")
        wrote.set()
        assert terminal.end() == 0
    assert "回答  好。" in terminal.screen
    assert not [line for line in map(shown, terminal.screen.split("\n")) if "读取" in line or "书写" in line]
