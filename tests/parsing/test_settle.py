"""Written call to verdict: each reason of a refusal, and each form of arguments."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.messages import Call, Rejected, ToolSpec
from react_agent.parsing.forms import Arguments, unquoted
from react_agent.parsing.names import ToolNames
from react_agent.parsing.placeholders import placeholder_in
from react_agent.parsing.settle import Written, settle

SEAT = {
    "type": "object",
    "properties": {"room": {"type": "string"}, "seat": {"type": "integer"}, "quiet": {"type": "boolean"}},
    "required": ["room", "seat"],
}
NOTE = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True}
LIST = {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}}}, "required": ["items"]}
NAMES = ToolNames(
    [
        ToolSpec("reserve", "", SEAT),
        ToolSpec("note", "", NOTE),
        ToolSpec("free", "", OPEN),
        ToolSpec("total", "", LIST),
        ToolSpec("ping"),
    ]
)
TEXT = "the reply that holds the call"


def verdict(name: str, raw: Any, *, later: bool = False, **more: Any) -> Call | Rejected:
    return settle(Written(name, raw, 4, 9, "test", **more), NAMES, "marked", TEXT, later)


def taken(name: str, raw: Any, **more: Any) -> tuple[dict[str, Any], list[str]]:
    call = verdict(name, raw, **more)
    assert isinstance(call, Call), call
    return call.arguments, [fix.name for fix in call.fixes]


def refused(name: str, raw: Any, **more: Any) -> Rejected:
    rejected = verdict(name, raw, **more)
    assert isinstance(rejected, Rejected), rejected
    return rejected


def test_a_call_says_where_it_stands_and_how_it_was_found() -> None:
    call = verdict("ping", {})
    assert call == Call("ping", {}, dialect="test", evidence="marked", span=(4, 9))


# --- refusals --------------------------------------------------------------------------------------------------------


def test_unknown_tool_names_the_nearest() -> None:
    rejected = refused("reserv", {"room": "A", "seat": 1})
    assert rejected.reason == "unknown_tool"
    assert rejected.name == "reserv"
    assert rejected.text == TEXT[4:9]
    assert rejected.span == (4, 9)
    assert rejected.problems[:2] == ("there is no tool 'reserv'", "reserve")


@pytest.mark.parametrize("name", ["<tool name>", "工具名", "{tool_name}", "$TOOL", "..."])
def test_a_placeholder_for_a_name(name: str) -> None:
    assert refused(name, {}).reason == "placeholder"


def test_cut_is_refused_even_when_it_would_be_valid() -> None:
    rejected = refused("note", {"text": "half a sen"}, cut=True)
    assert rejected.reason == "cut"
    assert rejected.name == "note"


@pytest.mark.parametrize("raw", ['{"room": "A", "seat": 1, "quiet": tr', '{"text": "half'])
def test_encoded_arguments_that_are_cut(raw: str) -> None:
    assert refused("reserve" if "room" in raw else "note", raw).reason in ("cut", "malformed")


def test_missing_and_wrong_arguments_come_with_problems_in_words() -> None:
    rejected = refused("reserve", {"seat": "window"})
    assert rejected.reason == "invalid_arguments"
    assert rejected.arguments == {"seat": "window"}
    assert any("room" in problem for problem in rejected.problems)
    assert any("seat" in problem for problem in rejected.problems)


@pytest.mark.parametrize("raw", ["North, 7", 7, ["North", 7], [1, 2]])
def test_arguments_that_are_no_object(raw: Any) -> None:
    rejected = refused("reserve", raw)
    assert rejected.reason == "malformed"
    assert "room, seat" in rejected.problems[0] or "object" in rejected.problems[0]


@pytest.mark.parametrize("key", ["confirm", "language", "unit"])
def test_a_key_that_means_something_else_is_not_the_only_parameter(key: str) -> None:
    rejected = refused("note", {key: "no"})
    assert rejected.reason == "invalid_arguments"
    assert "text" in rejected.problems[0]


def test_too_many_positional_arguments() -> None:
    rejected = refused("note", Arguments(("a", "b"), {}))
    assert rejected.reason == "malformed"
    assert rejected.problems == ("2 positional arguments, but only 1 parameters are free",)


@pytest.mark.parametrize(
    "text", ["<text>", "...", "…", "{text}", "{{ text }}", "$TEXT", "[insert text here]", "【内容】", "xxx", "参数值"]
)
def test_placeholders(text: str) -> None:
    assert refused("note", {"text": text}).reason == "placeholder"


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "wait...", "{", "5 $", "[x]", "<b>bold</b> text", "f(x) = {x}", "xx", "$5", "the text"]
)
def test_what_only_resembles_a_placeholder(text: str) -> None:
    assert taken("note", {"text": text}) == ({"text": text}, [])


@pytest.mark.parametrize(
    "text", ["see <result of reserve>", "use {{reserve.seat}}", "座位（上一步的结果）", "as {reserve.output} says"]
)
def test_a_later_call_may_not_lean_on_a_result(text: str) -> None:
    assert refused("note", {"text": text}, later=True).reason == "placeholder"
    assert taken("note", {"text": text}) == ({"text": text}, [])


def test_a_placeholder_deep_inside_is_found() -> None:
    assert placeholder_in({"a": [{"b": "<name>"}]}) == "<name>"
    assert placeholder_in({"a": [{"b": "name"}]}) == ""


def test_a_schema_as_arguments() -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    assert refused("note", schema).reason == "placeholder"
    assert refused("reserve", {"room": {"type": "string"}, "seat": {"type": "integer"}}).reason in (
        "placeholder",
        "invalid_arguments",
    )


# --- forms of arguments ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [None, "", [], {}, "{}", "None", "null", "无", "N/A"])
def test_no_arguments(raw: Any) -> None:
    assert taken("ping", raw)[0] == {}


@pytest.mark.parametrize(
    ("name", "raw", "arguments", "fixes"),
    [
        ("note", {"text": "a"}, {"text": "a"}, []),
        ("note", "a", {"text": "a"}, ["only_parameter"]),
        ("note", ' "a" ', {"text": "a"}, ["only_parameter"]),
        ("note", "`a`", {"text": "a"}, ["only_parameter"]),
        ("note", "“a”", {"text": "a"}, ["only_parameter", "fullwidth_punctuation"]),
        ("note", 'say "a"', {"text": 'say "a"'}, ["only_parameter"]),
        ("note", '{"text": "a"}', {"text": "a"}, []),
        ("note", "{'text': 'a'}", {"text": "a"}, ["other_quotes"]),
        ("note", "{x | x > 2}", {"text": "{x | x > 2}"}, ["only_parameter"]),
        ("note", 'text = "a, b"', {"text": "a, b"}, ["bare_key"]),
        ("note", "text：甲", {"text": "甲"}, ["bare_key"]),
        ("note", 5, {"text": "5"}, ["only_parameter", "number_to_text"]),
        ("note", {"query": "a"}, {"text": "a"}, ["only_parameter"]),
        ("note", {"note_text": "a"}, {"text": "a"}, ["key_spelling"]),
        ("note", {"txet": "a"}, {"text": "a"}, ["key_spelling"]),
        ("note", {"arguments": {"text": "a"}}, {"text": "a"}, ["unwrapped"]),
        ("note", {"note": {"text": "a"}}, {"text": "a"}, ["unwrapped"]),
        ("note", {"input": '{"text": "a"}'}, {"text": "a"}, ["unwrapped"]),
        ("note", {"name": "note", "arguments": {"text": "a"}}, {"text": "a"}, ["unwrapped"]),
        ("note", {"type": "object", "properties": {"text": "a"}}, {"text": "a"}, ["unwrapped"]),
        ("note", [{"text": "a"}], {"text": "a"}, ["array_to_single"]),
        ("note", [{"name": "text", "value": "a"}, {"name": "more", "value": 1}], {"text": "a"}, ["unwrapped", "extra_dropped"]),
        ("total", [1, 2], {"items": [1, 2]}, ["only_parameter"]),
        ("reserve", "room=North, seat=7", {"room": "North", "seat": 7}, ["bare_key", "text_to_number"]),
        ("reserve", "room: North\nseat: 7", {"room": "North", "seat": 7}, ["bare_key", "text_to_number"]),
        ("reserve", "room：“北”，seat：7", {"room": "北", "seat": 7}, ["bare_key", "fullwidth_punctuation", "text_to_number"]),
        ("reserve", Arguments(("North", 7), {}), {"room": "North", "seat": 7}, ["positional", "positional"]),
        ("reserve", Arguments((), {"seat": 7, "room": "North"}), {"room": "North", "seat": 7}, []),
        ("reserve", Arguments(({"room": "North", "seat": 7},), {}), {"room": "North", "seat": 7}, []),
        ("reserve", {"room": "North", "seat": 7, "colour": "red"}, {"room": "North", "seat": 7}, ["extra_dropped"]),
        ("free", {"a": "x", "b": 2}, {"a": "x", "b": 2}, []),
    ],
)
def test_form(name: str, raw: Any, arguments: dict[str, Any], fixes: list[str]) -> None:
    assert taken(name, raw) == (arguments, fixes)


def test_reading_numbers_is_no_fix_where_every_value_is_text() -> None:
    assert taken("reserve", {"room": "7", "seat": "7", "quiet": "true"}, typeless=True) == (
        {"room": "7", "seat": 7, "quiet": True},
        [],
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("a", "a"),
        (' "a b" ', "a b"),
        ("'it''s'", "'it''s'"),
        ('"a" or "b"', '"a" or "b"'),
        ("「甲」", "甲"),
        ('"a', '"a'),
        ('"', '"'),
        ("", ""),
    ],
)
def test_unquoted(written: str, value: str) -> None:
    assert unquoted(written)[0] == value
