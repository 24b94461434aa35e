"""Plain replies are read by a shorter way: it must say what the long one says, and it must be taken."""

from __future__ import annotations

import json
import random

import pytest

from react_agent.messages import Parsed
from react_agent.parsing import Parser
from react_agent.parsing.dialects import OPENERS
from react_agent.parsing.judging import Judge
from react_agent.parsing.manner import manner_of
from react_agent.parsing.names import ToolNames, as_specs
from react_agent.parsing.places import THINK_CLOSERS
from react_agent.parsing.plain import MARK, plainly
from react_agent.parsing.plain_telling import plainly_told
from tests.fuzz.mutation import mutated
from tests.fuzz.trial import Trial
from tests.vectors import TOOLS, Case, load

from .invariants import plain

NAMES = {name: ToolNames(as_specs(tools)) for name, tools in TOOLS.items()}
ROOM = {"name": "find_book", "arguments": {"title": "Pan"}}
STEP = {"type": "tool_call", "name": "find_book", "args": {"title": "Pan"}}
PLAIN = [
    "[find_book(title='Pan')]",
    '\n\n[find_book(title="Pan", year=1894), list_rooms()]\n',
    "[\n    find_book(title='Pan'),\n    list_rooms()\n]\n\n",
    "find_book(title='Pan')",
    "find_book(title='Pan'); list_rooms();",
    json.dumps(ROOM),
    json.dumps({"name": "find_book", "parameters": {"title": "Pan"}}, indent=2) + "\n",
    json.dumps([ROOM, ROOM]),
    json.dumps({"tool_calls": [ROOM]}),
    json.dumps({"thought": "Let me look.", "action": "find_book", "action_input": {"title": "Pan"}}),
    f"```json\n{json.dumps(ROOM)}\n```",
    "```python\nfind_book(title='Pan')\nlist_rooms()\n```",
    "```tool_code\n[find_book(title='Pan')]\n```\n",
    f"<tool_call>\n{json.dumps(ROOM)}\n</tool_call>",
    f"<tool_call>{json.dumps(ROOM)}</tool_call><tool_call>{json.dumps(ROOM)}</tool_call>\n",
    "find_book({'title': 'Pan'})",
    "[find_book(title='Pan', shelves=[{'row': 1}]), list_rooms()]",
    "[find_book({'title': 'Pan'}, {'title': 'Mysteries'})]",
    """['find_book(title="Pan")', 'list_rooms()']""",
    "\n[\"find_book(title='Pan')\"]\n",
    'find_book\n{"title": "Pan"}',
    "[{'name': 'find_book', 'arguments': {'title': 'Pan', 'lent': True}}]",
    f"Action: {json.dumps({'action': 'find_book', 'action_input': {'title': 'Pan'}})}\n",
    f"行动：{json.dumps(ROOM)}",
    f"Thought: I need the book, and then a room.\nAction: {json.dumps(STEP)}",
    f"思考：先找书。\n再看房间。\n行动：{json.dumps(STEP, ensure_ascii=False)}\n",
    f"Thought: Pan it is.\n\nAction:\n{json.dumps(ROOM)}",
    'Thought: All is known.\nAction: {"type": "final_answer", "content": "It opens at \\"nine\\".\\n"}',
    '行动：{"type":"final_answer","content":"九点开门。"}\n',
    "It is fine outside, so take the coat off.",
    "...",
    "",
]


def at_length(text: str, names: ToolNames, strictness: str = "normal") -> Parsed:
    """What the judge says."""
    judge = Judge(names, manner_of(strictness, "", False), one_action=False)
    judge.buffer.add(text)
    judge.buffer.close()
    judge.advance()
    return judge.verdict()


def agree(text: str, names: ToolNames) -> bool:
    for strictness in ("normal", "loose", "strict"):
        short = plainly(text, names, manner_of(strictness, "", False))
        if short is not None and repr(short) != repr(at_length(text, names, strictness)):
            return False
    return True


@pytest.mark.parametrize("text", PLAIN)
def test_the_short_way_is_taken(text: str) -> None:
    short = plainly(text, NAMES["desk"], manner_of("normal", "", False))
    assert short is not None
    assert repr(short) == repr(at_length(text, NAMES["desk"]))


@pytest.mark.parametrize("text", PLAIN)
def test_damaged_replies_are_read_alike(text: str) -> None:
    chance = random.Random(text)
    trial = Trial(text, "desk")
    known = [Trial(other, "desk") for other in PLAIN]
    for _ in range(60):
        damaged = mutated(trial, known, chance)
        assert agree(damaged.text, NAMES[damaged.tools]), damaged


@pytest.mark.parametrize("case", [case.param("plain") for case in load()])
def test_cases_are_read_alike(case: Case) -> None:
    assert agree(case.text, ToolNames(as_specs(case.tools)))


def told_alike(text: str, names: ToolNames) -> bool:
    """Whether a reply that comes as a whole is told as one that comes in pieces, to an agent loop too."""
    whole, parts = Parser(names), Parser(names, one_action=True)
    short = whole.close(text)
    if plainly_told(text, names, manner_of("normal", "", False)) is None:
        return True
    long = [event for char in text for event in parts.feed(char)] + parts.close()
    return plain(short) == plain(long) and whole.result == parts.result


def test_the_short_way_is_told() -> None:
    told = [plainly_told(text, NAMES["desk"], manner_of("normal", "", False)) for text in PLAIN]
    assert sum(item is None for item in told) == 2, "these are told at length"


@pytest.mark.parametrize("text", PLAIN)
def test_damaged_replies_are_told_alike(text: str) -> None:
    chance = random.Random(text)
    trial, known = Trial(text, "desk"), [Trial(other, "desk") for other in PLAIN]
    assert told_alike(text, NAMES["desk"])
    for _ in range(60):
        damaged = mutated(trial, known, chance)
        assert told_alike(damaged.text, NAMES[damaged.tools]), damaged


@pytest.mark.parametrize("case", [case.param("plain") for case in load()])
def test_cases_are_told_alike(case: Case) -> None:
    assert told_alike(case.text, ToolNames(as_specs(case.tools)))


def test_every_mark_holds_a_character_that_prose_has_not() -> None:
    assert all(MARK.search(literal) for literal in (*OPENERS, *THINK_CLOSERS))


@pytest.mark.parametrize("count", [64, 65, 1_001])
def test_a_long_list_of_calls_is_read_alike(count: int) -> None:
    text = json.dumps([ROOM] * count)
    names = NAMES["desk"]
    assert (plainly(text, names, manner_of("normal", "", False)) or at_length(text, names)) == at_length(text, names)
    assert (plainly(text, names, manner_of("normal", "", False)) is None) == (count > 64)
