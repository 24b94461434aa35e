"""`react-agent smoke`: what an endpoint can do, and whether it solves a task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from react_agent.cli.findings import ANSWER, Finding
from react_agent.cli.findings import findings as look
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.support.server import Fail, Reply, ScriptedServer

from .command import in_process, react_agent

CALL = ("calculator", {"expression": "127 * 49"})


def capable(body: dict[str, Any]) -> Reply:
    """A model with working native calls."""
    if body["messages"][-1]["role"] == "tool":
        return Reply(f"It is {ANSWER}.")
    return Reply(calls=[CALL]) if "tools" in body else Reply("Hello there, nice to meet.")


def leaking(body: dict[str, Any]) -> Reply:
    """A model that writes its calls as text."""
    if any(ANSWER in str(message["content"]) for message in body["messages"][1:]):
        return Reply(f"It is {ANSWER}.")
    call = json.dumps({"name": CALL[0], "arguments": CALL[1]})
    return Reply(f"<tool_call>{call}</tool_call>")


def without_tools(body: dict[str, Any]) -> Reply | Fail:
    """A server that refuses tools, and a model that never calls one."""
    return Fail(400, "tools is not supported") if "tools" in body else Reply("Hello.", chunk=100)


def findings(script: Any) -> dict[str, Finding]:
    with ScriptedServer(script) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities())
        return {finding.name: finding for finding in look(model)}


def test_a_capable_endpoint_passes_everything(tmp_path: Path) -> None:
    with ScriptedServer(capable, models=["m1", "m2"]) as server:
        shown = react_agent(tmp_path, "smoke", "--base-url", server.base_url)
    assert shown.returncode == 0
    words = {line[:14].strip(): line[14:20].strip() for line in shown.stdout.splitlines()}
    assert words == {"reachable": "yes", "models": "note", "streaming": "yes", "native tools": "yes", "tool task": "yes"}
    assert "m1, m2" in shown.stdout


def test_a_leak_is_found_and_used() -> None:
    found = findings(leaking)
    assert found["native tools"].works is False
    assert "hermes" in found["leaked call"].detail
    assert found["tool task"].works is True


def test_a_server_that_refuses_tools_and_a_model_that_calls_none() -> None:
    found = findings(without_tools)
    assert found["streaming"].works is False
    assert found["native tools"].works is False
    assert found["tool task"].works is False
    assert "no tool was called" in found["tool task"].detail


def test_an_endpoint_that_is_not_there_is_one_finding(tmp_path: Path) -> None:
    shown = in_process(tmp_path, "smoke", "--json", "--base-url", "http://127.0.0.1:1/v1", "--model", "m")
    report = json.loads(shown.stdout)
    assert (shown.returncode, report["passed"], len(report["findings"])) == (1, False, 1)
    assert "127.0.0.1:1" in report["findings"][0]["detail"]
