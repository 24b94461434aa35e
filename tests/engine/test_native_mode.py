"""Runs with native tool calls, good and bad, and the fall to text.  Numbers are the scenarios that users have reported."""

from __future__ import annotations

import json

import pytest

from react_agent.events import AnswerDelta, ModelChunk, ModelFailure, TextDelta, ToolCallDelta
from react_agent.messages import Outcome

from .playing import ADD, INT, TEXT, action, answer, native, play, tool

WEATHER = tool("get_weather", lambda city: f"{city}: dry", city=TEXT)
CLOCK = tool("get_time", lambda: "12:00")


def tool_calls(message: dict) -> list[tuple[str, str, str]]:
    return [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]


@pytest.mark.parametrize("said", ["Final Answer: 3 it is", 'Action: {"type": "final_answer", "content": "3 it is"}'])
def test_an_answer_beside_a_native_call_is_told_as_prose(said: str) -> None:
    """Streams tell the text first, so that a call follows cannot be known yet."""
    reply = [*(ModelChunk(letter) for letter in said), native(("add", '{"a":1,"b":2}'))]
    ran = play([reply, "Final Answer: 3"], ADD, mode="native")
    assert (ran.result.answer, len(ran.ran)) == ("3", 1)
    assert [event for event in ran.events if isinstance(event, AnswerDelta)] == []
    assert "".join(event.text for event in ran.events if isinstance(event, TextDelta)) == "3 it is3"
    assert ran.requests[1].messages[2]["content"] == "3 it is"


def test_a_native_call_that_nobody_asked_for_does_not_take_back_an_answer() -> None:
    ran = play([native(("add", '{"a":1,"b":2}'), text="Final Answer: 3")], ADD, mode="text")
    assert (ran.result.answer, ran.ran) == ("3", [])
    assert [event.text for event in ran.events if isinstance(event, AnswerDelta)] == ["3"]


def test_a_native_run() -> None:
    ran = play([native(("add", '{"a": 2, "b": 40}')), "42"], ADD, mode="native")
    assert ran.result.answer == "42"
    assert ran.result.mode == "native"
    first, second = ran.requests
    assert [each["function"]["name"] for each in first.tools] == ["add"]
    assert first.stop == ()
    assert tool_calls(second.messages[2]) == [("id_0", "add", '{"a":2,"b":40}')]
    assert second.messages[3] == {"role": "tool", "tool_call_id": "id_0", "content": "42"}


def test_native_pieces_are_put_together() -> None:
    pieces = [
        ModelChunk(tool_calls=(ToolCallDelta(0, "c1", "add"),)),
        ModelChunk(tool_calls=(ToolCallDelta(0, arguments='{"a": 2,'), ToolCallDelta(1, "c2", "get_time", "{}"))),
        ModelChunk(tool_calls=(ToolCallDelta(0, arguments=' "b": 40}'),)),
        ModelChunk(finish_reason="tool_calls", last=True),
    ]
    ran = play([pieces, "42"], ADD, CLOCK, mode="native")
    assert ran.ran == [("add", {"a": 2, "b": 40}), ("get_time", {})]


def test_08_a_ghost_call_on_a_greeting() -> None:
    ran = play(['{"name":"Skill","arguments":{"name":"none"}}', "Hello, how can I help?"], ADD, task="hello", mode="native")
    assert ran.ran == []
    assert ran.result.answer == "Hello, how can I help?"
    assert len(ran.corrections) == 1
    assert "Skill" not in "".join(event.text for event in ran.events if isinstance(event, TextDelta))


@pytest.mark.parametrize("kind", ["tools_refused"])
@pytest.mark.parametrize("message", ["m does not support tools", "tool parser could not locate tool call start/end tokens"])
def test_31_32_a_server_that_refuses_tools(kind: str, message: str) -> None:
    ran = play([ModelFailure(kind, message, 400), action("add", a=2, b=40), answer("42")], ADD, mode="auto")  # type: ignore[arg-type]
    assert ran.result.answer == "42"
    assert ran.result.mode == "text"
    assert ran.learned == {"native": False}
    assert [bool(request.tools) for request in ran.requests] == [True, False, False]
    assert len(ran.result.steps) == 2
    assert message in ran.modes[0].why


def test_a_refusal_is_an_error_when_native_is_demanded() -> None:
    ran = play([ModelFailure("tools_refused", "m does not support tools")], ADD, mode="native")
    assert ran.result.outcome is Outcome.SERVER_ERROR
    assert ran.result.answer is None
    assert ran.result.error == "m does not support tools"


def test_35_a_server_that_refuses_stop_words() -> None:
    invented = action("add", a=2, b=40) + "\nObservation: 7"
    ran = play([ModelFailure("stop_refused", "no stop", 400), invented, answer("42")], ADD)
    assert [bool(request.stop) for request in ran.requests] == [True, False, False]
    assert ran.result.answer == "42"
    assert "7" not in ran.said(3)


def test_41_python_literals_as_arguments() -> None:
    ran = play([native(("get_weather", "{'city': 'Paris'}")), "dry"], WEATHER, mode="native")
    assert ran.ran == [("get_weather", {"city": "Paris"})]
    assert tool_calls(ran.requests[1].messages[2])[0][2] == '{"city":"Paris"}'


@pytest.mark.parametrize(
    ("arguments", "fixes"),
    [
        ('"{\\"city\\": \\"Paris\\"}"', []),
        ('[{"city": "Paris"}]', ["array_to_single"]),
        ('{"arguments": {"city": "Paris"}}', ["unwrapped"]),
        ('{"city": "Paris"}}', ["text_around"]),
        ('```json\n{"city": "Paris"}\n```', ["text_around"]),
        ('{"city": "Paris"}<|im_end|>', ["text_around"]),
        ('{"city": "Paris"} I hope this helps.', ["text_around"]),
        ('{"city": "Paris",}', ["trailing_comma"]),
        ("{'city': 'Paris'}", ["other_quotes"]),
    ],
)
def test_arguments_as_servers_write_them(arguments: str, fixes: list[str]) -> None:
    ran = play([native(("get_weather", arguments)), "dry"], WEATHER, mode="native")
    assert ran.ran == [("get_weather", {"city": "Paris"})]
    assert [fix.name for fix in ran.result.steps[0].calls[0].fixes] == fixes
    assert tool_calls(ran.requests[1].messages[2])[0][2] == '{"city":"Paris"}'


@pytest.mark.parametrize(
    ("arguments", "cities"),
    [
        ('{"city": "Paris"}{"city": "Oslo"}', ["Paris", "Oslo"]),
        ('{"city": "Paris"}\n\n{"city": "Oslo"} {"city": "Bonn"}', ["Paris", "Oslo", "Bonn"]),
        ('{"city": "Paris"}{"city":"Paris"}', ["Paris"]),
        ('{}{"city": "Paris"}', ["Paris"]),
    ],
)
def test_arguments_of_several_calls_in_one_are_so_many_calls(arguments: str, cities: list[str]) -> None:
    ran = play([native(("get_weather", arguments)), "dry"], WEATHER, mode="native")
    assert ran.ran == [("get_weather", {"city": city}) for city in cities]
    said, *results = ran.requests[1].messages[2:]
    assert [message["tool_call_id"] for message in results] == [id for id, _, _ in tool_calls(said)]
    assert len({id for id, _, _ in tool_calls(said)}) == len(cities)


def test_empty_objects_of_a_tool_without_parameters_are_one_call() -> None:
    assert play([native(("get_time", "{}{}")), "noon"], CLOCK, mode="native").ran == [("get_time", {})]


@pytest.mark.parametrize("arguments", ["null", "", "  ", "{}"])
def test_43_no_arguments(arguments: str) -> None:
    ran = play([native(("get_time", arguments)), "noon"], CLOCK, mode="native")
    assert ran.ran == [("get_time", {})]


def test_46_doubled_ids() -> None:
    ran = play([native(("add", '{"a":1,"b":2}', "call_0"), ("get_time", "{}", "call_0")), "ok"], ADD, CLOCK, mode="native")
    assert [name for name, _ in ran.ran] == ["add", "get_time"]
    said, *results = ran.requests[1].messages[2:]
    ids = [id for id, _, _ in tool_calls(said)]
    assert len(set(ids)) == 2
    assert [(message["tool_call_id"], message["content"]) for message in results] == [(ids[0], "3"), (ids[1], "12:00")]


def test_46_ids_doubled_over_two_replies() -> None:
    ran = play([native(("add", '{"a":1,"b":2}', "c")), native(("add", '{"a":3,"b":4}', "c")), "ok"], ADD, mode="native")
    ids = [call[0] for message in ran.requests[2].messages if "tool_calls" in message for call in tool_calls(message)]
    assert len(set(ids)) == 2


def test_47_empty_ids() -> None:
    ran = play([native(("add", '{"a":1,"b":2}', ""), ("get_time", "{}", "")), "ok"], ADD, CLOCK, mode="native")
    ids = [id for id, _, _ in tool_calls(ran.requests[1].messages[2])]
    assert all(ids)
    assert len(set(ids)) == 2
    assert [message["tool_call_id"] for message in ran.requests[1].messages[3:]] == ids


def test_49_text_beside_a_native_call_is_no_answer() -> None:
    ran = play([native(("add", '{"a":1,"b":2}'), text="Completed."), "Final Answer: 3"], ADD, mode="native")
    assert ran.ran == [("add", {"a": 1, "b": 2})]
    assert ran.result.answer == "3"
    assert ran.requests[1].messages[2]["content"] == "Completed."


def test_50_the_same_call_native_and_as_text() -> None:
    text = '<tool_call>\n{"name": "add", "arguments": {"b": 2, "a": 1}}\n</tool_call>'
    ran = play([native(("add", '{"a":1,"b":2}'), text=text), "3"], ADD, mode="native")
    assert len(ran.ran) == 1
    assert "<tool_call>" not in "".join(event.text for event in ran.events if isinstance(event, TextDelta))
    assert ran.requests[1].messages[2]["content"] == ""


def test_another_call_as_text_beside_a_native_one_runs_too() -> None:
    text = '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>'
    ran = play([native(("add", '{"a":1,"b":2}'), text=text), "ok"], ADD, CLOCK, mode="native")
    assert [name for name, _ in ran.ran] == ["add", "get_time"]
    said, *results = ran.requests[1].messages[2:]
    assert [message["tool_call_id"] for message in results] == [id for id, _, _ in tool_calls(said)]


def test_52_first_native_then_text() -> None:
    glm = "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>"
    bare = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
    ran = play([native(("get_weather", '{"city": "Lima"}')), glm, bare, "all dry"], WEATHER, mode="native")
    assert [arguments["city"] for _, arguments in ran.ran] == ["Lima", "Paris", "Oslo"]
    assert ran.result.answer == "all dry"
    roles = [message["role"] for message in ran.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user", "assistant", "user"]


def test_53_null_content_and_no_call() -> None:
    ran = play([ModelChunk(finish_reason="stop", last=True), "Final Answer: ok"], ADD, mode="native")
    assert ran.result.answer == "ok"
    assert [event.reason for event in ran.corrections] == ["empty"]


def test_55_a_call_drafted_in_reasoning_is_not_made() -> None:
    draft = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
    ran = play([ModelChunk("It is dry.", reasoning=draft, finish_reason="stop", last=True)], WEATHER, mode="native")
    assert ran.ran == []
    assert ran.result.answer == "It is dry."
    assert ran.result.steps[0].thought == draft


def test_59_a_length_cut_call_is_not_run() -> None:
    write = tool("write_file", lambda **_: "ok", text=TEXT)
    ran = play(
        [
            native(("get_time", "{}"), ("write_file", '{"text": "half'), finish="length"),
            native(("write_file", '{"text": "short"}', "x")),
            "done",
        ],
        CLOCK,
        write,
        mode="native",
    )
    assert ran.ran == [("write_file", {"text": "short"})]
    results = [message for message in ran.requests[1].messages if message["role"] == "tool"]
    assert len(results) == 2
    assert all("cut off" in message["content"] for message in results)


def test_61_a_cut_call_in_disguise() -> None:
    write = tool("write_file", lambda **_: "ok", text=TEXT)
    ran = play(
        [native(("write_file", '{"text": "half')), native(("write_file", '{"text": "all"}')), "done"], write, mode="native"
    )
    assert ran.ran == [("write_file", {"text": "all"})]
    assert [event.reason for event in ran.corrections] == ["cut"]


def test_62_broken_json_is_no_length_problem() -> None:
    run = tool("run", lambda **_: "ok", action={"type": "string", "enum": ["list_windows"]})
    ran = play(
        [native(("run", '{"action": lst_windows"}')), native(("run", '{"action": "list_windows"}')), "ok"], run, mode="native"
    )
    assert ran.ran == [("run", {"action": "list_windows"})]
    assert ran.corrections[0].reason in ("malformed", "invalid_arguments")
    assert "cut off" not in ran.corrections[0].text


def test_74_parallel_calls_one_bad() -> None:
    calls = (("add", '{"a":1,"b":2}', "x"), ("add", '{"a":"one","b":2}', "y"), ("get_time", "{}", "z"))
    ran = play([native(*calls), "ok"], ADD, CLOCK, mode="native")
    assert [name for name, _ in ran.ran] == ["add", "get_time"]
    said, *results = ran.requests[1].messages[2:]
    assert [id for id, _, _ in tool_calls(said)] == ["x", "y", "z"]
    assert [message["tool_call_id"] for message in results] == ["x", "y", "z"]
    assert "integer" in results[1]["content"]
    assert [result.status for result in ran.result.steps[0].results] == ["ok", "refused", "ok"]


def test_bad_native_calls_only_are_told_and_end_the_run() -> None:
    ran = play([native(("sub", "{}", str(number))) for number in range(3)] + ["I have no such tool."], ADD, mode="native")
    assert ran.ran == []
    assert ran.guards == ["bad_call"]
    assert ran.result.outcome is Outcome.LOOP_GUARD
    assert ran.result.answer == "I have no such tool."
    assert ran.requests[-1].tools == ()
    texts = [event.text for event in ran.corrections]
    assert len(set(texts)) == len(texts)


def test_a_call_without_a_name_is_told() -> None:
    ran = play([native(("", '{"a": 1}')), native(("add", '{"a":1,"b":2}')), "3"], ADD, mode="native")
    assert ran.ran == [("add", {"a": 1, "b": 2})]
    assert ran.result.answer == "3"


def test_79_names_that_the_api_does_not_take() -> None:
    chinese = tool("查询 天气", lambda **_: "晴", city=TEXT)

    def reply(request) -> ModelChunk:
        return native((request.tools[0]["function"]["name"], '{"city": "北京"}'))

    ran = play([reply, "晴"], chinese, mode="native", task="北京的天气")
    alias = ran.requests[0].tools[0]["function"]["name"]
    assert alias.isascii()
    assert ran.ran == [("查询 天气", {"city": "北京"})]
    assert ran.result.steps[0].calls[0].name == "查询 天气"
    assert tool_calls(ran.requests[1].messages[2])[0][1] == alias


def test_a_leak_is_used_and_the_run_goes_on_as_text() -> None:
    leak = 'I add.\n```json\n{"name": "add", "arguments": {"a": 2, "b": 40}}\n```'
    ran = play([leak, answer("42")], ADD, mode="auto")
    assert ran.ran == [("add", {"a": 2, "b": 40})]
    assert len(ran.requests) == 2
    assert ran.requests[1].tools == ()
    assert ran.requests[1].messages[2]["content"].startswith('Thought: I add.\nAction: {"type": "tool_call"')
    assert ran.requests[1].messages[3]["content"] == "Observation: 42"
    assert (ran.modes[0].before, ran.modes[0].after) == ("native", "text")
    assert ran.learned == {"native": False}
    assert ran.result.mode == "text"


def test_a_leak_where_native_is_demanded_stays_native() -> None:
    leak = '```json\n{"name": "add", "arguments": {"a": 2, "b": 40}}\n```'
    ran = play([leak, "42"], ADD, mode="native")
    assert ran.ran == [("add", {"a": 2, "b": 40})]
    assert ran.requests[1].tools != ()
    assert ran.learned == {}


def test_native_calls_before_the_fall_are_kept_as_text() -> None:
    leak = '<tool_call>\n{"name": "add", "arguments": {"a": 3, "b": 4}}\n</tool_call>'
    ran = play([native(("add", '{"a":1,"b":2}')), leak, answer("7")], ADD, mode="auto")
    contents = [message["content"] for message in ran.requests[2].messages]
    assert json.loads(contents[2].removeprefix("Action: ")) == {"type": "tool_call", "name": "add", "args": {"a": 1, "b": 2}}
    assert contents[3] == "Observation: 3"
    assert ran.requests[2].messages[-1]["content"] == "Observation: 7"


def test_a_plain_answer_in_auto_mode_changes_nothing() -> None:
    ran = play(["Hello!"], ADD, mode="auto", task="hello")
    assert ran.modes == []
    assert ran.result.answer == "Hello!"


def test_16_repeated_native_calls_are_refused_under_their_own_ids() -> None:
    calls = [native(("get_weather", '{"city": "Oslo"}', f"n{number}")) for number in range(3)]
    ran = play([*calls, "dry"], WEATHER, mode="native")
    assert len(ran.ran) == 2
    assert ran.guards == ["repeated_call"]
    last = ran.requests[-1].messages
    assert [message["tool_call_id"] for message in last if message["role"] == "tool"] == ["n0", "n1", "n2"]


@pytest.mark.parametrize("index", range(3))
def test_parallel_calls_under_one_index_are_told_apart(index: int) -> None:
    deltas = tuple(ToolCallDelta(index, f"c{number}", "add", json.dumps({"a": number, "b": 1})) for number in range(3))
    ran = play([ModelChunk(tool_calls=deltas, finish_reason="tool_calls", last=True), "ok"], ADD, mode="native")
    assert [arguments["a"] for _, arguments in ran.ran] == [0, 1, 2]


NEXT = tool("next", lambda: "b")
NEXT_PAGE = tool("next_page", lambda: "c")


@pytest.mark.parametrize(
    ("pieces", "ran"),
    [
        ([("x", "add", '{"a":'), ("y", "add", " 2,"), ("z", "add", ' "b": 40}')], ["add"]),
        ([("x", "add", ""), ("y", "add", '{"a": 2, "b": 40}')], ["add"]),
        ([("x", "add", '{"a": 2'), ("y", "add", ', "b": 40}'), ("z", "add", '{"a": 1, "b": 1}')], ["add", "add"]),
        ([("x", "ad", ""), ("", "d", ""), ("", "", '{"a": 2, "b": 40}')], ["add"]),
        ([("x", "ne", ""), ("", "xt_", ""), ("", "page", "{}")], ["next_page"]),
        ([("", "next", ""), ("", "next_page", "")], ["next", "next_page"]),
    ],
)
def test_one_index_for_all_with_names_and_ids_in_pieces(pieces: list[tuple[str, str, str]], ran: list[str]) -> None:
    deltas = tuple(ToolCallDelta(0, *piece) for piece in pieces)
    reply = ModelChunk(tool_calls=deltas, finish_reason="tool_calls", last=True)
    assert [name for name, _ in play([reply, "ok"], ADD, NEXT, NEXT_PAGE, mode="native").ran] == ran


FILES = tool("list_files", lambda folder="": folder, required=(), folder=TEXT)
DOCS = '{"folder": "docs"}'


@pytest.mark.parametrize("same_index", [False, True])
@pytest.mark.parametrize(
    ("arguments", "folders"),
    [
        (["", DOCS], [None, "docs"]),
        ([DOCS, ""], ["docs", None]),
        (["null", DOCS], [None, "docs"]),
        (["{}", DOCS], [None, "docs"]),
        (["", '{"folder":', ' "docs"}'], [None, "docs"]),
        (['{"folder":', ' "docs"}', ""], ["docs", None]),
        ([DOCS, "", '{"folder": "src"}', '{"folder":', ' "lib"}'], ["docs", None, "src", "lib"]),
    ],
)
def test_empty_arguments_are_a_whole_call(same_index: bool, arguments: list[str], folders: list[str | None]) -> None:
    deltas = tuple(
        ToolCallDelta(0 if same_index else number, f"c{number}", "list_files", text) for number, text in enumerate(arguments)
    )
    ran = play([ModelChunk(tool_calls=deltas, finish_reason="tool_calls", last=True), "ok"], FILES, mode="native").ran
    assert [call.get("folder") for _, call in ran] == folders


def test_bounds_hold_for_a_flood_of_calls() -> None:
    flood = tuple(ToolCallDelta(number, "", "add", json.dumps({"a": number, "b": 1})) for number in range(5_000))
    ran = play([ModelChunk(tool_calls=flood, finish_reason="tool_calls", last=True), "ok"], ADD, mode="native")
    assert len(ran.ran) == 64
    said = ran.result.steps[0].results[64:]
    assert [result.status for result in said] == ["refused"]
    assert "expected at most 64 calls in one reply, got 5000" in said[0].content
    assert "Make the rest of the calls afterwards." in said[0].content
    assert [rejected.reason for rejected in ran.result.steps[0].rejected] == ["too_many"]


def test_as_many_calls_as_may_be_are_all_made() -> None:
    many = tuple(ToolCallDelta(number, "", "add", json.dumps({"a": number, "b": 1})) for number in range(64))
    ran = play([ModelChunk(tool_calls=many, finish_reason="tool_calls", last=True), "ok"], ADD, mode="native")
    assert (len(ran.ran), ran.corrections) == (64, [])


def test_arguments_nested_too_deep_are_refused() -> None:
    ran = play([native(("add", '{"a":' * 100_000)), "no"], ADD, tool("f", lambda n: n, n=INT), mode="native")
    assert ran.ran == []
    assert ran.result.answer == "no"
