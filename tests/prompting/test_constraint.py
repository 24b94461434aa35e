"""What a constrained model can write is what the parser reads, and no more."""

from __future__ import annotations

import json

import pytest

from react_agent.messages import Call, ToolSpec
from react_agent.parsing import parse
from react_agent.parsing.dialects import PROMPTED, render
from react_agent.prompting import Prompt
from react_agent.prompting.constraint import constraint, may_begin
from react_agent.schema import checker
from tests.support.grammars import accepts

WEATHER = ToolSpec(
    "get_weather",
    "The weather.",
    {"type": "object", "properties": {"city": {"type": "string"}, "unit": {"enum": ["C", "F"]}}, "required": ["city"]},
)
CLOCK = ToolSpec("clock", "The time.", {"type": "object", "properties": {}, "required": []})
TOOLS = (WEATHER, CLOCK)
CLOCK_CALL = Call("clock", {})
LABELLED = ["zh_json_steps", "json_steps", "action_json"]
"""The dialects whose answer is marked, so that a call cannot pass for an answer."""


@pytest.mark.parametrize("dialect", PROMPTED)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_calls_and_answers_of_every_dialect_can_be_written(dialect: str, lang: str) -> None:
    grammar = constraint(Prompt(TOOLS, lang, dialect), TOOLS).grammar  # type: ignore[arg-type]
    for arguments in ({"city": "北京"}, {"city": 'a "b"\n', "unit": "F"}):
        call = Call("get_weather", arguments)
        assert accepts(grammar, render(dialect, thought="先查天气。", calls=(call,), lang=lang))
        assert accepts(grammar, render(dialect, calls=(call,), lang=lang)) is (dialect != "json_steps")
    reasoning = "<think>\n1 < 2, so.\n</think>\n\n"
    assert accepts(grammar, reasoning + render(dialect, thought="好。", calls=(CLOCK_CALL,), lang=lang))
    assert accepts(grammar, render(dialect, thought="够了。", answer="晴，15 °C。", lang=lang))


@pytest.mark.parametrize("dialect", PROMPTED)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_beginning_of_what_can_be_written_is_one(dialect: str, lang: str) -> None:
    prompt = Prompt(TOOLS, lang, dialect)  # type: ignore[arg-type]
    for text in (
        render(dialect, thought="先查天气。", calls=(CLOCK_CALL,), lang=lang),
        render(dialect, calls=(CLOCK_CALL,), lang=lang),
        render(dialect, thought="够了。", answer="晴，15 °C。", lang=lang),
        render(dialect, answer="晴，15 °C。", lang=lang),
        "<think>\n1 < 2, so.\n</think>\n\n",
    ):
        assert all(may_begin(prompt, text[:end]) for end in range(len(text) + 1))
    assert [may_begin(prompt, text) for text in ("oftThou:", "}上", "The thing")] == [dialect in ("hermes", "fenced_json")] * 3


@pytest.mark.parametrize("dialect", LABELLED)
def test_nothing_else_can_be_written(dialect: str) -> None:
    grammar = constraint(Prompt(TOOLS, "en", dialect), TOOLS).grammar
    for call in (
        Call("get_weather", {}),
        Call("get_weather", {"city": 3}),
        Call("get_rain", {"city": "x"}),
        Call("clock", {"a": 1}),
    ):
        assert not accepts(grammar, render(dialect, thought="so", calls=(call,), lang="en"))
    assert not accepts(grammar, "It is sunny.")
    twice = 2 * render(dialect, thought="so", calls=(CLOCK_CALL,), lang="en")
    assert not accepts(grammar, twice)


@pytest.mark.parametrize("dialect", LABELLED)
def test_the_last_reply_can_only_be_an_answer(dialect: str) -> None:
    grammar = constraint(Prompt(TOOLS, "en", dialect), ()).grammar
    assert not accepts(grammar, render(dialect, thought="so", calls=(CLOCK_CALL,), lang="en"))
    assert accepts(grammar, render(dialect, thought="so", answer="Sunny.", lang="en"))


@pytest.mark.parametrize("dialect", PROMPTED)
def test_only_a_reply_that_is_one_json_value_has_a_schema(dialect: str) -> None:
    assert (constraint(Prompt(TOOLS, "en", dialect), TOOLS).schema is not None) is (dialect == "json_steps")


@pytest.mark.parametrize(
    "action",
    [
        {"type": "tool_call", "name": "get_weather", "args": {"city": "Oslo"}},
        {"type": "tool_call", "name": "clock", "args": {}},
        {"type": "final_answer", "content": "Sunny."},
    ],
)
def test_the_same_as_json_schema_is_read_back(action: dict[str, object]) -> None:
    thought = "I look it up."
    reply = {"thought": thought, **action}
    assert checker(constraint(Prompt(TOOLS, "en", "json_steps"), TOOLS).schema).problems(reply) == ()
    parsed = parse(json.dumps(reply), TOOLS)
    assert [(call.name, call.arguments) for call in parsed.calls] == (
        [(action["name"], action["args"])] if "name" in action else []
    )
    assert parsed.answer == action.get("content")
    assert parsed.thought == thought
