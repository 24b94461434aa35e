"""The parser as its users meet it: events, early end, misuse."""

from __future__ import annotations

import pytest

from react_agent import Parser, parse
from react_agent.errors import UsageError
from react_agent.events import AnswerDelta, ArgumentsDelta, CallFinished, CallRejected, CallStarted, TextDelta, ThoughtDelta
from react_agent.messages import ToolSpec
from tests.vectors import TOOLS

from .invariants import joined, plain, stream

DESK = TOOLS["desk"]
CALL = 'Thought: look.\nAction: find_book\nAction Input: {"title": "Dune"}\n'


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rest",
    [
        "Observation: 3 copies\n",
        "观察：三本\n",
        "Thought: found.\n",
        "Final Answer: three\n",
        "Question: and Emma?\n",
        "<tool_response>",
        "<|im_end|>",
        "✿RESULT✿",
    ],
)
def test_done_when_something_invented_follows_a_call(rest: str) -> None:
    parser = Parser(DESK)
    parser.feed(CALL)
    assert not parser.done
    parser.feed(rest + " ")
    assert parser.done
    assert parser.feed("Action: list_rooms\nAction Input: {}\n") == []
    parser.close()
    assert [call.name for call in parser.result.calls] == ["find_book"]
    assert parser.result == parse(CALL + rest + " ", DESK)


@pytest.mark.parametrize(
    "text",
    [
        'Action: find_bok\nAction Input: {"title": "Dune"}\nObservation: none ',
        "Observation: the sky is blue. ",
        "Final Answer: done\nObservation: x ",
        'Action: find_book\nAction Input: {"title": "Dune"}\nAction: list_rooms ',
    ],
    ids=["refused call", "no call", "answer", "another action"],
)
def test_not_done_without_a_call_that_counts(text: str) -> None:
    parser = Parser(DESK)
    parser.feed(text)
    assert not parser.done


def test_done_comes_in_the_middle_of_a_stream() -> None:
    parser = Parser(DESK)
    text = CALL + "Observation: 3 copies\nFinal Answer: three"
    seen = next(index for index, char in enumerate(text) if (parser.feed(char), parser.done)[1])
    assert text[: seen + 1].startswith(CALL + "Observation:")
    assert seen <= len(CALL) + len("Observation: ")


def test_one_action_only() -> None:
    """What was written behind the first action was written without its result."""
    text = CALL + "Action: list_rooms\nAction Input: {}\nand so on\n"
    assert [call.name for call in parse(text, DESK).calls] == ["find_book", "list_rooms"]
    for pieces in ([text], list(text)):
        parser = Parser(DESK, one_action=True)
        for piece in pieces:
            parser.feed(piece)
        assert [call.name for call in parser.result.calls] == ["find_book"]
        assert parser.result.end <= len(CALL)


@pytest.mark.parametrize(
    "text",
    [
        '行动：[{"name": "list_rooms", "args": {}}, {"name": "find_book", "args": {"title": "A"}}]',
        '<tool_call>{"name": "list_rooms", "arguments": {}}</tool_call>\n' * 2,
    ],
    ids=["list", "tags"],
)
def test_calls_written_together_are_one_action(text: str) -> None:
    parser = Parser(DESK, one_action=True)
    parser.feed(text)
    assert len(parser.result.calls) == 2


def test_closing_twice_gives_nothing_more() -> None:
    parser = Parser(DESK)
    parser.feed("Hello")
    parser.close()
    result = parser.result
    assert parser.close() == []
    assert parser.result is result


def test_result_closes_the_parser() -> None:
    parser = Parser(DESK)
    parser.feed("Hel")
    parser.feed("lo")
    assert parser.result.answer == "Hello"


def test_empty_chunks_change_nothing() -> None:
    parser = Parser(DESK)
    assert parser.feed("") == []
    parser.feed("Hello")
    assert parser.feed("") == []
    assert parser.result.answer == "Hello"


# --- events ----------------------------------------------------------------------------------------------------------


def test_events_of_a_call() -> None:
    _, events = stream(list(CALL), DESK)
    assert [type(event) for event in plain(events)] == [ThoughtDelta, CallStarted, ArgumentsDelta, CallFinished]
    assert joined(events, ThoughtDelta) == "look."


def test_events_of_a_refusal() -> None:
    _, events = stream(["Action: find_bok\nAction Input: {}"], DESK)
    (rejected,) = [event.rejected for event in events if isinstance(event, CallRejected)]
    assert rejected.reason == "unknown_tool"
    assert rejected.name == "find_bok"
    assert "find_book" in rejected.problems


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We open at ten.\n\nCome early:  the hall is small.\n", TextDelta),
        ("Thought: easy.\nFinal Answer: We open at ten.\n\nCome early.\n", AnswerDelta),
        ("思考：简单。\n最终答案：十点开门，\n请早来。", AnswerDelta),
        ("<think>easy</think>\nWe open at ten.", TextDelta),
        ("<answer>We open\nat ten.</answer>", TextDelta),
    ],
)
def test_an_answer_streams_through(text: str, kind: type[TextDelta]) -> None:
    parsed, events = stream(list(text), DESK)
    assert joined(events, kind) == parsed.answer
    assert len([event for event in events if isinstance(event, kind)]) > 3


def test_prose_is_hardly_held_back() -> None:
    parser = Parser(DESK)
    text = "The hall opens at ten and closes at six; on Mondays it stays closed, as every year. " * 3
    shown, lag = "", 0
    for count, char in enumerate(text, start=1):
        shown += joined(parser.feed(char), TextDelta)
        lag = max(lag, count - len(shown))
    assert lag < 40


# --- tools -----------------------------------------------------------------------------------------------------------

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "find_book", "description": "d", "parameters": SCHEMA},
        {"type": "function", "function": {"name": "find_book", "description": "d", "parameters": SCHEMA}},
        ToolSpec("find_book", "d", SCHEMA),
    ],
    ids=["plain", "openai", "spec"],
)
def test_every_shape_of_a_tool(tool: object) -> None:
    (call,) = parse('{"name": "find_book", "arguments": {"title": "Dune"}}', [tool]).calls
    assert call.arguments == {"title": "Dune"}


def test_a_tool_without_parameters_takes_none() -> None:
    (call,) = parse('<tool_call>{"name": "ping", "arguments": {}}</tool_call>', [{"name": "ping"}]).calls
    assert call.arguments == {}


@pytest.mark.parametrize("tool", [42, "find_book", {"description": "no name"}, {"name": 3}, None])
def test_what_is_no_tool(tool: object) -> None:
    with pytest.raises(UsageError, match="not a tool"):
        Parser([tool])


def test_two_tools_of_one_name() -> None:
    with pytest.raises(UsageError, match="two tools are named 'find_book'"):
        Parser([*DESK, DESK[0]])
