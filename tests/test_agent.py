"""The front door, with real tools and a scripted model."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import react_agent
from react_agent import (
    Agent,
    Event,
    Model,
    ModelChunk,
    ModelFailure,
    OpenAIModel,
    Outcome,
    RunContext,
    RunFinished,
    ScriptedModel,
    StepStarted,
    Tool,
    ToolCallDelta,
    UsageError,
    tool,
)
from tests.support.server import Fail, Reply, ScriptedServer


@tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@tool
async def shout(text: str) -> str:
    """Makes it loud."""
    await asyncio.sleep(0)
    return text.upper()


def action(name: str, **arguments: object) -> str:
    return f"Thought: go.\nAction: {json.dumps({'type': 'tool_call', 'name': name, 'args': arguments})}"


def test_a_run() -> None:
    result = Agent(ScriptedModel([action("add", a=2, b=40), "Final Answer: 42"]), [add]).run("2 + 40?")
    assert result.ok
    assert result.answer == "42"
    assert result.steps[0].results[0].content == "42"


def test_a_stream_ends_with_the_result() -> None:
    events = list(Agent(ScriptedModel(["Hello"]), [add]).stream("hi"))
    assert isinstance(events[-1], RunFinished)
    assert events[-1].result.answer == "Hello"


def test_async_runs_like_sync() -> None:
    script = [action("shout", text="a"), action("add", a=1, b=2), "Final Answer: done"]
    agent = Agent(ScriptedModel(script), [add, shout])
    plain = Agent(ScriptedModel(script), [add, shout])

    def timeless(events: list[Event]) -> list[dict]:
        told = json.loads(json.dumps([event.to_dict() for event in events]))
        for event in told:
            for result in [event.get("result", {}), *event.get("result", {}).get("steps", [])]:
                _without_times(result)
        return told

    async def main() -> list[Event]:
        return [event async for event in agent.astream("go")]

    assert timeless(asyncio.run(main())) == timeless(list(plain.stream("go")))


def _without_times(value: object) -> None:
    if isinstance(value, dict):
        value.pop("seconds", None)
        for inner in value.values():
            _without_times(inner)
    elif isinstance(value, list):
        for inner in value:
            _without_times(inner)


def test_arun() -> None:
    result = asyncio.run(Agent(ScriptedModel([action("shout", text="hey"), "Final Answer: HEY"]), [shout]).arun("shout hey"))
    assert result.answer == "HEY"
    assert result.steps[0].results[0].content == "HEY"


@pytest.mark.parametrize("task", ["", "  \n"])
def test_an_empty_task_is_refused_before_any_request(task: str) -> None:
    model = ScriptedModel([])
    for begin in (Agent(model).run, Agent(model).stream, Agent(model).astream):
        with pytest.raises(UsageError, match="task"):
            begin(task)
    assert model.requests == []


def test_a_task_of_100_000_characters() -> None:
    task = "数" * 100_000
    model = ScriptedModel(["十万个字。"])
    assert Agent(model, [add]).run(task).answer == "十万个字。"
    assert model.requests[0].messages[-1]["content"] == task


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("unreachable", Outcome.SERVER_ERROR),
        ("unauthorized", Outcome.SERVER_ERROR),
        ("unknown_model", Outcome.SERVER_ERROR),
        ("broken_stream", Outcome.SERVER_ERROR),
        ("rate_limited", Outcome.RATE_LIMITED),
        ("context_overflow", Outcome.CONTEXT_OVERFLOW),
        ("content_filter", Outcome.CONTENT_FILTER),
    ],
)
def test_failures_of_the_world_are_outcomes(kind: str, outcome: Outcome) -> None:
    failure = ModelFailure(kind, "start the server, or give another base_url")  # type: ignore[arg-type]
    result = Agent(ScriptedModel([action("add", a=1, b=2), failure]), [add]).run("1 + 2?")
    assert result.outcome is outcome
    assert result.answer is None
    assert result.error == "start the server, or give another base_url"
    assert len(result.steps) == 1


def test_80_two_runs_of_one_agent_do_not_mix() -> None:
    barrier = threading.Barrier(2, timeout=30)

    def reply(request) -> str:
        text = request.messages[1]["content"]
        barrier.wait()
        number = int(text.split()[-1])
        if len(request.messages) == 2:
            return action("add", a=number, b=0)
        return f"Final Answer: {request.messages[-1]['content'].splitlines()[0].split()[-1]}"

    agent = Agent(ScriptedModel([reply] * 4), [add], max_steps=2)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(agent.run, ["say 1", "say 2"])
    assert (first.answer, second.answer) == ("1", "2")
    assert [len(result.steps) for result in (first, second)] == [2, 2]
    assert first.messages[0].content == "say 1"


def test_80_two_tasks_of_one_event_loop_do_not_mix() -> None:
    def reply(request) -> str:
        return f"Final Answer: {request.messages[1]['content']}"

    agent = Agent(ScriptedModel([reply] * 3), [add])

    async def main() -> list[str | None]:
        results = await asyncio.gather(*(agent.arun(f"say {number}") for number in range(3)))
        return [result.answer for result in results]

    assert asyncio.run(main()) == ["say 0", "say 1", "say 2"]


def test_a_refusal_of_tools_is_learned_for_the_next_run() -> None:
    model = ScriptedModel([ModelFailure("tools_refused", "no tools"), "Final Answer: a", "Final Answer: b"], mode="auto")
    agent = Agent(model, [add])
    assert [agent.run("go").answer, agent.run("go").answer] == ["a", "b"]
    assert [bool(request.tools) for request in model.requests] == [True, False, False]


def test_the_mode_may_be_set_by_the_agent() -> None:
    call = ModelChunk(tool_calls=(ToolCallDelta(0, "c", "add", '{"a": 1, "b": 2}'),), finish_reason="tool_calls", last=True)
    result = Agent(ScriptedModel([call, "3"]), [add], mode="native").run("1 + 2?")
    assert (result.answer, result.mode) == ("3", "native")


def test_tools_are_given_the_context_of_the_run() -> None:
    seen: list[RunContext] = []

    @tool
    def look(context: RunContext) -> str:
        """Looks."""
        seen.append(context)
        return str(len(seen))

    agent = Agent(ScriptedModel([action("look"), action("look"), "Final Answer: ok"] * 2), [look], deps={"user": 7})
    agent.run("look twice")
    agent.run("look twice")
    assert [context.step for context in seen] == [1, 2, 1, 2]
    assert seen[0].run_id == seen[1].run_id != seen[2].run_id
    assert seen[0].deps == {"user": 7}


def test_17_a_mail_is_not_sent_twice() -> None:
    sent: list[str] = []

    def send_email(to: str) -> str:
        """Sends a mail."""
        sent.append(to)
        return "sent"

    script = [action("send_email", to="a@example.org")] * 2 + ["Final Answer: sent"]
    assert Agent(ScriptedModel(script), [send_email]).run("send it").ok
    assert len(sent) == 1
    assert Agent(ScriptedModel(script), [tool(send_email, repeatable=True)]).run("send it twice").ok
    assert len(sent) == 3


def test_14_the_result_of_an_answering_tool_is_the_answer() -> None:
    replies = iter([ValueError("no such order"), "order 7: a lamp"])

    def fetch(number: int) -> str:
        """Fetches an order."""
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    model = ScriptedModel([action("fetch", number=6), action("fetch", number=7)])
    result = Agent(model, [tool(fetch, returns_answer=True)]).run("order 7?")
    assert result.ok
    assert result.answer == "order 7: a lamp"
    assert result.steps[0].results[0].status == "error"


def test_what_answering_tools_give_is_the_answer_whole_and_in_order() -> None:
    def report(part: str) -> str:
        """Writes a part of the report."""
        return part * 30_000

    calls = [f'<tool_call>{{"name": "report", "arguments": {{"part": "{part}"}}}}</tool_call>' for part in "ab"]
    result = Agent(ScriptedModel(["".join(calls)]), [tool(report, returns_answer=True)], max_output=1_000).run("report")
    assert result.answer == "a" * 30_000 + "\n\n" + "b" * 30_000
    assert [shown.status for shown in result.steps[0].results] == ["truncated"] * 2


def test_a_run_goes_on_from_the_history_of_another() -> None:
    model = ScriptedModel(["Final Answer: I am Ann.", "Final Answer: Ann."])
    agent = Agent(model, [add])
    first = agent.run("Who are you?")
    assert agent.run("Your name again?", first.messages).answer == "Ann."
    contents = [message["content"] for message in model.requests[1].messages]
    assert contents[1:] == ["Who are you?", "Final Answer: I am Ann.", "Your name again?"]


def test_settings_reach_the_request() -> None:
    model = ScriptedModel(["Final Answer: hi"])
    Agent(model, [add], instructions="Be kind.", lang="zh", max_tokens=99, temperature=0.7).run("hello")
    request = model.requests[0]
    assert request.messages[0]["content"].startswith("Be kind.")
    assert "\n工具：" in request.messages[0]["content"]
    assert (request.max_tokens, request.temperature) == (99, 0.7)


@pytest.mark.parametrize(
    "wrong",
    [{"max_steps": 0}, {"lang": "fr"}, {"dialect": "morse"}, {"max_tokens": 0}, {"base_url": "http://localhost"}],
)
def test_settings_that_cannot_work_are_refused(wrong: dict) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Agent(ScriptedModel([]), [add], **wrong)


def test_something_else_than_a_model_is_refused() -> None:
    with pytest.raises(UsageError, match="Model"):
        Agent(object())  # type: ignore[arg-type]


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="add"):
        Agent(ScriptedModel([]), [add, add])


def test_a_name_makes_a_model_of_the_api() -> None:
    agent = Agent("qwen", base_url="http://127.0.0.1:9/v1", api_key="x")
    assert isinstance(agent.model, OpenAIModel)
    assert isinstance(agent.model, Model)
    assert agent.model.name == "qwen"


def test_breaking_off_a_stream_is_fine() -> None:
    for event in Agent(ScriptedModel(["a" * 100], chunk=1)).stream("hi"):
        if isinstance(event, StepStarted):
            break


def test_public_names_are_all_there() -> None:
    for name in react_agent.__all__:
        assert getattr(react_agent, name) is not None
    assert set(react_agent.__all__) <= set(dir(react_agent))
    with pytest.raises(AttributeError, match="nothing"):
        react_agent.nothing  # noqa: B018


def test_the_listed_names_are_the_typed_ones() -> None:
    source = Path(react_agent.__file__).read_text(encoding="utf-8")
    typed = {line.split(" as ")[1] for line in source.splitlines() if line.startswith("    from .") and " as " in line}
    assert typed == set(react_agent.__all__) - {"__version__"}


def test_repair_is_a_function_even_after_its_package_is_loaded() -> None:
    code = (
        "import react_agent.repair.reader, react_agent\n"
        "from react_agent import repair\n"
        "assert repair('{a: 1').value == {'a': 1}\n"
        "assert react_agent.repair('[1,').value == [1]\n"
        "from react_agent.repair import fit\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = ["openai", "pydantic", "jsonschema", "jinja2", "httpx", "asyncio", "regex"]
    code = f"import sys, react_agent; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_44_arguments_as_an_object_without_id_and_type() -> None:
    bare = {"function": {"name": "add", "arguments": {"a": 2, "b": 40}}}
    with ScriptedServer([Reply(calls=[bare]), "42"]) as server:
        result = Agent(OpenAIModel("m", base_url=server.base_url, api_key="x", mode="native"), [add]).run("2 + 40?")
        sent = server.requests[1].body["messages"]
    assert result.answer == "42"
    call = next(message for message in sent if message["role"] == "assistant")["tool_calls"][0]
    assert call["id"]
    assert (call["type"], call["function"]["arguments"]) == ("function", '{"a":2,"b":40}')
    assert sent[-1]["tool_call_id"] == call["id"]


def test_31_over_http_a_refusal_of_tools_is_not_seen_by_the_user_and_not_repeated() -> None:
    refusal = Fail(400, "registry.example/m does not support tools")
    with ScriptedServer([refusal, action("add", a=2, b=40), "Final Answer: 42", "Final Answer: hi"]) as server:
        agent = Agent(OpenAIModel("m-31", base_url=server.base_url, api_key="x"), [add])
        first, second = agent.run("2 + 40?"), agent.run("hi")
        offered = ["tools" in request.body for request in server.requests]
    assert (first.answer, second.answer) == ("42", "hi")
    assert offered == [True, False, False, False]


def test_34_over_http_a_chat_without_tools_sends_none() -> None:
    with ScriptedServer(["Hi!"]) as server:
        assert Agent(OpenAIModel("m", base_url=server.base_url, api_key="x")).run("hello").answer == "Hi!"
        body = server.requests[0].body
    assert "tools" not in body
    assert body["messages"] == [{"role": "user", "content": "hello"}]


def test_an_interrupted_tool_ends_the_run_with_the_steps_so_far() -> None:
    @tool
    def wait() -> str:
        """Waits until the user has had enough."""
        raise KeyboardInterrupt

    result = Agent(ScriptedModel([action("add", a=1, b=2), action("wait")]), [add, wait]).run("wait")
    assert result.outcome is Outcome.CANCELLED
    assert result.answer is None
    assert [step.results[0].content for step in result.steps] == [
        "3",
        "Error: no result, as the run was stopped; it may have been done",
    ]
    assert result.error


def test_a_tool_runs_no_more_often_than_it_may() -> None:
    ran = []

    @tool(max_calls=2)
    def look(number: int) -> int:
        """Looks."""
        ran.append(number)
        return number * 10

    model = ScriptedModel([*(action("look", number=number) for number in range(3)), "Final Answer: 10"], mode="text")
    result = Agent(model, [look]).run("look around")
    assert ran == [0, 1]
    assert result.ok
    assert result.steps[2].results[0].status == "refused"
    assert "2 times" in str(model.requests[-1].messages[-1]["content"])


def test_one_key_for_one_deed() -> None:
    keys = []

    @tool(repeatable=True)
    def pay(amount: int, context: RunContext) -> str:
        """Pays."""
        keys.append(context.idempotency_key)
        if len(keys) == 1:
            raise ValueError("line broken")
        return f"paid {len(keys)}"

    model = ScriptedModel([*[action("pay", amount=5)] * 3, "Final Answer: paid"], mode="text")
    Agent(model, [pay]).run("pay 5 twice")
    assert len(keys) == 3
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_search_that_finds_nothing_is_told_what_may_help(lang: str) -> None:
    def find(who: str) -> list[str]:
        """Finds rows."""
        return []

    model = ScriptedModel([action("find", who="Lin"), "Final Answer: nobody"], mode="text")
    Agent(model, [find], lang=lang).run("find Lin")  # type: ignore[arg-type]
    said = str(model.requests[1].messages[-1]["content"])
    assert said == {"en": "Observation (no content: check the arguments or search more widely): []",
                    "zh": "观察（没有内容：请检查参数或放宽条件）：[]"}[lang]  # fmt: skip


HISTORY = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "1 + 2?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1, "b": 2}'}}],
    },
]
THREE = {"role": "tool", "tool_call_id": "c1", "content": "3"}


def test_a_history_in_the_form_of_the_chat_api() -> None:
    model = ScriptedModel(["Final Answer: 3"] * 2, mode="native")
    agent = Agent(model, [add])
    agent.run("So?", [*HISTORY, THREE])
    agent.run("So?", HISTORY)
    for request, said in zip(model.requests, ("3", "(No result: the call was not finished.)"), strict=True):
        system, asked, called, result, task = request.messages
        assert system["content"].endswith("Be brief.")
        assert asked == {"role": "user", "content": "1 + 2?"}
        assert [call["id"] for call in called["tool_calls"]] == ["c1"]
        assert result == {"role": "tool", "tool_call_id": "c1", "content": said}
        assert task == {"role": "user", "content": "So?"}


def test_a_history_in_the_form_of_the_chat_api_as_text() -> None:
    model = ScriptedModel(["Final Answer: 3"])
    Agent(model, [add]).run("So?", [*HISTORY, THREE])
    assert [message["role"] for message in model.requests[0].messages] == ["system", "user", "assistant", "user"]
    assert '"name": "add"' in model.requests[0].messages[2]["content"]
    assert "3" in model.requests[0].messages[3]["content"]


@tool(parallel=False)
def mail(to: str) -> str:
    """Sends a mail."""
    if to == "stop":
        raise KeyboardInterrupt
    return f"sent to {to}"


@tool(parallel=False)
async def mail_later(to: str) -> str:
    """Sends a mail."""
    return mail.function(to)


def both(first: str, second: str, name: str) -> ModelChunk:
    calls = [ToolCallDelta(at, to, name, json.dumps({"to": to})) for at, to in enumerate((first, second))]
    return ModelChunk(tool_calls=tuple(calls), finish_reason="tool_calls", last=True)


@pytest.mark.parametrize("sender", [mail, mail_later])
def test_a_run_that_was_stopped_in_its_second_call_knows_of_its_first(sender: Tool) -> None:
    model = ScriptedModel([both("ann", "stop", sender.name), "Ann has it."], mode="native")
    agent = Agent(model, [sender])
    result = agent.run("Mail to ann and stop.")
    assert (result.outcome, result.answer) == (Outcome.CANCELLED, None)
    assert [shown.status for shown in result.steps[0].results] == ["ok", "error"]
    assert agent.run("And now?", result.conversation).answer == "Ann has it."
    _, _, called, first, second, _ = model.requests[1].messages
    assert [call["id"] for call in called["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]]
    assert first["content"] == "sent to ann"
    assert "it may have been done" in second["content"]


def test_no_call_begins_when_the_time_is_up() -> None:
    ran = []

    @tool(parallel=False)
    def work(to: str) -> str:
        """Works."""
        ran.append(to)
        time.sleep(0.05)
        return "done"

    for run in (lambda agent: agent.run("Go"), lambda agent: asyncio.run(agent.arun("Go"))):
        ran.clear()
        result = run(Agent(ScriptedModel([both("a", "b", "work")], mode="native"), [work], max_seconds=0.04))
        assert ran == ["a"]
        assert result.outcome is Outcome.DEADLINE
        assert [shown.content for shown in result.steps[0].results] == [
            "done",
            "Error: not run, as the time for the run was up",
        ]


@pytest.mark.parametrize("role", ["system", "developer"])
@pytest.mark.parametrize("limit", [{"max_rounds": 5}, {"context_tokens": 2500, "max_tokens": 300}])
@pytest.mark.parametrize("mode", ["text", "native"])
def test_system_text_that_a_history_begins_with_stays(role: str, limit: dict[str, Any], mode: Any) -> None:
    rounds: list[dict[str, str]] = []
    for number in range(12):
        rounds += [
            {"role": "user", "content": f"Question {number}? " + "word " * 150},
            {"role": "assistant", "content": "Yes."},
        ]
    lead = [{"role": role, "content": "ALWAYS ANSWER IN RHYME."}, {"role": role, "content": "Be kind."}]
    model = ScriptedModel(["Final Answer: one", "Final Answer: two"], mode=mode)
    agent = Agent(model, [add], lang="en", summary="none", **limit)
    first = agent.run("So?", [*lead, *rounds])
    agent.run("And?", first.conversation)
    for request in model.requests:
        system, *others = request.messages
        assert "ALWAYS ANSWER IN RHYME.\n\nBe kind." in system["content"]
        assert "Question 0?" not in str(others)
        assert [message["role"] for message in others][:2] == ["user", "assistant"]
        assert "system" not in [message["role"] for message in others]


def test_a_history_takes_the_objects_of_an_sdk() -> None:
    from openai.types.chat import ChatCompletionMessage

    model = ScriptedModel(["c"])
    history: list[Any] = [{"role": "user", "content": "a"}, ChatCompletionMessage(role="assistant", content="b")]
    Agent(model).run("And?", history)
    assert [message["content"] for message in model.requests[0].messages] == ["a", "b", "And?"]
    with pytest.raises(UsageError, match=r'dicts \{"role": .* but its entry 0 is a int'):
        Agent(model).run("And?", [5])  # type: ignore[list-item]


def stopped_after(seconds: float, tool: Tool, *waits: float) -> list[str]:
    """What the calls of one reply have given when Ctrl-C came after so long."""
    calls = [ToolCallDelta(at, str(at), tool.name, json.dumps({"seconds": wait})) for at, wait in enumerate(waits)]
    model = ScriptedModel([ModelChunk(tool_calls=tuple(calls), finish_reason="tool_calls", last=True)], mode="native")
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    result = Agent(model, [tool]).run("Wait.")
    timer.join()
    assert result.outcome is Outcome.CANCELLED
    return [shown.content.removeprefix("Error: ") for shown in result.steps[0].results]


MAYBE, NEVER = "no result, as the run was stopped; it may have been done", "not run, as the run was stopped"


def nap(seconds: float) -> str:
    """Sleeps."""
    time.sleep(seconds)
    return f"slept {seconds}"


async def nap_later(seconds: float) -> str:
    """Sleeps."""
    await asyncio.sleep(seconds)
    return f"slept {seconds}"


@pytest.mark.parametrize("function", [nap, nap_later])
def test_calls_side_by_side_that_had_finished_keep_their_results_at_ctrl_c(function: Any) -> None:
    told = stopped_after(0.8, tool(function, parallel=True), 0.01, 3, 2, 0.02)
    assert told == ["slept 0.01", MAYBE, MAYBE, "slept 0.02"]


@pytest.mark.parametrize("function", [nap, nap_later])
def test_calls_that_never_began_are_told_so_at_ctrl_c(function: Any) -> None:
    assert stopped_after(0.8, tool(function, parallel=False), 0.01, 3, 0.02, 0.03) == ["slept 0.01", MAYBE, NEVER, NEVER]
