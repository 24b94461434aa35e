"""`react-agent run` against a real server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from react_agent import Agent, ReplayModel
from react_agent.cli.toolset import gather_tools
from react_agent.events import AskModel, Event, RunFinished, RunStarted
from react_agent.messages import Outcome
from tests.support.server import Fail, Reply, ScriptedServer
from tests.support.tiny_gguf import write_tiny_model

from .command import in_process, react_agent


def say(thought: str, **action: object) -> str:
    return f"思考：{thought}\n行动：{json.dumps(action, ensure_ascii=False)}"


def weather(city: str) -> str:
    return say(f"查{city}。", type="tool_call", name="get_weather", args={"city": city})


def answer(text: str) -> str:
    return say("知道了。", type="final_answer", content=text)


HOTTER = [weather("北京"), weather("上海"), answer("北京更热，温差 3 度。")]
TEXT = ("--mode", "text")


def test_a_run_is_shown_from_thought_to_answer(tmp_path: Path) -> None:
    with ScriptedServer(HOTTER) as server:
        shown = react_agent(tmp_path, "run", *TEXT, "--base-url", server.base_url, "北京和上海哪个更热？")
    assert shown.returncode == 0
    assert shown.stderr == ""
    lines = shown.stdout.splitlines()
    assert [line.split()[0] for line in lines if line.strip()][:-1] == ["思考", "行动", "观察"] * 2 + ["思考", "回答"]
    assert '行动  get_weather(city="北京")' in lines
    assert "回答  北京更热，温差 3 度。" in lines
    assert lines[-1].startswith("完成 · 步数 3 · 词元 30")


def test_json_is_one_event_per_line_and_nothing_else(tmp_path: Path) -> None:
    with ScriptedServer(HOTTER) as server:
        shown = react_agent(tmp_path, "run", "--json", *TEXT, "--base-url", server.base_url, "北京和上海哪个更热？")
    events = [Event.from_dict(json.loads(line)) for line in shown.stdout.splitlines()]
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunFinished)
    assert events[-1].result.answer == "北京更热，温差 3 度。"
    assert not [event for event in events if isinstance(event, AskModel)]


def test_a_trace_has_the_requests_too(tmp_path: Path) -> None:
    with ScriptedServer([answer("是。")]) as server:
        in_process(tmp_path, "run", *TEXT, "--base-url", server.base_url, "--trace", "run.jsonl", "在吗？")
        sent = server.requests[0].body["messages"]
    lines = (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [event for event in map(json.loads, lines) if event["event"] == "AskModel"]
    assert asked[0]["request"]["messages"] == sent
    assert json.loads(lines[-1])["event"] == "RunFinished"


def test_the_environment_names_the_server_and_stdin_the_task(tmp_path: Path) -> None:
    with ScriptedServer([Reply("Two.")], models=["m1", "m2"]) as server:
        env = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-secret"}
        shown = in_process(tmp_path, "run", "--lang", "zh", "-", stdin="What is 1 + 1?\n", env=env)
    assert (shown.returncode, "Two." in shown.stdout) == (0, True)
    request = server.requests[0]
    assert request.headers["authorization"] == "Bearer sk-secret"
    assert request.body["model"] == "m1"
    assert "What is 1 + 1?" in request.body["messages"][-1]["content"]
    assert "sk-secret" not in shown.stdout + shown.stderr


def test_options_win_over_the_environment(tmp_path: Path) -> None:
    with ScriptedServer([Reply("Yes.")]) as server:
        env = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "old"}
        arguments = ("--base-url", server.base_url, "--api-key", "new", "--model", "mine")
        assert in_process(tmp_path, "run", *arguments, "Well?", env=env).returncode == 0
    assert server.requests[0].headers["authorization"] == "Bearer new"
    assert server.requests[0].body["model"] == "mine"


TOOLS = '''
from react_agent import tool

@tool
def double(number: int) -> int:
    """Doubles a number."""
    return 2 * number

TOOLS = [double]
'''


def test_tools_come_from_a_module_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "mytools.py").write_text(TOOLS, encoding="utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "n.txt").write_text("hello", encoding="utf-8")
    with ScriptedServer([Reply(calls=[("double", {"number": 21})]), Reply("42")]) as server:
        shown = in_process(
            tmp_path, "run", "--base-url", server.base_url, "--tools", "mytools:TOOLS", "--files", "notes", "Double 21."
        )
    assert (shown.returncode, "Observation  42" in shown.stdout) == (0, True)
    offered = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert offered == ["double", "list_files", "read_file"]


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Fail(401, "bad key"), "key"),
        (Fail(404, "no such model"), "model"),
    ],
    ids=["a wrong key", "an unknown model"],
)
def test_what_the_server_refuses_is_one_sentence_that_says_what_to_do(tmp_path: Path, reply: Any, says: str) -> None:
    with ScriptedServer([reply]) as server:
        shown = in_process(tmp_path, "run", "--base-url", server.base_url, "--model", "m", "Well?")
    assert shown.returncode == 1
    assert says in shown.stdout
    assert "not completed" in shown.stdout


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    shown = in_process(tmp_path, "run", "--json", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "Well?")
    assert shown.returncode == 1
    result = Event.from_dict(json.loads(shown.stdout.splitlines()[-1])).result
    assert (result.outcome, "127.0.0.1:1" in result.error) == (Outcome.SERVER_ERROR, True)


def test_without_a_server_the_users_own_model_is_used(tmp_path: Path) -> None:
    tiny = write_tiny_model(tmp_path / "tiny.gguf")
    shown = in_process(tmp_path, "run", "--json", *TEXT, "Well?", env={"REACT_AGENT_MODEL": str(tiny)})
    result = Event.from_dict(json.loads(shown.stdout.splitlines()[-1])).result
    assert (shown.returncode, result.outcome) == (1, Outcome.CONTEXT_OVERFLOW)


def test_a_model_on_this_machine_needs_no_server(tmp_path: Path) -> None:
    write_tiny_model(tmp_path / "tiny.gguf")
    shown = react_agent(tmp_path, "run", "--local", "tiny.gguf", "--max-steps", "1", "--json", *TEXT, "Well?")
    assert shown.returncode == 1  # random weights solve nothing
    result = Event.from_dict(json.loads(shown.stdout.splitlines()[-1])).result
    assert result.outcome is Outcome.CONTEXT_OVERFLOW  # it has room for 512 tokens


def test_a_recorded_run_can_be_played_again_and_holds_no_key(tmp_path: Path) -> None:
    key, task = "sk-very-secret-key", "北京和上海哪个更热？"
    with ScriptedServer(HOTTER) as server:
        target = ("--base-url", server.base_url, "--api-key", key, "--record", "run.jsonl", "--json")
        shown = in_process(tmp_path, "run", *TEXT, *target, task)
    events = [Event.from_dict(json.loads(line)) for line in shown.stdout.splitlines()]
    played = Agent(ReplayModel(tmp_path / "run.jsonl"), gather_tools((), None, write=False)).run(task)
    assert isinstance(events[-1], RunFinished)
    assert (played.answer, played.messages[-1]) == (events[-1].result.answer, events[-1].result.messages[-1])
    assert key not in (tmp_path / "run.jsonl").read_text()


@pytest.mark.parametrize(("option", "switch"), [("--thinking", True), ("--no-thinking", False)])
def test_thinking_is_switched(tmp_path: Path, option: str, switch: bool) -> None:
    with ScriptedServer(["Hello.", "Hello."]) as server:
        for options in ((option,), ()):
            assert in_process(tmp_path, "run", *options, "--base-url", server.base_url, "hello").returncode == 0
    switched, left = (request.body for request in server.requests)
    assert switched["chat_template_kwargs"]["enable_thinking"] is switch
    assert "chat_template_kwargs" not in left


def test_a_recording_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    shown = in_process(tmp_path, "run", "--base-url", "http://127.0.0.1:9/v1", "--record", "none/run.jsonl", "hello")
    assert shown.returncode == 2
    assert "cannot write the recording none/run.jsonl" in shown.stderr
