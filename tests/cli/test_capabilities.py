"""What was learnt is shown, as text and as JSON, and forgotten."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import in_process, react_agent
from tests.support.server import Fail, ScriptedServer

HERE = "http://127.0.0.1:1/v1"


def learnt(folder: Path) -> str:
    """A run against a server that takes neither tools nor stop words; its address."""

    def strict(body: dict) -> object:
        if "tools" in body:
            return Fail(400, "m does not support tools")
        return Fail(400, "Unknown parameter: 'stop'.") if "stop" in body else "Final Answer: 4"

    with ScriptedServer(strict) as server:
        done = react_agent(folder, "run", "--base-url", server.base_url, "-m", "m", "What is 2 + 2?")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 3
        react_agent(folder, "run", "--base-url", server.base_url, "-m", "m", "What is 2 + 2?")
        assert len(server.requests) == 4  # the next program knows
    return server.base_url


def test_nothing_is_known_at_first(tmp_path: Path) -> None:
    assert in_process(tmp_path, "capabilities").stdout == "Nothing is known yet.\n"
    assert json.loads(in_process(tmp_path, "capabilities", "--json").stdout) == []


def test_what_a_run_has_learnt_is_shown_and_cleared(tmp_path: Path) -> None:
    url = learnt(tmp_path)
    shown = in_process(tmp_path, "capabilities").stdout
    assert shown.startswith(f"{url}  m  (")
    assert "\n    tools refused" in shown
    assert "stop no" in shown
    (row,) = json.loads(in_process(tmp_path, "capabilities", "--json").stdout)
    assert (row["base_url"], row["model"], row["facts"]["tools"], row["facts"]["stop"]) == (url, "m", "refused", False)
    assert in_process(tmp_path, "capabilities", "clear", "--base-url", HERE).stdout == f"Nothing was known of {HERE}.\n"
    assert "stop no" in in_process(tmp_path, "capabilities").stdout
    assert in_process(tmp_path, "capabilities", "clear", "--base-url", url).stdout == f"Forgot {url}  m\n"
    assert in_process(tmp_path, "capabilities").stdout == "Nothing is known yet.\n"
    url = learnt(tmp_path)
    assert in_process(tmp_path, "capabilities", "clear").stdout == f"Forgot {url}  m\n"
    assert in_process(tmp_path, "capabilities").stdout == "Nothing is known yet.\n"
    assert in_process(tmp_path, "capabilities", "clear").stdout == "Nothing was known.\n"
