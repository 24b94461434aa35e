"""`react-agent probe`: what it shows, what it remembers, and what `run` makes of that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import in_process, react_agent
from tests.probing.test_probing import house, native
from tests.support.server import Fail, Reply, ScriptedServer


def leaky(body: dict) -> object:
    """Takes tools and writes its calls as text; begins a new message behind one of its own."""
    if body["messages"][-1]["role"] == "assistant":
        return "Tuesday"
    return Reply("I cannot say.") if "tools" in body else house(body)


def test_the_best_way_is_shown_remembered_and_used(tmp_path: Path) -> None:
    with ScriptedServer(leaky) as server:
        where = ("--base-url", server.base_url, "-m", "m")
        done = react_agent(tmp_path, "probe", *where, "--limit", "2")
        assert done.returncode == 0, done.stderr
        assert "Recommended: text " in done.stdout
        assert "(remembered)" in done.stdout
        assert "A last message of the assistant is not continued." in done.stdout
        assert "weather-zh" in done.stderr
        before = len(server.requests)
        shown = json.loads(react_agent(tmp_path, "capabilities", "--json").stdout)[0]["facts"]
        assert shown["mode"] == "text"
        assert react_agent(tmp_path, "run", *where, "北京今天气温多少度？").returncode == 0
        assert "tools" not in server.requests[before].body


def test_only_looking_remembers_nothing(tmp_path: Path) -> None:
    with ScriptedServer(lambda body: native(body) if "tools" in body else "Hm.") as server:
        done = in_process(tmp_path, "probe", "--base-url", server.base_url, "-m", "m", "--limit", "1", "--no-save", "--json")
        assert done.returncode == 0
        said = json.loads(done.stdout)
        assert said["recommended"] == {"mode": "native"}
        assert {row["trial"]["mode"] for row in said["rows"]} == {"native", "constrained", "text"}
        facts = json.loads(in_process(tmp_path, "capabilities", "--json").stdout)[0]["facts"]
        assert "mode" not in facts


@pytest.mark.parametrize("reply", ["I do not know.", Fail(500, "out of order")])
def test_where_nothing_is_solved_the_exit_code_says_so(tmp_path: Path, reply: object) -> None:
    with ScriptedServer(lambda _: reply) as server:  # type: ignore[arg-type, return-value]
        done = in_process(tmp_path, "probe", "--base-url", server.base_url, "-m", "m", "--limit", "1", "--max-seconds", "20")
    assert done.returncode == 1
    assert "No way has solved a task. Nothing is recommended" in done.stdout
