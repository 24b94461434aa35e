"""What the tools of an agent are told, how often they run, and what becomes of their results."""

from __future__ import annotations

import pytest

from react_agent import Agent, OpenAIModel, RunContext, ScriptedModel, tool
from tests.agent.acting import action, add
from tests.support.server import Reply, ScriptedServer


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
