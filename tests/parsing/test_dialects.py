"""The table of dialects, and that each one reads what it writes."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent import parse
from react_agent.errors import UsageError
from react_agent.messages import Call
from react_agent.parsing.dialects import ALL, DIALECTS, OPENERS, render
from react_agent.parsing.dialects.dialect import Kind
from react_agent.parsing.placeholders import placeholder_in
from tests.vectors.judging import same

LANGUAGES = ("zh", "en")
by_dialect = pytest.mark.parametrize(("dialect", "lang"), [(name, lang) for name in DIALECTS for lang in LANGUAGES])

# --- the table -------------------------------------------------------------------------------------------------------

ENTRIES = [opener for dialect in ALL for opener in dialect.openers]
UNCLOSED = {"[TOOL_CALLS]", "function call<|role_sep|>", "functools[", "<<function>>"}
"""Openers of calls whose end is the end of the value."""


@pytest.mark.parametrize("opener", ENTRIES, ids=[opener.literal for opener in ENTRIES])
def test_opener(opener: Any) -> None:
    assert opener.kind in get_args(Kind)
    assert opener.literal.strip()
    assert opener.dialect
    assert all(opener.closers)
    if opener.kind == "think":
        assert opener.closers, "reasoning needs an end"
    if opener.kind == "call":
        assert opener.closers or opener.literal in UNCLOSED


def test_no_literal_means_two_things() -> None:
    kinds: dict[str, set[str]] = {}
    for opener in ENTRIES:
        kinds.setdefault(opener.literal, set()).add(opener.kind)
    assert {literal: kind for literal, kind in kinds.items() if len(kind) > 1} == {}
    assert len(OPENERS) == len(kinds)


def test_names_are_unique() -> None:
    names = [dialect.name for dialect in ALL]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_writable_dialects_write_all_parts(dialect: Any) -> None:
    assert dialect.call
    assert dialect.answer
    assert dialect.thought


def test_unknown_dialect() -> None:
    with pytest.raises(UsageError, match=r"no dialect 'morse' to write; expected one of .*hermes"):
        render("morse", answer="…")


# --- writing and reading ---------------------------------------------------------------------------------------------

TOOLS: list[dict[str, Any]] = [
    {
        "name": "plan_trip",
        "parameters": {
            "type": "object",
            "properties": {
                "to": {"type": "string"},
                "days": {"type": "integer"},
                "budget": {"type": "number"},
                "by_train": {"type": "boolean"},
                "stops": {"type": "array", "items": {"type": "string"}},
                "guest": {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}},
            },
            "required": ["to"],
        },
    },
    {"name": "记账", "parameters": {"type": "object", "properties": {"事项": {"type": "string"}}, "required": ["事项"]}},
    {"name": "ping", "parameters": {"type": "object", "properties": {}}},
]
LEANS = re.compile(r"previous|result|output|response|insert|上|前|查询结果|返回的|结果中的|from the|the", re.I)
"""Words by which a later call may lean on the result of an earlier one."""

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
trips = st.fixed_dictionaries(
    {"to": words},
    optional={
        "days": st.integers(-(10**15), 10**15),
        "budget": st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer()),
        "by_train": st.booleans(),
        "stops": st.lists(words, max_size=3),
        "guest": st.fixed_dictionaries({"name": words}, optional={"age": st.integers(0, 120)}),
    },
)
calls = st.one_of(
    st.builds(Call, st.just("plan_trip"), trips),
    st.builds(Call, st.just("记账"), st.fixed_dictionaries({"事项": words})),
    st.just(Call("ping")),
).filter(lambda call: not placeholder_in(call.arguments, LEANS))


@by_dialect
@settings(max_examples=25)
@given(wanted=st.lists(calls, min_size=1, max_size=3))
def test_calls(dialect: str, lang: str, wanted: list[Call]) -> None:
    text = render(dialect, thought="先想一想。", calls=wanted, lang=lang)
    parsed = parse(text, TOOLS)
    assert [call.name for call in parsed.calls] == [call.name for call in wanted], text
    for call, want in zip(parsed.calls, wanted, strict=True):
        assert same(call.arguments, want.arguments), text
        assert call.fixes == (), text
    assert parsed.answer is None
    assert parsed.rejected == ()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("dialect", ["zh_json_steps", "action_json"])
@settings(max_examples=30)
@given(answer=words.map(str.strip).filter(lambda text: text and not placeholder_in(text)))
def test_any_answer_in_a_value(dialect: str, lang: str, answer: str) -> None:
    parsed = parse(render(dialect, thought="够了。", answer=answer, lang=lang), TOOLS)
    assert parsed.answer == answer
    assert parsed.calls == ()


@by_dialect
def test_plain_answer(dialect: str, lang: str) -> None:
    answer = "共两站：甲、乙。\n\n1. 早班车 “K7”\n2. 晚班车 (K9)"
    parsed = parse(render(dialect, answer=answer, lang=lang), TOOLS)
    assert parsed.answer == answer
    assert parsed.calls == ()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("dialect", ["zh_json_steps", "action_json", "react"])
def test_thought_beside_an_answer(dialect: str, lang: str) -> None:
    parsed = parse(render(dialect, thought="够了。", answer="好。", lang=lang), TOOLS)
    assert (parsed.thought, parsed.answer) == ("够了。", "好。")
