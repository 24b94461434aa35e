"""What is told to the model once: short, without schemas, and every example in it reads back as what it says."""

from __future__ import annotations

import re

import pytest

from react_agent.engine import STOPS
from react_agent.messages import Call, ToolSpec
from react_agent.parsing import parse
from react_agent.parsing.dialects import PROMPTED
from react_agent.prompting import Prompt
from react_agent.prompting.samples import sample_arguments

from .specs import TOOLSETS, TRAINS

WRITABLE = sorted(STOPS)
FORMS = ("zh_json_steps", "json_steps")
every_prompt = pytest.mark.parametrize(
    "prompt",
    [
        pytest.param(Prompt(tools, lang, dialect, few_shot=9), id=f"{dialect}-{lang}-{name}")
        for dialect in WRITABLE
        for lang in ("zh", "en")
        for name, tools in TOOLSETS.items()
    ],
)


def read_calls(text: str, tools: tuple[ToolSpec, ...]) -> list[tuple[str, dict]]:
    return [(call.name, call.arguments) for call in parse(text, tools).calls]


def test_every_writable_dialect_has_a_prompt() -> None:
    assert set(WRITABLE) == set(PROMPTED)


@every_prompt
def test_the_shown_call_reads_back(prompt: Prompt) -> None:
    for spec in prompt.specs:
        shown = prompt.show(spec)
        assert read_calls(shown, prompt.specs) == [(spec.name, sample_arguments(spec, prompt.lang))]
        assert parse(shown, prompt.specs).calls[0].fixes == ()
    assert prompt.dialect in FORMS or prompt.call_form in prompt.text_system


@every_prompt
def test_the_house_dialect_is_shown_as_a_form_that_is_no_call(prompt: Prompt) -> None:
    if prompt.dialect in FORMS:
        forms = [line for line in prompt.text_system.splitlines() if '"type": "' in line]
        assert len(forms) == 2
        for line in forms:
            parsed = parse(line, prompt.specs)
            assert (parsed.calls, parsed.answer is None or parsed.answer in ("answer", "回答")) == ((), True)


@every_prompt
def test_the_shown_answer_says_nothing_that_could_be_taken_for_one(prompt: Prompt) -> None:
    parsed = parse(prompt.answer_form, prompt.specs)
    assert parsed.calls == ()
    assert parsed.answer is None


@pytest.mark.parametrize("dialect", ["action_json", "react"])
def test_dialects_with_a_form_for_answers_show_it(dialect: str) -> None:
    for lang in ("zh", "en"):
        prompt = Prompt((TRAINS,), lang, dialect)  # type: ignore[arg-type]
        assert prompt.answer_form in prompt.text_system
        assert parse(prompt.answer_form.replace("…", "06:12"), prompt.specs).answer == "06:12"


@every_prompt
def test_few_shot_examples_read_back(prompt: Prompt) -> None:
    assert prompt.shots
    for message in prompt.shots:
        if message.role == "assistant":
            parsed = parse(message.content, prompt.specs)
            assert [(c.name, c.arguments) for c in parsed.calls] == [(c.name, c.arguments) for c in message.calls]
            assert bool(parsed.answer) != bool(message.calls)
            assert parsed.rejected == ()


@every_prompt
def test_the_prompt_holds_no_schema_and_no_placeholder(prompt: Prompt) -> None:
    text = prompt.text_system
    assert '"properties"' not in text
    assert '"description"' not in text
    assert not re.search(r"<[a-z_ ]+>(?!\n\{)", text.replace("<tool_call>", ""))
    assert '工具名"' not in text


def test_several_calls_in_one_reply_read_back() -> None:
    from react_agent.parsing.dialects import render

    calls = [Call("find_train", {"start": "a", "goal": "b"}), Call("find_train", {"start": "b", "goal": "c"})]
    for dialect in WRITABLE:
        for lang in ("zh", "en"):
            text = render(dialect, thought="two", calls=calls, lang=lang)
            assert read_calls(text, (TRAINS,)) == [(call.name, call.arguments) for call in calls], dialect


def test_the_system_text_is_short() -> None:
    for lang in ("zh", "en"):
        prompt = Prompt((TRAINS,), lang)  # type: ignore[arg-type]
        assert len(prompt.text_system) < 1_200


def test_instructions_of_the_user_come_first() -> None:
    prompt = Prompt((TRAINS,), "zh", instructions="你是车站的问讯员。")
    assert prompt.text_system.startswith("你是车站的问讯员。")
    assert prompt.native_system.startswith("你是车站的问讯员。")


def test_without_tools_there_is_only_what_the_user_says() -> None:
    assert Prompt((), "zh").text_system == ""
    assert Prompt((), "en", instructions="Be brief.").text_system == "Be brief."
    assert Prompt((), "en", few_shot=2).shots == ()


def test_a_few_shot_example_wants_enough_tools() -> None:
    one = Prompt((TRAINS,), "zh", few_shot=9).shots
    assert not any("{" in message.content and message.role == "user" for message in one)
    assert len(one) < len(Prompt(TOOLSETS["several"], "zh", few_shot=9).shots)
