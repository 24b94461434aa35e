"""In a terminal: colour, and Ctrl-C that ends a run cleanly."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from pathlib import Path

from react_agent.events import Event, RunFinished
from react_agent.messages import Outcome
from tests.support.server import Reply, ScriptedServer, Sse, delta

from .command import COMMAND, environment
from .terminal import in_terminal

TEXT = ("--mode", "text")


def stuck(*words: str) -> Sse:
    """A reply that begins and does not go on."""
    return Sse(*map(delta, words or ["Let ", "me ", "see ", "what "]), threading.Event())


def test_ctrl_c_ends_the_run_as_cancelled_and_hangs_up(tmp_path: Path) -> None:
    with ScriptedServer([stuck("思考：", "我想", "先看看")]) as server:
        with in_terminal(tmp_path, "run", *TEXT, "--base-url", server.base_url, "在吗？") as terminal:
            terminal.wait_for("我想")
            terminal.press("\x03")
            assert terminal.end() == 130
        assert server.requests[0].closed_early.wait(10)
    assert "已取消" in terminal.screen
    assert "Traceback" not in terminal.screen
    assert "\x1b[" in terminal.screen


def test_no_color_is_honoured_on_a_terminal(tmp_path: Path) -> None:
    with (
        ScriptedServer([Reply("Fine.")]) as server,
        in_terminal(tmp_path, "run", *TEXT, "--base-url", server.base_url, "Well?", NO_COLOR="1") as terminal,
    ):
        assert terminal.end() == 0
    assert "Reply        Fine." in terminal.screen
    assert "\x1b" not in terminal.screen


def test_an_interrupt_leaves_whole_json_lines(tmp_path: Path) -> None:
    with ScriptedServer([stuck()]) as server:
        command = [COMMAND, "run", "--json", *TEXT, "--base-url", server.base_url, "Well?"]
        with subprocess.Popen(command, env=environment(tmp_path), stdout=subprocess.PIPE, encoding="utf-8") as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(3)]  # RunStarted, StepStarted, TextDelta
            process.send_signal(signal.SIGINT)
            lines += process.stdout.readlines()
    events = [Event.from_dict(json.loads(line)) for line in lines]
    assert process.returncode == 130
    assert isinstance(events[-1], RunFinished)
    assert events[-1].result.outcome is Outcome.CANCELLED


def test_in_a_chat_ctrl_c_ends_the_run_and_not_the_chat(tmp_path: Path) -> None:
    with (
        ScriptedServer([stuck(), Reply("Still here.")]) as server,
        in_terminal(tmp_path, "chat", *TEXT, "--base-url", server.base_url) as terminal,
    ):
        terminal.wait_for("> ")
        terminal.press("Well?\r")
        terminal.wait_for("see")
        terminal.press("\x03")
        terminal.wait_for("cancelled")
        terminal.wait_for("> ")
        terminal.press("And now?\r")
        terminal.wait_for("Still here.")
        terminal.wait_for("> ")
        terminal.press("\x04")
        assert terminal.end() == 0
