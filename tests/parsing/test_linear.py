"""Work grows with the text and not faster, whole and streamed: counted in function calls, never in seconds."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from react_agent import Parser
from tests.vectors import TOOLS

SMALL, LARGE = 1_500, 6_000
FLOODS = {
    "tags": "<tool_call>\n",
    "tags in a row": "<think>",
    "invoked": '<invoke name="find_book">\n',
    "calls": '<tool_call>{"name": "list_rooms", "arguments": {}}</tool_call>\n',
    "open values": '<tool_call>{"name": "list_rooms", \n',
    "separators": "<｜tool▁sep｜>",
    "half headers": "<|channel|>commentary to=",
    "parameters": "<parameter=a>\n",
    "blanks in a function tag": "<tool_call>\n<function=" + " " * 700,
    "blanks in a parameter tag": "<tool_call>\n<function=find_book>\n<parameter=" + " " * 700,
    "blanks behind a name": "<tool_call>\n<function=find_book>\n<parameter=title" + " " * 700 + "a",
    "pairs": "<arg_key>a</arg_key>",
    "tool tags": "<find_book>",
    "labels": "Action: find_book\n",
    "bare labels": "行动：\n",
    "labels in a line": "Thought: x. Action: find_book Action Input: {} ",
    "observations": "Observation: x\n",
    "calls and observations": "Action: list_rooms\nObservation: x\n",
    "blanks": "Action: " + " " * 200,
    "line breaks": "\n  ",
    "braces": "{",
    "brackets": "[",
    "values": '{"a": 1}\n',
    "objects in wrappers": '{"a": "x", "function": ',
    "values and observations": "{}\nObservation: x\n",
    "broken values": "{'a': 'b' 'c'\n",
    "open texts": '{"a": "',
    "quotes": '"a" ',
    "backslashes": '{"a": "\\',
    "comments": "{/*",
    "code": "find_book(\n",
    "text without quotes": "find_book(title=a, ",
    "lines of text without quotes": "find_book(title=a\n",
    "inner calls": "find_book(title=",
    "escaped quotes": 'find_book(title=\\"a',
    "joined calls": "find_book(title='a') + ",
    "rows": '["find_book", {"title": "a"}, ',
    "separated values": '{"a": 1},\n',
    "colons": "x: find_book(title='a ",
    "glued names": "x.find_book\n",
    "names": "find_book\n",
    "fences": "```json\n",
    "inline code": "`a` `",
    "table": "|a\n",
    "quotations": "> a\n",
    "prompts": ">>>",
    "stars": "**",
    "prose": "We open at ten. ",
}
CALLS_PER_CHARACTER = 60
CALL = '{"name": "find_book", "arguments": {"title": "a"}}'
LISTS = {
    "calls": ("<tool_call>[", CALL, "]</tool_call>"),
    "calls that do not fit": ("<tool_call>[", CALL.replace('"a"', "1"), "]</tool_call>"),
    "numbers": ('<tool_call>{"name": "find_book", "arguments": {"title": [', "1", "]}}</tool_call>"),
    "code": ("[", "find_book(title='a')", "]"),
}
"""Whole lists: head, item, tail."""


class TooMuchError(Exception):
    """More work than the limit: no need to wait for the rest."""


def flood(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def work(text: str, piece: int, limit: int) -> int:
    """How many functions are called to read `text` in pieces."""
    count = 0

    def counted(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")
        if count > limit:
            sys.setprofile(None)
            raise TooMuchError

    parser = Parser(TOOLS["desk"])
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        for at in range(0, len(text), piece):
            parser.feed(text[at : at + piece])
        parser.close()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("piece", [LARGE, 7], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", sorted(FLOODS))
def test_four_times_the_text_is_about_four_times_the_work(name: str, piece: int) -> None:
    unit = FLOODS[name]
    work(flood(unit, 100), piece, sys.maxsize)  # patterns are compiled once
    small = work(flood(unit, SMALL), piece, sys.maxsize)
    work(flood(unit, LARGE), piece, 6 * small + 40_000)  # and what a stream saves in its first 2 kB


@pytest.mark.parametrize("piece", [100_000, 7], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_list_four_times_as_long_is_about_four_times_the_work(name: str, piece: int) -> None:
    head, item, tail = LISTS[name]
    work(head + item + tail, piece, sys.maxsize)
    small = work(head + ", ".join([item] * 200) + tail, piece, sys.maxsize)
    work(head + ", ".join([item] * 800) + tail, piece, 5 * small)


@pytest.mark.parametrize("name", sorted(FLOODS))
def test_work_per_character(name: str) -> None:
    unit = FLOODS[name]
    work(flood(unit, 100), SMALL, sys.maxsize)
    work(flood(unit, SMALL), SMALL, CALLS_PER_CHARACTER * SMALL)
