"""A reply that nobody reads along is looked at less often: it must say the same, and be over where the other is."""

from __future__ import annotations

import itertools

import pytest

from react_agent import Parser
from react_agent.events import Event
from react_agent.parsing.names import ToolNames, as_specs
from react_agent.parsing.unheard import Unheard
from tests.vectors import TOOLS, Case, load

from .invariants import plain

NAMES = ToolNames(as_specs(TOOLS["desk"]))
CALL = '{"name": "find_book", "arguments": {"title": "Pan"}}'
SIZES = (1, 4, 23)


def read(pieces: list[str], names: ToolNames, *, aloud: bool) -> tuple[Parser, list[Event], int | None]:
    """A parser that has read them, its events, and after how many of them it was over."""
    parser = Parser(names, one_action=True, aloud=aloud)
    events: list[Event] = []
    over = None
    for count, piece in enumerate(pieces, 1):
        events += parser.feed(piece)
        if parser.done:
            over = count
            break
    return parser, events + parser.close(), over


@pytest.mark.parametrize("case", [case.param("unheard") for case in load()])
def test_it_says_the_same_and_is_over_as_soon(case: Case) -> None:
    names = ToolNames(as_specs(case.tools))
    for size in SIZES:
        pieces = ["".join(piece) for piece in _batched(case.text, size)]
        aloud, unheard = read(pieces, names, aloud=True), read(pieces, names, aloud=False)
        assert unheard[0].result == aloud[0].result
        assert unheard[2] == aloud[2]
        assert plain(unheard[1]) == plain(aloud[1])


def _batched(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize(
    "reply",
    [
        f"Thought: The book first.\nAction: {CALL}",
        f"思考：先找书。\n行动：{CALL}\n\n",
        'Thought: All is known.\nAction: {"type": "final_answer", "content": "It opens at nine, every day."}',
        "It opens at nine, every day but one.",
    ],
)
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_told_before_the_end_of_a_plain_reply(reply: str, size: int) -> None:
    parser = Parser(NAMES, one_action=True, aloud=False)
    assert not any(parser.feed(piece) for piece in _batched(reply, size))
    assert parser.close()


@pytest.mark.parametrize(
    ("pieces", "due"),
    [
        (["f(x)", " \n", ". Then"], [False, False, True]),
        (["f(x)", ", g(y)", ")"], [False, False, False]),
        (["a\nb", "\n", " c"], [False, False, True]),
        (["a", "\n\n", "\nb", "\n\n"], [False, False, False, False]),
        (['{"a": [1]', ', "b"', ": {}}"], [False, False, False]),
        (["{} {}"], [True]),
        (["（晴）", "好"], [False, True]),
        (["x) y", "z" * 64, "z"], [True, False, False]),
    ],
)
def test_a_look_is_due_where_something_follows_what_may_be_a_call(pieces: list[str], due: list[bool]) -> None:
    unheard = Unheard()
    assert [unheard.due(piece) for piece in pieces] == due


def test_a_look_tells_what_was_held_back() -> None:
    parser = Parser(NAMES, one_action=True, aloud=False)
    assert parser.feed("It opens at") == []
    told = parser.look()
    assert plain(told) == plain(Parser(NAMES).feed("It opens at"))
    assert [*told, *parser.close(" nine.")] != told
    assert parser.result.answer == "It opens at nine."


def test_a_flood_of_brackets_is_worth_no_look() -> None:
    unheard = Unheard()
    assert not any(unheard.due(piece) for piece in itertools.repeat("}", 10_000))
    assert unheard.due("and more")
