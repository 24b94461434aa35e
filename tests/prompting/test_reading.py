"""Messages of the chat API as the neutral history."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.messages import Call, Message, Result
from react_agent.prompting.reading import NO_RESULT, UnreadableError, paired, read_messages


def call(id: str = "c1", name: str = "add", arguments: object = '{"a": 1}') -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_a_conversation_as_any_client_writes_it() -> None:
    read = read_messages(
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "1"}, {"type": "text", "text": "2"}]},
            {"role": "assistant", "content": None, "tool_calls": [call(), call("c2", arguments={"a": 2})]},
            {"role": "tool", "tool_call_id": "c1", "content": "one"},
            {"role": "tool", "tool_call_id": "c2", "content": ""},
            {"role": "assistant", "content": "Both."},
        ],
        "history",
    )
    assert list(read) == [
        Message("system", "Be brief."),
        Message("user", "1\n2"),
        Message("assistant", "", (Call("add", {"a": 1}, "c1"), Call("add", {"a": 2}, "c2")), native=True),
        Message("tool", result=Result("c1", "add", "one")),
        Message("tool", result=Result("c2", "add", "", "empty")),
        Message("assistant", "Both."),
    ]


def test_messages_of_both_kinds_in_one_list() -> None:
    asked = Message("assistant", "", (Call("add", {"a": 1}, "c1"),), native=True)
    said = {"role": "tool", "tool_call_id": "c1", "content": "one"}
    assert list(read_messages([asked, said], "history")) == [asked, Message("tool", result=Result("c1", "add", "one"))]


def test_results_without_an_id_belong_to_the_calls_in_order() -> None:
    calls = {"role": "assistant", "tool_calls": [call("x"), call("y", "sub"), call("z")]}
    said = [{"role": "tool", "content": "1"}, {"role": "tool", "name": "add", "content": "3"}, {"role": "tool", "content": "2"}]
    results = [message.result for message in read_messages([calls, *said], "history") if message.result]
    assert [(result.call_id, result.content) for result in results] == [("x", "1"), ("z", "3"), ("y", "2")]


def test_the_old_form_of_a_call_and_its_result() -> None:
    asked = {"role": "assistant", "content": None, "function_call": {"name": "add", "arguments": "{}"}}
    read = list(read_messages([asked, {"role": "function", "name": "add", "content": "1"}], "history"))
    assert read[1].result is not None
    assert read[1].result.call_id == read[0].calls[0].id != ""


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (5, "'history[1]' must be a message with a role, but the number 5 came"),
        ({"content": "x"}, "'history[1].role' must be"),
        ({"role": "robot", "content": "x"}, "but the string 'robot' came"),
        ({"role": "user", "content": 5}, "'history[1].content' must be a string or a list of parts, but the number 5 came"),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}, "no images"),
        ({"role": "assistant", "tool_calls": {"a": 1}}, "'history[1].tool_calls' must be a list, but an object came"),
        ({"role": "assistant", "tool_calls": [1]}, "'history[1].tool_calls[0]' must be an object"),
        ({"role": "assistant", "tool_calls": [{"function": 1}]}, "'history[1].tool_calls[0].function' must be an object"),
        ({"role": "assistant", "tool_calls": [{"function": {}}]}, "'history[1].tool_calls[0].function.name' is required"),
        ({"role": "tool", "tool_call_id": 3, "content": "x"}, "'history[1].tool_call_id' must be a string"),
        ({"role": "assistant", "tool_calls": [{"id": 1, "function": {}}]}, "'history[1].tool_calls[0].id' must be a string"),
        ({"role": "assistant", "function_call": {}}, "'history[1].function_call.name' is required"),
        ({"role": "assistant", "reasoning_content": []}, "'history[1].reasoning_content' must be a string"),
        ({"role": "user", "content": object()}, "a value of type object came"),
    ],
)
def test_what_is_no_message(message: Any, says: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        list(read_messages([{"role": "user", "content": "hi"}, message], "history"))
    assert says in str(caught.value)


def test_parts_that_are_reasoning_are_left_out() -> None:
    parts = [
        {"type": "thinking", "thinking": "Hm.", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "reasoning", "text": "Hm."},
        {"type": "text", "text": "Four."},
    ]
    assert list(read_messages([{"role": "assistant", "content": parts}], "history")) == [Message("assistant", "Four.")]


def test_objects_of_an_sdk_are_read_as_their_dicts() -> None:
    from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageFunctionToolCall
    from openai.types.chat.chat_completion_message_function_tool_call import Function

    call = ChatCompletionMessageFunctionToolCall(id="c1", type="function", function=Function(name="add", arguments='{"a": 1}'))
    whole = ChatCompletionMessage(role="assistant", content=None, tool_calls=[call])
    expected = [Message("assistant", "", (Call("add", {"a": 1}, "c1"),), native=True)]
    function = {"role": "assistant", "tool_calls": [{"id": "c1", "function": call.function}]}
    for asked in (whole, whole.model_dump(), {"role": "assistant", "tool_calls": [call]}, function):
        assert list(read_messages([asked], "history")) == expected
    said = ChatCompletionMessage(role="assistant", content="b")
    assert list(read_messages([said], "history")) == [Message("assistant", "b")]


def asking(*ids: str) -> Message:
    return Message("assistant", "", tuple(Call("add", {}, id) for id in ids), native=True)


def told(id: str) -> Message:
    return Message("tool", result=Result(id, "add", "1"))


def missing(id: str) -> Message:
    return Message("tool", result=Result(id, "add", NO_RESULT, "error"))


USER = Message("user", "hi")


@pytest.mark.parametrize(
    ("given", "sound"),
    [
        ([USER, asking("a"), told("a")], [USER, asking("a"), told("a")]),
        ([asking("a")], [asking("a"), missing("a")]),
        ([asking("a"), USER], [asking("a"), missing("a"), USER]),
        ([asking("a", "b"), told("b"), USER], [asking("a", "b"), told("b"), missing("a"), USER]),
        ([asking("a"), USER, told("a")], [asking("a"), missing("a"), USER, told("")]),
        ([asking("a", "a"), told("a"), told("a")], [asking("a", "a"), told("a"), told("a")]),
        ([asking("a"), told("a"), told("a")], [asking("a"), told("a"), told("")]),
        ([told("a"), USER], [told(""), USER]),
    ],
)
def test_every_call_gets_a_result_right_behind_it(given: list[Message], sound: list[Message]) -> None:
    assert paired(given) == sound


@given(
    st.lists(
        st.one_of(
            st.just(USER),
            st.lists(st.sampled_from("ab"), max_size=3).map(lambda ids: asking(*ids)),
            st.sampled_from("ab").map(told),
        )
    )
)
def test_pairing_is_done_once(history: list[Message]) -> None:
    once = paired(history)
    assert paired(once) == once
    assert [message for message in once if message.role != "tool"] == [message for message in history if message.role != "tool"]
