"""Whole runs against servers that refuse, leak, break off and fall silent.  Numbers are scenarios that users have reported."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from react_agent import Agent, OpenAIModel, Tool
from react_agent.events import AnswerDelta, Event, ModeChanged, ReplyRestarted, RetryWaiting, RunFinished, TextDelta
from react_agent.messages import Json, Outcome, RunResult
from react_agent.models.capability import Capabilities
from tests.support.server import RESET, Fail, Raw, Reply, ScriptedServer, Sse, delta

SOON = {"retry-after-ms": 1}


@dataclass
class Desk:
    """Tools that note what they did."""

    ran: list[Any] = field(default_factory=list)

    def add(self, a: int, b: int) -> int:
        """Add two numbers."""
        self.ran.append((a, b))
        return a + b


@dataclass
class Run:
    """What came of a run."""

    result: RunResult
    events: list[Event]
    ran: list[Any]

    @property
    def waits(self) -> list[RetryWaiting]:
        return [event for event in self.events if isinstance(event, RetryWaiting)]

    @property
    def shown(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, (TextDelta, AnswerDelta)))


Way = Callable[..., Run]


def blocking(agent: Agent, task: str, desk: Desk) -> Run:
    events = list(agent.stream(task))
    assert isinstance(events[-1], RunFinished)
    return Run(events[-1].result, events, desk.ran)


def in_loop(agent: Agent, task: str, desk: Desk) -> Run:
    async def collect() -> list[Event]:
        return [event async for event in agent.astream(task)]

    events = asyncio.run(collect())
    assert isinstance(events[-1], RunFinished)
    return Run(events[-1].result, events, desk.ran)


@pytest.fixture(params=[blocking, in_loop], ids=["blocking", "asynchronous"])
def way(request: pytest.FixtureRequest) -> Way:
    return request.param


def play(
    way: Way, server: ScriptedServer, *, notes: Capabilities | None = None, max_seconds: float | None = None, **model: Any
) -> Run:
    desk = Desk()
    notes = Capabilities() if notes is None else notes
    options = {"max_wait": 0.0, "capabilities": notes, **model}
    agent = Agent(OpenAIModel("m", base_url=server.base_url, **options), [desk.add], max_seconds=max_seconds)
    return way(agent, "What is 2 plus 40?", desk)


def action(**arguments: Any) -> str:
    call = {"type": "tool_call", "name": "add", "args": arguments}
    return f"Thought: I add.\nAction: {json.dumps(call)}"


CALL = Reply(calls=[("add", {"a": 2, "b": 40})])
FINAL = "Final Answer: 42"


@pytest.mark.parametrize(
    "refusal",
    [
        "registry/library/phi:latest does not support tools",
        "Hermes 2 Pro Tool parser could not locate tool call start/end tokens in the tokenizer!",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
)
def test_31_32_tools_that_are_refused_cost_one_request_ever(way: Way, refusal: str) -> None:
    notes = Capabilities()
    with ScriptedServer(lambda body: Fail(400, refusal) if "tools" in body else step(body)) as server:
        first = play(way, server, notes=notes)
        assert (first.result.answer, first.result.mode, first.ran) == ("42", "text", [(2, 40)])
        assert refusal[:20] in next(event.why for event in first.events if isinstance(event, ModeChanged))
        before = len(server.requests)
        assert before == 3
        second = play(way, server, notes=notes)
        assert second.result.answer == "42"
        assert not [request for request in server.requests[before:] if "tools" in request.body]


def step(body: Json) -> Any:
    """Acts, and answers when it sees the result."""
    seen = "Observation: 42" in body["messages"][-1]["content"]
    return FINAL if seen else action(a=2, b=40)


def test_a_leak_is_used_and_the_next_run_starts_in_text(way: Way) -> None:
    notes = Capabilities()
    leak = '```json\n{"name": "add", "arguments": {"a": 2, "b": 40}}\n```'
    with ScriptedServer([leak, FINAL, action(a=2, b=40), FINAL]) as server:
        assert play(way, server, notes=notes).ran == [(2, 40)]
        assert play(way, server, notes=notes).ran == [(2, 40)]
        assert ["tools" in request.body for request in server.requests] == [True, False, False, False]
        assert notes.facts(server.base_url, "m").tools == "ignored"


def test_35_stop_words_that_are_refused(way: Way) -> None:
    invented = action(a=2, b=40) + "\nObservation: 999\nFinal Answer: 999"

    def strict(body: Json) -> Any:
        if "stop" in body:
            return Fail(400, "Unsupported parameter: 'stop' is not supported with this model.")
        return FINAL if "42" in body["messages"][-1]["content"] else invented

    with ScriptedServer(strict) as server:
        run = play(way, server, mode="text")
        assert (run.result.answer, len(server.requests)) == ("42", 3)
        assert "999" not in json.dumps(server.requests[-1].body)


@pytest.mark.parametrize("early", [True, False])
def test_a_connection_is_closed_when_nothing_more_can_be_wanted(way: Way, early: bool) -> None:
    gate = threading.Event()
    parts = [delta(f"{action(a=2, b=40)}\nObservation: 999\n"), *([gate] if early else []), delta("Final Answer: 999")]
    with ScriptedServer([Sse(*parts, delta(finish="stop"), "[DONE]"), FINAL]) as server:
        agent = Agent(
            OpenAIModel("m", base_url=server.base_url, mode="text", capabilities=Capabilities()), [Desk().add], stop_early=early
        )
        assert way(agent, "What is 2 plus 40?", Desk()).result.answer == "42"
        assert server.requests[0].closed_early.wait(10 if early else 0) is early
        assert ("stop" in server.requests[0].body) is early


def test_37_38_a_template_that_takes_neither_system_nor_tools(way: Way) -> None:
    def template(body: Json) -> Any:
        roles = [message["role"] for message in body["messages"]]
        if roles != [("user", "assistant")[number % 2] for number in range(len(roles))]:
            return Fail(500, "Conversation roles must alternate user/assistant/user/assistant/...")
        return "42" if len(roles) > 1 else CALL

    with ScriptedServer(template) as server:
        run = play(way, server)
        assert (run.result.answer, run.ran, run.result.mode) == ("42", [(2, 40)], "native")
        last = server.requests[-1].body["messages"]
    assert "<tool_response>\n42\n</tool_response>" in last[-1]["content"]
    assert '{"name": "add", "arguments": {"a":2,"b":40}}' in last[-2]["content"]


def test_40_a_server_that_takes_the_bare_body_only(way: Way) -> None:
    bare = {"model", "messages", "tools", "stream"}
    script = iter([CALL, Reply(FINAL)])
    with ScriptedServer(
        lambda body: next(script) if body.keys() <= bare else Fail(422, {"detail": "parameter error"})
    ) as server:
        run = play(way, server)
        assert (run.result.answer, run.ran) == ("42", [(2, 40)])
        assert [sent.body.keys() <= bare for sent in server.requests] == [False, True] * 2  # now it is known


def test_40_a_server_that_takes_nothing_is_quoted(way: Way) -> None:
    with ScriptedServer(lambda _: Fail(422, {"detail": "parameter error"})) as server:
        run = play(way, server)
    assert (run.result.outcome, run.result.answer) == (Outcome.SERVER_ERROR, None)
    assert "parameter error" in run.result.error


def test_56_reasoning_that_must_be_sent_back(way: Way) -> None:
    def insists(body: Json) -> Any:
        said = [message for message in body["messages"] if message["role"] == "assistant"]
        if [message for message in said if "reasoning_content" not in message]:
            return Fail(400, "Missing `reasoning_content` field in the assistant message at message index 2")
        return FINAL if said else Reply(calls=[("add", {"a": 2, "b": 40})], reasoning="I must add.")

    with ScriptedServer(insists) as server:
        run = play(way, server)
        assert (run.result.answer, len(server.requests)) == ("42", 3)
        assert server.requests[-1].body["messages"][2]["reasoning_content"] == "I must add."


def test_64_a_stream_that_drops_in_a_call(way: Way) -> None:
    half = [{"index": 0, "id": "x", "function": {"name": "add", "arguments": '{"a": 3, '}}]
    whole = Reply(calls=[("add", {"a": 3, "b": 4})])
    with ScriptedServer([CALL, Sse(delta(calls=half)), whole, FINAL]) as server:
        run = play(way, server)
    assert run.ran == [(2, 40), (3, 4)]
    assert (run.result.answer, run.result.outcome) == ("42", Outcome.COMPLETED)
    (wait,) = run.waits
    assert (wait.failure.kind, "connection" in wait.failure.message) == ("broken_stream", True)


def test_64_no_partial_text_is_shown_twice(way: Way) -> None:
    with ScriptedServer([Sse(delta("Final Answer: The beach"), RESET), "Final Answer: The beach is wide."]) as server:
        run = play(way, server)
    assert (run.result.answer, run.shown) == ("The beach is wide.", "The beach is wide.")
    assert ReplyRestarted() not in run.events


def test_64_a_reply_that_starts_anew_is_read_anew(way: Way) -> None:
    half = Sse(delta('Final Answer: No.\nAction: {"type": "tool_call", "name": "add", "args": {"a": 9'), RESET)
    with ScriptedServer([half, action(a=2, b=40), FINAL]) as server:
        run = play(way, server, mode="text")
    assert (run.result.answer, run.ran) == ("42", [(2, 40)])
    assert run.events.count(ReplyRestarted()) == 1


@pytest.mark.parametrize("broken", [Sse(RESET), Sse(), Raw(b"")], ids=["reset", "no chunk", "empty body"])
def test_65_a_stream_that_dies_before_its_first_chunk(way: Way, broken: Any) -> None:
    with ScriptedServer([broken, FINAL]) as server:
        run = play(way, server)
    assert (run.result.answer, len(run.waits)) == ("42", 1)


def test_65_a_stream_that_dies_every_time(way: Way) -> None:
    with ScriptedServer(lambda _: Sse(RESET)) as server:
        run = play(way, server)
        assert (run.result.outcome, run.result.answer, len(server.requests)) == (Outcome.SERVER_ERROR, None, 3)


@pytest.mark.parametrize("text", ["Final Answer: The beach is wide.", "The beach is wide."])
def test_67_streams_of_single_characters_lose_no_word(way: Way, text: str) -> None:
    with ScriptedServer([Reply(text, chunk=1)]) as server:
        run = play(way, server)
    assert run.shown == run.result.answer == "The beach is wide."


def test_70_a_limit_of_the_rate_repeats_only_the_request(way: Way) -> None:
    with ScriptedServer([CALL, Fail(429, "slow down", SOON), FINAL]) as server:
        run = play(way, server, max_wait=60.0)
    assert (run.result.answer, run.ran) == ("42", [(2, 40)])
    (wait,) = run.waits
    assert (wait.failure.kind, wait.failure.status) == ("rate_limited", 429)
    assert wait.seconds >= 0.001


def test_71_a_quota_that_is_used_up(way: Way) -> None:
    with ScriptedServer([CALL, *[Fail(429, "insufficient_quota")] * 9]) as server:
        run = play(way, server, max_wait=60.0)
        assert (run.result.outcome, run.result.answer) == (Outcome.RATE_LIMITED, None)
        assert (len(run.result.steps), len(server.requests)) == (1, 2)
    assert run.result.messages[-1].result is not None  # to be continued from there


def test_73_a_server_that_never_answers(way: Way) -> None:
    with ScriptedServer(lambda _: Reply("late", gate=threading.Event())) as server:
        run = play(way, server, max_seconds=0.5, timeout=0.15, max_retries=100)
    assert (run.result.outcome, run.result.answer) == (Outcome.DEADLINE, None)


def test_73_no_tool_and_no_request_begins_after_the_deadline(way: Way) -> None:
    with ScriptedServer([CALL]) as server:
        run = play(way, server, max_seconds=0.0)
        assert (run.result.outcome, run.ran, server.requests) == (Outcome.DEADLINE, [], [])
    assert "0 s" in run.result.error


def test_29_a_prompt_that_does_not_fit_is_a_typed_outcome(way: Way) -> None:
    with ScriptedServer(lambda _: Fail(400, "This model's maximum context length is 8192 tokens.")) as server:
        run = play(way, server)
        assert run.result.outcome is Outcome.CONTEXT_OVERFLOW
        assert len(server.requests) == 1


@pytest.mark.parametrize("reason", ["content_filter", "sensitive"])
def test_a_filter_that_cuts_a_reply_is_a_typed_outcome(way: Way, reason: str) -> None:
    with ScriptedServer([Sse(delta("The sea is"), delta(finish=reason), "[DONE]")]) as server:
        run = play(way, server)
    assert (run.result.outcome, run.result.answer, run.result.ok) == (Outcome.CONTENT_FILTER, "The sea is", False)


def test_a_filter_that_refuses_a_request_is_asked_once(way: Way) -> None:
    with ScriptedServer([Fail(400, "Content Exists Risk")]) as server:
        run = play(way, server)
    assert (run.result.outcome, run.result.answer) == (Outcome.CONTENT_FILTER, None)
    assert "Content Exists Risk" in run.result.error


def test_a_filter_that_reports_an_error_in_a_stream_leaves_what_was_said(way: Way) -> None:
    error = {"error": {"code": "data_inspection_failed", "message": "Output data may contain inappropriate content."}}
    with ScriptedServer([Sse(delta("The sea"), delta(" is"), error)]) as server:
        run = play(way, server)
    assert (run.result.outcome, run.result.answer) == (Outcome.CONTENT_FILTER, "The sea is")


def test_53_null_content_and_no_call(way: Way) -> None:
    with ScriptedServer([Reply(None), Raw(b'{"choices": []}'), FINAL]) as server:
        assert play(way, server).result.answer == "42"


def test_79_names_that_the_api_does_not_take(way: Way) -> None:
    tool = Tool.from_schema("查询 天气", "天气", {"type": "object"}, lambda: "晴")
    with ScriptedServer([lambda body: Reply(calls=[(body["tools"][0]["function"]["name"], {})]), "晴"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities())
        run = way(Agent(model, [tool]), "天气？", Desk())
        assert server.requests[0].body["tools"][0]["function"]["name"].isascii()
    assert run.result.steps[0].calls[0].name == "查询 天气"


def test_88_two_models_behind_one_address(way: Way) -> None:
    notes = Capabilities()
    with ScriptedServer(
        lambda body: Fail(400, "no: does not support tools") if body["model"] == "a" and "tools" in body else FINAL
    ) as server:
        for name, mode in (("a", "text"), ("b", "native")):
            model = OpenAIModel(name, base_url=server.base_url, capabilities=notes)
            assert way(Agent(model, [Desk().add]), "2 + 40?", Desk()).result.mode == mode
    assert {key[1]: facts.tools for key, facts in notes.known().items()} == {"a": "refused", "b": None}
