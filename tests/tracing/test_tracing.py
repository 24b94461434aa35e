"""A trace written by real runs, read back, told and added up."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent import Agent, OpenAIModel, ScriptedModel, UsageError, tool
from react_agent.cli.story import story
from react_agent.events import ModelFailure
from react_agent.models.capability import Capabilities
from react_agent.tracing import Run, RunTrace, read, stats
from react_agent.tracing.writing import MAX_TEXT, bounded
from tests.engine.playing import action, answer
from tests.support.server import ScriptedServer


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    if city == "Atlantis":
        raise ValueError("no such city")
    return "sunny, password: hunter2pw"


REPLIES = [action("weather", city="Atlantis"), "Thought: hm", action("weather", city="Oslo"), answer("Sunny.")]


def told(path: Path, **how: bool) -> str:
    shown = {"prompts": False, "full": False, **how}
    return "\n".join(line for run in read(path) for line, _ in story(run, **shown))


def test_each_run_has_a_file_of_its_own(tmp_path: Path) -> None:
    agent = Agent(ScriptedModel(REPLIES * 2), [weather], trace=tmp_path / "traces")
    agent.run("How is Oslo?")
    asyncio.run(agent.arun("How is Oslo?"))
    files = sorted((tmp_path / "traces").iterdir())
    assert [len(read(file)) for file in files] == [1, 1]
    figures = [stats(read(file)) for file in files]
    assert [(one.model_calls, one.tool_calls, one.tool_failure_rate, one.rounds) for one in figures] == [(4, 2, 0.5, 4)] * 2


def test_one_file_may_take_all_runs(tmp_path: Path) -> None:
    agent = Agent(ScriptedModel([*REPLIES, ModelFailure("server", "down", 500)]), [weather], trace=tmp_path / "all.jsonl")
    agent.run("How is Oslo?")
    agent.run("How is Oslo?")
    figures = stats(read(tmp_path / "all.jsonl"))
    assert (figures.runs, figures.outcomes, figures.failure_rate) == (2, {"completed": 1, "server_error": 1}, 0.5)


def test_a_trace_tells_the_whole_story(tmp_path: Path) -> None:
    model = ScriptedModel(REPLIES)
    Agent(model, [weather], trace=tmp_path / "run.jsonl").run("How is Oslo?")
    shown = told(tmp_path / "run.jsonl")
    for said in (
        "Task:  How is Oslo?", "Tools: weather", "Step 4", 'Read as a call: weather(city="Oslo")', "Tool weather: error",
        "no such city", "Told the model what was wrong", "Ended: completed after 4 steps", "Answer: Sunny.",
    ):  # fmt: skip
        assert said in shown
    assert "The weather of a city." not in shown
    assert "The weather of a city." in told(tmp_path / "run.jsonl", prompts=True, full=True)
    requests = [line["request"]["messages"] for line in read(tmp_path / "run.jsonl")[0].lines if line["event"] == "AskModel"]
    assert [len(messages) for messages in requests] == [len(request.messages) for request in model.requests]


def test_no_secret_reaches_a_trace(tmp_path: Path) -> None:
    with ScriptedServer([action("weather", city="Oslo"), answer("It is k3y-of-the-s3rver.")]) as server:
        model = OpenAIModel(
            "m", base_url=server.base_url, api_key="k3y-of-the-s3rver", mode="text", capabilities=Capabilities()
        )
        result = Agent(model, [weather], trace=tmp_path / "run.jsonl").run("How is Oslo?")
    written = (tmp_path / "run.jsonl").read_text(encoding="utf-8")
    assert result.answer == "It is k3y-of-the-s3rver."
    assert "sunny" in written
    assert "k3y-of-the-s3rver" not in written
    assert "hunter2pw" not in written


def test_a_trace_is_no_larger_than_what_is_new(tmp_path: Path) -> None:
    sizes = []
    for steps in (10, 20):
        calls = [action("weather", city=f"City {number}") for number in range(steps)]
        path = tmp_path / f"{steps}.jsonl"
        Agent(ScriptedModel([*calls, answer("Sunny.")]), [weather], max_steps=50, trace=path).run("How is it?")
        sizes.append(path.stat().st_size)
    assert sizes[1] < 2.2 * sizes[0]


def test_a_run_that_is_killed_leaves_what_had_happened(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    events = Agent(ScriptedModel(REPLIES), [weather], trace=path).stream("How is Oslo?")
    for _ in range(8):
        next(events)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"t": 1, "event": "Tool')
    assert "broken off" in told(path)
    assert stats(read(path)).outcomes == {"broken_off": 1}


def test_the_tokens_of_a_run_that_was_broken_off_are_those_of_its_replies(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    Agent(ScriptedModel(REPLIES), [weather], trace=path).run("How is Oslo?")
    whole = stats(read(path))
    *lines, end = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert '"RunFinished"' in end
    path.write_text("".join(lines), encoding="utf-8")
    broken = stats(read(path))
    assert broken.outcomes == {"broken_off": 1}
    assert (broken.prompt_tokens, broken.completion_tokens) == (whole.prompt_tokens, whole.completion_tokens)
    assert broken.prompt_tokens > 0
    assert broken.completion_tokens > 0


def test_a_trace_that_cannot_be_written_costs_no_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "run.jsonl").mkdir()
    agent = Agent(ScriptedModel([answer("Fine.")]), trace=tmp_path / "run.jsonl")
    assert agent.run("Well?").ok
    assert "the trace is not complete" in caplog.text
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot make the folder"):
        Agent(ScriptedModel([]), trace=tmp_path / "file" / "traces")


def test_the_log_tells_a_run_by_its_id(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "react_agent"):
        Agent(ScriptedModel(REPLIES), [weather]).run("How is Oslo?")
    assert [record.levelname for record in caplog.records][:1] == ["INFO"]
    assert len({getattr(record, "run", None) for record in caplog.records}) == 1
    assert "completed after 4 steps" in caplog.text
    assert "hunter2pw" not in caplog.text


def test_nothing_is_printed_where_the_program_sets_up_no_log() -> None:
    code = """
from react_agent import Agent, ScriptedModel
print(Agent(ScriptedModel([""] * 4), [{"name": "now", "run": lambda: "noon"}]).run("What time is it?").outcome)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() != "completed"
    assert done.stderr == ""


def test_texts_are_bounded() -> None:
    long = bounded({"a": ["x" * MAX_TEXT, "y" * 10 * MAX_TEXT]})["a"]
    assert len(long[0]) == MAX_TEXT
    assert len(long[1]) < MAX_TEXT + 100


@pytest.mark.parametrize("text", ["", "{}", "[1]", "no trace", '{"event": 5}'])
def test_what_is_no_trace_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(UsageError, match="no trace"):
        read(tmp_path / "x")
    with pytest.raises(UsageError, match="cannot read"):
        read(tmp_path / "absent")


KINDS = ["TraceStarted", "AskModel", "ReplyFinished", "ToolFinished", "RunFinished", "GuardTripped", "Corrected", "Other"]
KEYS = st.sampled_from([
    "request", "messages", "parsed", "calls", "fixes", "rejected", "result", "usage", "prompt_tokens", "t", "same", "content",
    "answer", "text", "status", "seconds", "arguments", "tool_calls", "guard",
])  # fmt: skip
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.dictionaries(KEYS, ANYTHING)), min_size=1, max_size=4))
def test_any_lines_are_told_and_added_up(parts: list[tuple[str, dict[str, Any]]]) -> None:
    run = Run("x", tuple({**fields, "event": kind} for kind, fields in parts))
    assert list(story(run, prompts=True, full=False))
    json.dumps(stats([run]).to_dict())


def test_the_file_of_a_run_has_a_bound(tmp_path: Path) -> None:
    from react_agent.events import ToolFinished
    from react_agent.messages import Result
    from react_agent.tracing.writing import MAX_FILE

    path = tmp_path / "run.jsonl"
    with path.open("w", encoding="utf-8") as file:
        trace = RunTrace(file)
        for _ in range(MAX_FILE // MAX_TEXT + 10):
            trace(ToolFinished(Result("c", "look", "x" * MAX_TEXT)))
    assert path.stat().st_size < MAX_FILE + MAX_TEXT
    assert read(path)[0].lines[-1]["event"] == "TraceFull"
