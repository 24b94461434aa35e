"""Results that are too long to be shown at once.  Names with numbers are the scenarios that users have reported."""

from __future__ import annotations

import json

import pytest

from react_agent import Agent, RunFinished, ScriptedModel, ToolFinished
from react_agent.messages import Result
from react_agent.models.scripted import Reply

from .playing import action, answer, native

TEXT = "".join(f"第{number:05}行。" for number in range(25_000))


def big() -> str:
    """A very long list."""
    return TEXT


def agent(*replies: Reply, **options: object) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(replies, mode="text")
    return Agent(model, [big], max_output=4_000, **options), model  # type: ignore[arg-type]


def told(model: ScriptedModel, request: int) -> str:
    return str(model.requests[request - 1].messages[-1]["content"])


def test_25_a_huge_result_is_shown_in_parts_and_kept_whole() -> None:
    made, model = agent(action("big"), answer("Long."))
    events = list(made.stream("List all."))
    said = told(model, 2)
    assert len(said) < 4_300
    assert said.split("<<<\n", 1)[1].startswith(TEXT[:2_000])
    assert TEXT[-1_000:] in said
    assert "read_more" in said
    said.encode("utf-8")
    shown = next(event.result for event in events if isinstance(event, ToolFinished))
    begin, end = shown.gap
    assert shown.content[:begin] + shown.rest + shown.content[end:] == TEXT
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.result.steps[0].results[0].rest == shown.rest
    assert all(not message.result.rest for message in finished.result.messages if message.result)


def pages_of(said: str) -> str:
    return said.split("<<<\n", 1)[-1].split("\n>>>", 1)[0].removeprefix("Observation: ").strip()


def test_the_rest_can_be_read_page_by_page() -> None:
    replies = [action("big"), *(action("read_more", id="r1", page=number) for number in (1, 2)), answer("Read.")]
    made, model = agent(*replies)
    result = made.run("List all.")
    rest = result.steps[0].results[0].rest
    read = "".join(step.results[0].content for step in result.steps[1:3])
    assert result.ok
    assert rest.startswith(read)
    assert len(read) > 7_000
    assert pages_of(told(model, 3)) == result.steps[1].results[0].content


def test_a_page_that_is_not_there() -> None:
    made, model = agent(action("big"), action("read_more", id="r9", page=1), answer("No."))
    step = made.run("List all.").steps[1]
    assert step.results[0].status == "error"
    assert "r1 (1 to" in told(model, 3)


def test_nothing_is_offered_before_something_was_cut() -> None:
    made, model = agent(action("read_more", id="r1", page=1), answer("No."))
    result = made.run("List all.")
    assert result.steps[0].rejected[0].reason == "unknown_tool"
    assert "read_more" not in json.dumps([request.messages[0] for request in model.requests])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_system_text_stays_the_same(lang: str) -> None:
    made, model = agent(action("big"), answer("Long."), lang=lang)
    made.run("List all.")
    first, second = model.requests
    assert first.messages[0] == second.messages[0]


def test_a_native_request_offers_it_from_then_on() -> None:
    model = ScriptedModel([native(("big", "{}")), native(("read_more", '{"id": "r1", "page": 1}')), "Read."], mode="native")
    result = Agent(model, [big], max_output=4_000).run("List all.")
    names = [[each["function"]["name"] for each in request.tools] for request in model.requests]
    assert names == [["big"], ["big", "read_more"], ["big", "read_more"]]
    assert result.steps[1].results[0].status == "ok"


def test_a_tool_of_the_users_that_has_the_name_keeps_it() -> None:
    def read_more(id: str) -> str:
        """Of the user."""
        return f"mine {id}"

    model = ScriptedModel([action("big"), action("read_more", id="x"), answer("ok")], mode="text")
    result = Agent(model, [big, read_more], max_output=4_000).run("List all.")
    assert "read_more" not in result.steps[0].results[0].content
    assert result.steps[1].results[0].content == "mine x"


def test_a_trace_of_it_can_be_written_and_read() -> None:
    made, _ = agent(action("big"), answer("Long."))
    result = made.run("List all.").steps[0].results[0]
    assert Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result
