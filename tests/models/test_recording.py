"""A recorded run is played again: the same events, no server, no secret in the file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from react_agent import Agent, OpenAIModel, ReplayModel
from react_agent.errors import UsageError
from react_agent.events import Event, ModelFailure, ReplyRestarted, RetryWaiting, ToolFinished
from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.recording import Recorder
from tests.models.asking import REQUEST, Ask, text_of
from tests.support.server import RESET, Fail, Item, Raw, Reply, ScriptedServer, Sse, delta

SOON = {"retry-after-ms": 1}
KEY = "sk-very-secret-key"
OTHER = "sk-proj-0123456789abcdefghij"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def action(a: int) -> str:
    return f'Thought: I add.\nAction: {{"type": "tool_call", "name": "add", "args": {{"a": {a}, "b": 40}}}}'


def events_of(agent: Agent) -> list[Event]:
    return list(agent.stream("What is 2 plus 40?"))


def events_in_loop(agent: Agent) -> list[Event]:
    async def collect() -> list[Event]:
        return [event async for event in agent.astream("What is 2 plus 40?")]

    return asyncio.run(collect())


def plain(events: Sequence[Event]) -> list[Json]:
    """Events as JSON, less how long a tool took and how much time was left."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: timeless(item) for name, item in value.items() if name != "seconds"}
        return [timeless(item) for item in value] if isinstance(value, list) else value

    found: list[Json] = timeless([event.to_dict() for event in events])
    return found


def no_tools(body: Json) -> bool:
    return "tools" not in body


RUNS: dict[str, list[Item]] = {
    "native": [Reply("I add.", calls=[("add", {"a": 2, "b": 40})], reasoning="嗯"), "42"],
    "a leak": ['```json\n{"name": "add", "arguments": {"a": 2, "b": 40}}\n```', "Final Answer: 42"],
    "tools refused": [Fail(400, "does not support tools"), action(2), "Final Answer: 42"],
    "stop refused": [
        Fail(400, "does not support tools"),
        Fail(400, "Unknown parameter: 'stop'."),
        action(2),
        "Final Answer: 42",
    ],
    "busy": [Fail(503, "warming up", SOON), Fail(429, "slow down", SOON), "42"],
    "broken": [Sse(delta("4"), RESET), "42"],
    "broken, another answer": [Sse(delta("No"), RESET), "42"],
    "cut characters": [
        Sse(*(bytes([byte]) for byte in 'data: {"choices":[{"delta":{"content":"中"}}]}\n\ndata: [DONE]\n\n'.encode()))
    ],
    "no JSON": [Raw(b"<html>\xff</html>", "text/html")],
    "stopped early": [action(2) + "\nObservation: 999\n" + "x" * 4000, "Final Answer: 42"],
    "failed": [Fail(401, f"bad key {KEY}")],
    "another key is echoed": [Fail(401, f"bad key {OTHER}.")],
    "another key, and tools refused": [Fail(400, f"token: {OTHER} does not support tools"), action(2), "Final Answer: 42"],
    "words that look like a secret": [Fail(400, "Unknown field, token: 'stop' does not support tools"), "Final Answer: 42"],
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("way", [events_of, events_in_loop], ids=["blocking", "asynchronous"])
def test_a_replayed_run_gives_the_same_events(tmp_path: Path, name: str, way: Callable[[Agent], list[Event]]) -> None:
    path = tmp_path / "run.jsonl"
    with ScriptedServer(RUNS[name]) as server:
        options: dict[str, Any] = {"base_url": server.base_url, "api_key": KEY, "capabilities": Capabilities()}
        recorded = way(Agent(OpenAIModel("m", record=Recorder(path), **options), [add], mode="auto"))
        assert len(server.requests) == len(RUNS[name])
    for play in (events_of, events_in_loop):
        replayed = play(Agent(ReplayModel(path), [add]))
        assert plain(replayed) == plain(recorded)
        waits = [event.seconds for events in (recorded, replayed) for event in events if isinstance(event, RetryWaiting)]
        assert waits[: len(waits) // 2] == waits[len(waits) // 2 :]
    assert KEY not in path.read_text()
    assert OTHER not in path.read_text()


def test_the_events_are_worth_comparing(tmp_path: Path) -> None:
    with ScriptedServer(RUNS["broken, another answer"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), record=Recorder(tmp_path / "r"))
        events_of(Agent(model, [add]))
    kinds = {type(event) for event in events_of(Agent(ReplayModel(tmp_path / "r"), [add]))}
    assert {RetryWaiting, ReplyRestarted} <= kinds
    assert ToolFinished not in kinds


def test_runs_one_after_the_other_with_what_was_learnt_between(tmp_path: Path) -> None:
    script = [Fail(400, "does not support tools"), action(2), "Final Answer: 42", action(2), "Final Answer: 42"]
    with ScriptedServer(script) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), record=Recorder(tmp_path / "r"))
        recorded = [events_of(Agent(model, [add])) for _ in range(2)]
    replay = ReplayModel(tmp_path / "r")
    assert replay.name == "m"
    assert [plain(events_of(Agent(replay, [add]))) for _ in range(2)] == [plain(events) for events in recorded]


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_no_secret_is_written_wherever_it_turns_up(ask: Ask, tmp_path: Path) -> None:
    team = "team-token-1234"
    line = f'data: {{"choices":[{{"delta":{{"content":"your key is {KEY}, {team}"}}}}]}}\n\ndata: [DONE]\n\n'.encode()
    script = [Sse(*(line[at : at + 7] for at in range(0, len(line), 7))), Fail(401, f"bad key {KEY}"), Raw(KEY.encode())]
    with ScriptedServer(script) as server:
        url = server.base_url.replace("http://", "http://me:pass-word@")
        model = OpenAIModel(
            "m",
            base_url=url,
            api_key=KEY,
            headers={"X-Team": team},
            capabilities=Capabilities(),
            record=Recorder(tmp_path / "r"),
        )
        for _ in script:
            ask(model)
    written = (tmp_path / "r").read_text()
    assert len(written.splitlines()) == 3
    assert not [secret for secret in (KEY, team, "pass-word", "Bearer", "authorization") if secret.lower() in written.lower()]
    assert text_of(ask(ReplayModel(tmp_path / "r"))) == f"your key is {'*' * len(KEY)}, {'*' * len(team)}"


# --- another run, no recording ---------------------------------------------------------------------------------------


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    with ScriptedServer(["one"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), record=Recorder(tmp_path / "r"))
        assert text_of(list(model.stream(REQUEST))) == "one"
    return tmp_path / "r"


def test_a_request_that_was_not_recorded_is_an_error_that_says_where_it_differs(ask: Ask, recording: Path) -> None:
    other = type(REQUEST)(({"role": "user", "content": "bye"},))
    with pytest.raises(UsageError, match=r"differs from messages\[0\] on"):
        ask(ReplayModel(recording), other)
    with pytest.raises(UsageError, match="differs in max_tokens"):
        ask(ReplayModel(recording), type(REQUEST)(REQUEST.messages, max_tokens=5))
    model = ReplayModel(recording)
    ask(model)
    with pytest.raises(UsageError, match="all its requests have been used"):
        ask(model)
    assert (model.name, model.mode) == ("m", "auto")


def test_the_time_that_is_left_does_not_matter(ask: Ask, recording: Path) -> None:
    assert text_of(ask(ReplayModel(recording), type(REQUEST)(REQUEST.messages, seconds=5.0))) == "one"


def test_a_completion_that_was_broken_off_ends_where_it_ended(ask: Ask, tmp_path: Path) -> None:
    with ScriptedServer([Sse(delta("a"), delta("b"), delta("c"), "[DONE]")]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), record=Recorder(tmp_path / "r"))
        stream = model.stream(REQUEST)
        first = next(stream)
        stream.close()  # type: ignore[attr-defined]
    entry = json.loads((tmp_path / "r").read_text())
    entry["steps"] = [step for step in entry["steps"] if step[0]["ask"] == "Open"]
    (tmp_path / "r").write_text(json.dumps(entry))
    assert first
    (failure,) = ask(ReplayModel(tmp_path / "r"))
    assert isinstance(failure, ModelFailure)
    assert "broken off" in failure.message


@pytest.mark.parametrize("text", ["{}", "[1]", "{", '{"request": {}}', "\xff"])
def test_what_is_no_recording_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r").write_text(text, encoding="latin-1")
    with pytest.raises(UsageError, match="is no recording"):
        ReplayModel(tmp_path / "r")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        ReplayModel(tmp_path / "none")
    with pytest.raises(UsageError, match="cannot write"):
        Recorder(tmp_path / "none" / "r")
    Recorder(tmp_path / "empty")
    with pytest.raises(UsageError, match="is empty"):
        ReplayModel(tmp_path / "empty")
