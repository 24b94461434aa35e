"""A repeated answer joins the one that broke off: at any place, in any pieces, nothing twice and nothing lost."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from react_agent.events import ModelChunk, ModelPiece, ReplyRestarted, ToolCallDelta
from react_agent.models.seam import Seam

TEXTS = st.text("ab", max_size=6)
DELTAS = st.builds(ToolCallDelta, st.integers(0, 1), st.sampled_from(["", "i", "j"]), TEXTS, TEXTS)
CHUNKS = st.builds(ModelChunk, TEXTS, TEXTS, st.lists(DELTAS, max_size=2).map(tuple))
REPLIES = st.lists(CHUNKS, max_size=5)


def said(pieces: Sequence[ModelPiece]) -> dict[object, str]:
    """What a consumer has who forgets everything when a reply starts anew."""
    heard: dict[object, str] = {}
    for piece in pieces:
        if isinstance(piece, ReplyRestarted):
            heard = {}
        elif isinstance(piece, ModelChunk):
            parts = [("text", piece.text), ("reasoning", piece.reasoning)]
            for call in piece.tool_calls:
                parts += [((call.index, "name"), call.name), ((call.index, "arguments"), call.arguments)]
            for key, text in parts:
                heard[key] = heard.get(key, "") + text
    return {key: text for key, text in heard.items() if text}


def heard_of(*replies: Sequence[ModelChunk]) -> list[ModelPiece]:
    """What comes out when all replies but the last broke off."""
    seam, pieces = Seam(), []
    for number, reply in enumerate(replies):
        if number:
            seam.again()
        for chunk in reply:
            pieces += seam.join(chunk)
    return [*pieces, *seam.end()]


@given(REPLIES, REPLIES, REPLIES)
def test_the_last_answer_is_what_was_said(first: list[ModelChunk], second: list[ModelChunk], third: list[ModelChunk]) -> None:
    assert said(heard_of(first, second, third)) == said(third)


@given(REPLIES, st.integers(0, 5))
def test_the_same_answer_again_goes_on_without_a_word(reply: list[ModelChunk], broken: int) -> None:
    pieces = heard_of(reply[:broken], reply)
    assert ReplyRestarted() not in pieces
    assert said(pieces) == said(reply)


@given(st.text("ab中", min_size=1, max_size=30), st.integers(1, 5), st.integers(1, 5), st.integers(0, 30))
def test_pieces_may_be_cut_otherwise(text: str, one: int, other: int, broken: int) -> None:
    first = [ModelChunk(text[at : at + one]) for at in range(0, min(broken, len(text)), one)]
    second = [ModelChunk(text[at : at + other]) for at in range(0, len(text), other)]
    pieces = heard_of(first, second)
    assert ReplyRestarted() not in pieces
    assert "".join(piece.text for piece in pieces if isinstance(piece, ModelChunk)) == text


def test_ids_are_drawn_anew_and_the_first_one_stands() -> None:
    first = [ModelChunk(tool_calls=(ToolCallDelta(0, "old", "f", "{"),))]
    second = [ModelChunk(tool_calls=(ToolCallDelta(0, "new", "f", "{}"),))]
    calls = [call for piece in heard_of(first, second) if isinstance(piece, ModelChunk) for call in piece.tool_calls]
    assert calls == [ToolCallDelta(0, "old", "f", "{"), ToolCallDelta(0, arguments="}")]


def test_an_answer_that_ends_earlier_is_another_one() -> None:
    pieces = heard_of([ModelChunk("ab")], [ModelChunk("a")])
    assert pieces[-2:] == [ReplyRestarted(), ModelChunk("a")]
