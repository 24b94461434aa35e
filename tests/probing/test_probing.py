"""A probe finds the way that a model does best, gives up what is refused or falls behind, and ends in time."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

from react_agent.events import ModelRequest
from react_agent.messages import Call, Json, Outcome, RunResult, Step, Usage
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from react_agent.models.scripted import ScriptedModel
from react_agent.probing import TASKS, TRIALS, Attempt, Row, Trial, best, probe, rows
from react_agent.probing.measuring import BEHIND
from tests.support.server import Fail, Reply, ScriptedServer

NATIVE, TEXT, JSON = Trial("native"), Trial("text", "zh_json_steps"), Trial("text", "json_steps")
CALLS = {
    "weather-zh": [("get_weather", {"city": "北京"})],
    "order-en": [("get_order", {"order_id": "A-1042"})],
    "hotter-zh": [("get_weather", {"city": "上海"}), ("get_weather", {"city": "广州"})],
    "product-en": [("calculator", {"expression": "127 * 49"})],
    "order-zh": [("get_order", {"order_id": "B-7731"})],
    "colder-en": [("get_weather", {"city": "Cairo"}), ("get_weather", {"city": "Oslo"})],
}


def done(body: Json) -> Json:
    """The next action of somebody who knows all tasks, as a member of a reply."""
    said = [str(message["content"]) for message in body["messages"]]
    task = next(task for task in TASKS if any(task.question in text for text in said))
    made = sum(message["role"] == "assistant" for message in body["messages"])
    calls = CALLS[task.name]
    if made < len(calls):
        name, arguments = calls[made]
        return {"type": "tool_call", "name": name, "args": arguments}
    return {"type": "final_answer", "content": f"It is {' and '.join(task.wanted)}."}


def house(body: Json) -> str:
    """Does everything in the house dialect."""
    return f"Thought: so.\nAction: {json.dumps(done(body), ensure_ascii=False)}"


def native(body: Json) -> Reply:
    action = done(body)
    return Reply(calls=[(action["name"], action["args"])]) if "name" in action else Reply(action["content"])


def found_by(script: Callable[[Json], object], **options: object) -> list[Attempt]:
    with ScriptedServer(script) as server:  # type: ignore[arg-type]
        model = OpenAIModel("m", base_url=server.base_url, max_retries=0, capabilities=Capabilities())
        return list(probe(model, **options))  # type: ignore[arg-type]


def test_every_task_can_be_done_natively_and_in_text() -> None:
    made = found_by(lambda body: native(body) if "tools" in body else house(body), trials=(NATIVE, TEXT))
    assert [(attempt.trial.mode, attempt.solved) for attempt in made] == [("native", True), ("text", True)] * len(TASKS)


def test_what_the_server_refuses_is_tried_once() -> None:
    def script(body: Json) -> object:
        if "tools" in body:
            return Fail(400, "m does not support tools")
        return house(body).rpartition("Action: ")[2] if "response_format" in body else house(body)

    made = found_by(script)
    tried = {trial: [attempt for attempt in made if attempt.trial == trial] for trial in TRIALS}
    assert [attempt.available for attempt in tried[NATIVE]] == [False]
    assert len(tried[TEXT]) == len(TASKS)
    assert [attempt.available for attempt in tried[Trial("constrained", "zh_json_steps")]] == [False]  # knows JSON Schema only
    assert tried[Trial("constrained", "json_steps")][0].available
    chosen = best(rows(made))
    assert chosen is not None
    assert chosen.trial.mode == "text" or chosen.trial.dialect == "json_steps"


def test_a_form_that_the_server_takes_and_does_not_heed_is_not_available() -> None:
    made = found_by(house, trials=(TEXT, Trial("constrained", "json_steps")))
    assert [(attempt.trial.mode, attempt.available) for attempt in made][:3] == [
        ("text", True), ("constrained", False), ("text", True),
    ]  # fmt: skip


def test_a_way_that_falls_behind_is_given_up() -> None:
    made = found_by(lambda body: "I do not know." if "tools" in body else house(body), trials=(NATIVE, TEXT))
    assert sum(attempt.trial == NATIVE for attempt in made) == BEHIND
    assert sum(attempt.trial == TEXT for attempt in made) == len(TASKS)


def test_all_ways_get_a_task_before_the_next_one() -> None:
    made = found_by(house, trials=(TEXT, JSON), tasks=TASKS[:2])
    assert [attempt.task for attempt in made] == [TASKS[0].name, TASKS[0].name, TASKS[1].name, TASKS[1].name]


def test_nothing_begins_when_the_time_is_up() -> None:
    clock = itertools.count(0.0, 4.0)
    made = found_by(house, trials=(TEXT,), seconds=20.0, clock=lambda: next(clock))
    assert 0 < len(made) < len(TASKS)


def test_a_run_that_the_time_cuts_short_says_nothing() -> None:
    assert found_by(house, trials=(TEXT,), seconds=1e-9) == []


def test_an_answer_without_a_tool_or_with_another_number_is_no_solution() -> None:
    task = TASKS[0]
    called = (Step(1, "text", calls=(Call("get_weather", {"city": "北京"}),)),)
    assert task.solved(RunResult("31 度", Outcome.COMPLETED, called))
    assert not task.solved(RunResult("31 度", Outcome.COMPLETED))
    assert not task.solved(RunResult("131 度", Outcome.COMPLETED, called))
    assert not task.solved(RunResult("31.5 度", Outcome.COMPLETED, called))
    assert not task.solved(RunResult("31 度", Outcome.STEP_LIMIT, called))
    assert not task.solved(RunResult(None, Outcome.COMPLETED, called))


def test_the_cheapest_of_the_best_is_recommended() -> None:
    few, many = Row(TEXT, 4, 3, 900, 9.0, True), Row(JSON, 4, 3, 1200, 1.0, True)
    assert best([many, few, Row(NATIVE, 4, 2, 10, 1.0, True)]) == few
    assert best([Row(NATIVE, 1, 1, 10, 1.0, False)]) is None
    assert best([Row(NATIVE, 4, 0, 10, 1.0, True)]) is None


def test_rows_add_up() -> None:
    attempt = Attempt(TEXT, "weather-zh", True, True, Outcome.COMPLETED, 2, Usage(100, 20), 1.5)
    (row,) = rows([attempt, attempt])
    assert (row.tried, row.solved, row.tokens, row.seconds, row.tokens_per_solved) == (2, 2, 240, 3.0, 120.0)


def test_a_model_that_is_no_server_can_be_probed() -> None:
    def reply(request: ModelRequest) -> str:
        return house({"messages": list(request.messages)})

    made = list(probe(ScriptedModel([reply] * 99), trials=(TEXT,), tasks=TASKS[:1]))
    assert [attempt.solved for attempt in made] == [True]
