"""The table of dialects, and that each one reads what it writes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent import parse
from react_agent.errors import UsageError
from react_agent.messages import Call
from react_agent.parsing.dialects import DIALECTS, OPENERS, PROMPTED, render
from react_agent.parsing.dialects.dialect import Kind
from react_agent.parsing.dialects.models import FAMILIES
from react_agent.parsing.dialects.tokens import TOKENS
from react_agent.parsing.placeholders import placeholder_in
from tests.vectors.judging import same

from .invariants import cut_at, cut_changes_nothing

LANGUAGES = ("zh", "en")
CALLING = [name for name, dialect in DIALECTS.items() if dialect.calls is not None]
by_dialect = pytest.mark.parametrize("dialect", CALLING)

# --- the table -------------------------------------------------------------------------------------------------------

ENTRIES = [opener for openers in (*(dialect.openers for dialect in DIALECTS.values()), TOKENS) for opener in openers]
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
        assert opener.dialect in DIALECTS
        assert opener.closers or opener.literal in UNCLOSED


def test_no_literal_means_two_things() -> None:
    kinds: dict[str, set[str]] = {}
    for opener in ENTRIES:
        kinds.setdefault(opener.literal, set()).add(opener.kind)
    assert {literal: kind for literal, kind in kinds.items() if len(kind) > 1} == {}
    assert len(OPENERS) == len(kinds)


def test_the_table_is_whole() -> None:
    """Every name that the table itself mentions is in it, and every entry says where it comes from."""
    mentioned = {name for _, names in FAMILIES for name in names.split()}
    assert mentioned | set(PROMPTED) <= DIALECTS.keys()
    for name, dialect in DIALECTS.items():
        assert name == dialect.name
        assert dialect.reads_as in DIALECTS
        assert all((dialect.models, dialect.source, dialect.told)), name


def test_unknown_dialect() -> None:
    with pytest.raises(UsageError, match=r"no dialect 'morse' to write; expected one of .*hermes"):
        render("morse", answer="…")


def test_a_plain_answer_has_no_calls() -> None:
    assert render("plain_answer", answer="Done.") == "Done."
    with pytest.raises(UsageError, match="plain_answer has no calls"):
        render("plain_answer", calls=[Call("ping")])


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
                "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "stops": {"type": "array", "items": {"type": "string"}},
                "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
                "guest": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "age": {"type": "integer"},
                        "likes": {"type": "array", "items": {"type": "object", "properties": {"what": {"type": "string"}}}},
                    },
                },
            },
            "required": ["to"],
        },
    },
    {"name": "记账", "parameters": {"type": "object", "properties": {"事项": {"type": "string"}}, "required": ["事项"]}},
    {
        "name": "notes.search",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
    {"name": "mcp__depot__ship-box", "parameters": {"type": "object", "properties": {"count": {"type": "integer"}}}},
    {"name": "run_code", "parameters": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}},
    {"name": "ping", "parameters": {"type": "object", "properties": {}}},
]
LEANS = re.compile(r"previous|result|output|response|insert|上|前|查询结果|返回的|结果中的|from the|the", re.I)
"""Words by which a later call may lean on the result of an earlier one."""
HARD = (
    '"', "'", "\\", "\n", "\r\n", "\n\n", "`", "```", "```json\n", "{", "}", "[", "]", "(", ")", ",", ": ", "，", "：",
    "“", "”", "<", ">", "</", "<b>", "</tool_call>", "<tool_call>", "</parameter>", "<parameter=to>", "</invoke>",
    "</function>",
    "<arg_key>", "</arg_value>", "<|tool_call_end|>", "<|call|>", "<|END_ACTION|>", "[/TOOL_CALL]", "]<]minimax[>[",
    "<escape>", '<|"|>', "</think>", "<think>", "Action: ", "\nAction: ping", "\nObservation: ", "Final Answer: ", "行动：",
    "\n观察：", "✿ARGS✿", ">>>ping\n", "[TOOL_CALLS]", "; ", "|", "# ", "- ", "/*", "//", "=", "null", "true", "007", "1_000",
    "é", "漢", "😀", "\u200b", "\x00", "\u2028",
)  # fmt: skip

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.lists(st.one_of(st.sampled_from(HARD), st.text("abc xyz", max_size=4)), max_size=8).map("".join),
)
trips = st.fixed_dictionaries(
    {"to": texts},
    optional={
        "days": st.integers(-(10**15), 10**15),
        "budget": st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer()),
        "by_train": st.booleans(),
        "limit": st.none() | st.integers(0, 9),
        "stops": st.lists(texts, max_size=3),
        "grid": st.lists(st.lists(st.integers(-9, 9), max_size=2), max_size=2),
        "guest": st.fixed_dictionaries(
            {"name": texts},
            optional={"age": st.integers(0, 120), "likes": st.lists(st.fixed_dictionaries({"what": texts}), max_size=2)},
        ),
    },
)
calls = st.one_of(
    st.builds(Call, st.just("plan_trip"), trips),
    st.builds(Call, st.just("记账"), st.fixed_dictionaries({"事项": texts})),
    st.builds(Call, st.just("notes.search"), st.fixed_dictionaries({"query": texts})),
    st.builds(Call, st.just("mcp__depot__ship-box"), st.fixed_dictionaries({}, optional={"count": st.integers(0, 9)})),
    st.builds(Call, st.just("run_code"), st.fixed_dictionaries({"code": texts})),
    st.just(Call("ping")),
).filter(lambda call: not placeholder_in(call.arguments, LEANS))
thoughts = st.lists(
    st.sampled_from(("先看看。", "Two legs", "a < b", "7:45", "«K9»", "then", "北站（南口）", "50%")), min_size=1, max_size=4
).map(" ".join)


@by_dialect
@settings(max_examples=20)
@given(data=st.data())
def test_what_is_written_is_read(dialect: str, data: st.DataObject) -> None:
    wanted, thought = data.draw(st.lists(calls, min_size=1, max_size=3)), data.draw(st.none() | thoughts)
    lang = data.draw(st.sampled_from(LANGUAGES))
    try:
        text = render(dialect, thought=thought or "", calls=wanted, lang=lang)
    except UsageError:
        return
    reads_back(dialect, text, thought, wanted, lang)
    cut_changes_nothing(cut_at(text, data.draw(st.lists(st.integers(0, len(text)), max_size=5))), TOOLS)


def reads_back(dialect: str, text: str, thought: str | None, wanted: list[Call], lang: str = "en") -> None:
    parsed, known = parse(text, TOOLS), DIALECTS[dialect]
    reads_as = "react_zh" if (dialect, lang) == ("react", "zh") else known.reads_as
    assert [call.name for call in parsed.calls] == [call.name for call in wanted], text
    for call, want in zip(parsed.calls, wanted, strict=True):
        assert same(call.arguments, want.arguments), text
        assert {fix.name for fix in call.fixes} <= set(known.fixes), text
        assert call.dialect == (reads_as if dialect != "qwen_code" or "code" in want.arguments else "hermes"), text
    assert parsed.answer is None
    assert parsed.rejected == ()
    assert parsed.thought == (thought if known.thinks else None), text


@by_dialect
def test_a_simple_call(dialect: str) -> None:
    """What every dialect can carry, one call and three, without and with a thought."""
    one = [Call("notes.search", {"query": "tide"})]
    if dialect not in ("minimax_m3", "cline_xml"):
        reads_back(dialect, render(dialect, calls=one, lang="en"), None, one)
    several = [Call("ping"), Call("记账", {"事项": "船票"}), Call("ping")]
    reads_back(dialect, render(dialect, thought="看一下。", calls=several, lang="en"), "看一下。", several)


# --- answers ---------------------------------------------------------------------------------------------------------

IN_A_VALUE = ("zh_json_steps", "json_steps", "action_json")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("dialect", IN_A_VALUE)
@settings(max_examples=30)
@given(answer=texts.map(str.strip).filter(lambda text: text and not placeholder_in(text)))
def test_any_answer_in_a_value(dialect: str, lang: str, answer: str) -> None:
    parsed = parse(render(dialect, thought="够了。", answer=answer, lang=lang), TOOLS)
    assert parsed.answer == answer
    assert parsed.calls == ()


ANSWERS = (
    "晴，31 °C。",
    "共两站：甲、乙。\n\n1. 早班车 “K7”\n2. 晚班车 (K9)",
    "| stop | km |\n|---|---|\n| Ulm | 12 |\n\n**Both** are `open`.",
    "a < b, so x = {y} and f(x) is [1, 2].",
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_answer(dialect: str, answer: str) -> None:
    for lang in LANGUAGES:
        for thought in (None, "够了。"):
            known = DIALECTS[dialect]
            if thought is not None and not known.thinks:
                continue
            parsed = parse(render(dialect, thought=thought or "", answer=answer, lang=lang), TOOLS)
            assert parsed.answer == answer
            assert parsed.thought == thought
            assert (parsed.calls, parsed.rejected) == ((), ())


# --- what a format cannot carry --------------------------------------------------------------------------------------

RAW = ("qwen3_coder", "seed_oss", "glm45", "anthropic_xml", "minimax_m2", "deepseek_dsml", "step3", "minicpm_xml", "longcat")


@pytest.mark.parametrize("dialect", RAW)
def test_raw_text_has_no_escape(dialect: str) -> None:
    for tag in ("</parameter>", "</tool_call>", "<arg_key>", "</steptml:invoke>", "</｜DSML｜parameter>", "<![CDATA[x]]>"):
        with pytest.raises(UsageError, match="raw text cannot carry"):
            render(dialect, calls=[Call("记账", {"事项": f"a{tag}b"})])


@pytest.mark.parametrize("dialect", ["pythonic", "olmo3", "lfm2", "gemma_tool_code", "react_call", "hybrid", "chatglm3"])
def test_python_has_no_such_names(dialect: str) -> None:
    with pytest.raises(UsageError, match="cannot name the argument 'max-age'"):
        render(dialect, calls=[Call("ping", {"max-age": 1})])


@pytest.mark.parametrize(
    ("dialect", "call", "problem"),
    [
        ("react_bracket", Call("f", {"a": 1, "b": 2}), "carries one argument, not a, b"),
        ("gemma4", Call("f", {"a": 'x<|"|>y'}), "no escape"),
        ("functiongemma", Call("f", {"a": "x<escape>y"}), "no escape"),
        ("gemma4", Call("f", {"a": {"two words": 1}}), "cannot be a key"),
        ("cline_xml", Call("notes.search", {"query": "x"}), "cannot be the name of a tag"),
        ("cline_xml", Call("f", {"path": "a</path>"}), "raw text cannot carry '</path>'"),
        ("kimi_k3", Call("f", {"a": "<|close|>"}), "raw text cannot carry"),
        ("glm45", Call("two\nlines"), "cannot stand in a tag"),
    ],
)
def test_refusals(dialect: str, call: Call, problem: str) -> None:
    with pytest.raises(UsageError, match=re.escape(problem)):
        render(dialect, calls=[call])


def openers_in(text: str) -> Iterable[str]:
    return (literal for literal in OPENERS if literal in text)


@by_dialect
def test_nothing_of_a_call_shows(dialect: str) -> None:
    """The text between calls and thoughts that is shown as it streams holds no mark of the dialect."""
    from react_agent.events import AnswerDelta, TextDelta

    from .invariants import joined, stream

    text = render(dialect, thought="看一下。", calls=[Call("ping"), Call("记账", {"事项": "船票"})], lang="en")
    events = stream(list(text), TOOLS)[1]
    assert not list(openers_in(joined(events, TextDelta) + joined(events, AnswerDelta)))
