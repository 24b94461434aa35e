"""Chat completions with tools, through real sockets, as the client of others sees them."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest

from tests.support.server import Fail, Reply, ScriptedServer

from .proxying import CALL, HOTEL, TIME, WEATHER, ask, client, proxy, wrapped


def whole(script: Any, **more: Any) -> tuple[Any, list[Any]]:
    """The raw response of a request with tools, and what the upstream was asked."""
    with ScriptedServer(script) as upstream, proxy(upstream.base_url) as url, client(url) as openai_client:
        fields: Any = {"model": "m", "messages": ask(), "tools": [WEATHER], **more}
        raw = openai_client.chat.completions.with_raw_response.create(**fields)
        return raw, upstream.requests


OSLO = '{"city": "Oslo"}'
TEXT = {"extra_headers": {"X-React-Agent-Mode": "text"}}


def test_a_call_written_as_text_comes_as_a_tool_call() -> None:
    raw, requests = whole([CALL], **TEXT)
    choice = raw.parse().choices[0]
    assert choice.finish_reason == "tool_calls"
    assert choice.message.content is None
    assert choice.message.tool_calls[0].function.name == "get_weather"
    assert json.loads(choice.message.tool_calls[0].function.arguments) == {"city": "Oslo", "days": 3}
    assert choice.message.tool_calls[0].id.startswith("call_")
    assert "tools" not in requests[0].body
    assert raw.headers["x-react-agent-mode"] == "text"
    assert raw.headers["x-react-agent-dialect"] == "hermes"
    assert raw.headers["x-react-agent-fixes"] == "text_to_number"


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_reply_that_was_cut_says_so_and_is_not_asked_again(reason: str) -> None:
    for more in (TEXT, {}, {"tools": [], **TEXT}):
        raw, requests = whole([Reply("The sea is", finish=reason)], **more)
        choice = raw.parse().choices[0]
        assert (choice.finish_reason, choice.message.content, len(requests)) == (reason, "The sea is", 1)


def test_a_call_that_leaks_into_native_content_comes_as_a_tool_call() -> None:
    raw, requests = whole([CALL])
    assert raw.parse().choices[0].message.tool_calls[0].function.name == "get_weather"
    assert requests[0].body["tools"][0]["function"]["name"] == "get_weather"


def test_a_server_that_refuses_tools_is_asked_in_text() -> None:
    raw, requests = whole([Fail(400, "this model does not support tools"), CALL])
    assert raw.parse().choices[0].finish_reason == "tool_calls"
    assert "tools" not in requests[1].body


def test_native_calls_come_as_they_are() -> None:
    raw, _ = whole([Reply(calls=[("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Bergen"})])])
    calls = raw.parse().choices[0].message.tool_calls
    assert [json.loads(call.function.arguments)["city"] for call in calls] == ["Oslo", "Bergen"]
    assert raw.headers["x-react-agent-mode"] == "native"


def test_one_call_at_a_time_when_that_is_wanted() -> None:
    reply = Reply(calls=[("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Bergen"})])
    raw, _ = whole([reply], parallel_tool_calls=False)
    assert len(raw.parse().choices[0].message.tool_calls) == 1


WEATHER_CALL = wrapped("get_weather", city="Oslo")
BOOKING = wrapped("book_hotel", city="Oslo", price=240)
LISTED = f"[{WEATHER_CALL[12:-13]}, {BOOKING[12:-13]}]"
LATE = ["call_dropped"]


@pytest.mark.parametrize(
    ("said", "written", "parallel", "made", "signs"),
    [
        ("A room for 240?", f"{WEATHER_CALL}\n{BOOKING}", True, ["get_weather", "book_hotel"], []),
        ("A room for 240?", f"{WEATHER_CALL}\n{BOOKING}", False, ["get_weather"], LATE),
        ("A room?", f"{WEATHER_CALL}\n{BOOKING}", True, ["get_weather"], LATE),
        ("A room?", LISTED, True, ["get_weather"], LATE),
        ("A room?", f"{WEATHER_CALL}\nObservation: 240\n{BOOKING}", True, ["get_weather"], []),
        ("A room?", f"{WEATHER_CALL}\n{wrapped('book_hotel')}", True, ["get_weather"], LATE),
    ],
    ids=["both", "one at a time", "an invented price", "an invented price in a list", "an invented result", "an invalid call"],
)
def test_calls_of_two_tools_in_one_reply(said: str, written: str, parallel: bool, made: list[str], signs: list[str]) -> None:
    raw, _ = whole([written], messages=ask(said), tools=[WEATHER, HOTEL], parallel_tool_calls=parallel, **TEXT)
    assert [call.function.name for call in raw.parse().choices[0].message.tool_calls] == made
    assert raw.headers["x-react-agent-fixes"] == (",".join(signs) or "none")


def test_a_number_from_nowhere_is_sent_back_once() -> None:
    raw, requests = whole([BOOKING, WEATHER_CALL], messages=ask("A room?"), tools=[WEATHER, HOTEL], **TEXT)
    assert [call.function.name for call in raw.parse().choices[0].message.tool_calls] == ["get_weather"]
    assert "price" in requests[1].body["messages"][-1]["content"]
    raw, requests = whole([BOOKING] * 3, messages=ask("A room?"), tools=[WEATHER, HOTEL], **TEXT)
    assert [call.function.name for call in raw.parse().choices[0].message.tool_calls] == ["book_hotel"]
    assert len(requests) == 2


def test_numbers_of_the_instructions_are_known() -> None:
    messages: Any = [{"role": "system", "content": "Rooms cost 240."}, *ask("A room?")]
    raw, _ = whole([f"{WEATHER_CALL}\n{BOOKING}"], messages=messages, tools=[WEATHER, HOTEL], **TEXT)
    assert len(raw.parse().choices[0].message.tool_calls) == 2


def test_an_answer_is_the_answer() -> None:
    raw, _ = whole(["最终答案：晴"], messages=ask("奥斯陆天气怎么样？"), **TEXT)
    choice = raw.parse().choices[0]
    assert (choice.message.content, choice.finish_reason, choice.message.tool_calls) == ("晴", "stop", None)


def test_an_invalid_call_is_asked_for_again() -> None:
    raw, requests = whole([CALL.replace("city", "town"), CALL], **TEXT)
    assert raw.parse().choices[0].message.tool_calls
    assert raw.headers["x-react-agent-requests"] == "2"
    assert "city" in requests[1].body["messages"][-1]["content"]
    assert raw.parse().usage.completion_tokens == 6


def test_what_still_fails_is_text_with_the_reason() -> None:
    raw, requests = whole([CALL.replace("city", "town")] * 3, **TEXT)
    message = raw.parse().choices[0].message
    assert len(requests) == 3
    assert message.tool_calls is None
    assert "get_weather" in message.content
    assert "city" in message.content


def test_repair_can_be_switched_off() -> None:
    headers = {"X-React-Agent-Mode": "text", "X-React-Agent-Repair": "off"}
    raw, requests = whole([CALL.replace("city", "town")], extra_headers=headers)
    assert len(requests) == 1
    assert raw.parse().choices[0].finish_reason == "stop"


def test_a_call_can_be_demanded() -> None:
    raw, requests = whole(["It is sunny.", CALL], tool_choice="required", **TEXT)
    assert raw.parse().choices[0].finish_reason == "tool_calls"
    assert len(requests) == 2


def test_a_named_tool_is_the_only_one() -> None:
    named = {"type": "function", "function": {"name": "get_weather"}}
    raw, requests = whole([CALL], tools=[WEATHER, TIME], tool_choice=named, **TEXT)
    assert raw.parse().choices[0].message.tool_calls[0].function.name == "get_weather"
    assert "get_time" not in json.dumps(requests[0].body)


def test_no_tool_may_be_called() -> None:
    raw, requests = whole([CALL], tool_choice="none")
    choice = raw.parse().choices[0]
    assert (choice.message.content, choice.message.tool_calls) == (CALL, None)
    assert "get_weather" not in json.dumps(requests[0].body)


def test_the_history_of_another_client_is_told_in_text() -> None:
    messages: Any = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather in Oslo?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "x", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "x", "content": "rain"},
    ]
    raw, requests = whole(["It rains."], messages=messages, **TEXT)
    assert raw.parse().choices[0].message.content == "It rains."
    roles = [message["role"] for message in requests[0].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "Be brief." in requests[0].body["messages"][0]["content"]
    assert "Oslo" in requests[0].body["messages"][2]["content"]
    assert "rain" in requests[0].body["messages"][3]["content"]


def test_other_fields_travel_on() -> None:
    _, requests = whole([CALL], seed=7, top_p=0.5, stop=["END"], max_completion_tokens=9, user="u", **TEXT)
    body = requests[0].body
    assert (body["seed"], body["top_p"], body["user"]) == (7, 0.5, "u")
    assert body["stop"][0] == "END"
    assert 9 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    assert "temperature" not in body


def test_several_answers() -> None:
    raw, requests = whole(lambda body: CALL, n=3, **TEXT)
    completion = raw.parse()
    assert [choice.index for choice in completion.choices] == [0, 1, 2]
    assert len({choice.message.tool_calls[0].id for choice in completion.choices}) == 3
    assert len(requests) == 3


SCHEMA: Any = {
    "type": "json_schema",
    "json_schema": {
        "name": "city",
        "schema": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
            "required": ["name", "size"],
        },
    },
}


def test_an_answer_in_a_shape_is_repaired() -> None:
    raw, _ = whole(["Sure:\n```json\n{'name': 'Oslo', 'size': '7'}\n```"], tools=openai.omit, response_format=SCHEMA)
    assert json.loads(raw.parse().choices[0].message.content) == {"name": "Oslo", "size": 7}
    assert "text_to_number" in raw.headers["x-react-agent-fixes"]


def test_an_answer_in_another_shape_is_asked_for_again() -> None:
    raw, requests = whole(['{"name": "Oslo"}', '{"name": "Oslo", "size": 7}'], tools=openai.omit, response_format=SCHEMA)
    assert json.loads(raw.parse().choices[0].message.content)["size"] == 7
    assert "size" in requests[1].body["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
        ({"tool_choice": "sometimes"}, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {"name": "nobody"}}}, "tool_choice"),
        ({"tools": [{"type": "web_search"}]}, "tools[0]"),
        ({"tools": [WEATHER, WEATHER]}, "tools"),
        ({"n": 0}, "n"),
        ({"temperature": "warm"}, "temperature"),
    ],
)
def test_nonsense_is_refused_in_the_shape_of_the_api(more: Any, param: str) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        whole([], **more)
    assert caught.value.param == param


@pytest.mark.parametrize(
    ("reply", "status"), [(Fail(401, "no"), 502), (Fail(404, "no such model"), 404), (Fail(429, "slow"), 429), (Fail(500), 502)]
)
def test_failures_of_the_upstream_have_their_status(reply: Fail, status: int) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        whole([reply])
    assert caught.value.status_code == status


@pytest.mark.parametrize("stream", [False, True])
def test_what_repeats_itself_comes_as_it_was_written(stream: bool) -> None:
    written = "|  |  |  |\n" * 1_000 + "The table is empty."
    with ScriptedServer([written]) as upstream, proxy(upstream.base_url) as url, client(url) as asking:
        fields: Any = {"model": "m", "messages": ask(), "tools": [WEATHER], "extra_headers": {"X-React-Agent-Mode": "text"}}
        if stream:
            with asking.chat.completions.create(stream=True, **fields) as chunks:
                said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        else:
            said = asking.chat.completions.create(**fields).choices[0].message.content or ""
    assert said == written


INVENTS = "Thought: hm\nObservation: 9 degrees\nThought: fine.\nFinal Answer: It is 9 degrees."


def test_an_answer_from_an_observation_that_nobody_made_is_sent_back_once() -> None:
    raw, requests = whole([INVENTS, CALL], **TEXT)
    assert raw.parse().choices[0].finish_reason == "tool_calls"
    assert "9 degrees" not in json.dumps(requests[1].body)


def test_an_observation_that_is_repeated_after_the_clients_result_is_no_fault() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": OSLO}}
    said = [*ask(), {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c1", "content": "9 degrees"}]
    raw, requests = whole([INVENTS], messages=said, **TEXT)
    assert (len(requests), raw.parse().choices[0].message.content) == (1, "It is 9 degrees.")
