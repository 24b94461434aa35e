"""Replies that a filter of the server has cut: the run ends, says so, and keeps what was let through."""

from __future__ import annotations

import pytest

from react_agent.events import ModelChunk, ModelFailure
from react_agent.messages import Outcome

from .playing import INT, action, answer, native, play, tool

ADD = tool("add", lambda a, b: a + b, a=INT, b=INT)


def cut(text: str) -> ModelChunk:
    return ModelChunk(text, finish_reason="content_filter", last=True)


@pytest.mark.parametrize("mode", ["text", "native", "auto", "constrained"])
@pytest.mark.parametrize(
    ("text", "kept"), [("The sea is", "The sea is"), ("Final Answer: The sea is", "The sea is"), ("", None)]
)
def test_the_text_is_kept_and_the_model_not_asked_again(mode: str, text: str, kept: str | None) -> None:
    ran = play([cut(text)], ADD, mode=mode)  # type: ignore[arg-type]
    assert (ran.result.outcome, ran.result.answer) == (Outcome.CONTENT_FILTER, kept)
    assert "content_filter" in ran.result.error
    assert (len(ran.requests), ran.corrections) == (1, [])
    assert ran.result.steps[0].finish_reason == "content_filter"


def test_a_native_call_of_such_a_reply_is_not_run() -> None:
    ran = play([native(("add", '{"a": 1, "b": 2}'), text="I add", finish="content_filter")], ADD, mode="native")
    assert (ran.result.outcome, ran.result.answer, ran.ran) == (Outcome.CONTENT_FILTER, "I add", [])


def test_a_call_in_text_that_was_whole_before_the_cut_is_run() -> None:
    for reply in (cut(action("add", a=1, b=2)), action("add", a=1, b=2)):
        ran = play([reply, answer("3")], ADD)
        assert (ran.result.answer, len(ran.ran)) == ("3", 1)


def test_a_closing_answer_that_is_cut() -> None:
    ran = play([action("add", a=1, b=2), cut("It is")], ADD, max_steps=1)
    assert (ran.result.outcome, ran.result.answer) == (Outcome.CONTENT_FILTER, "It is")


def test_an_error_behind_the_beginning_of_a_reply_leaves_it() -> None:
    failure = ModelFailure("content_filter", "say it in other words")
    ran = play([[ModelChunk("The sea"), ModelChunk(" is"), failure]], ADD)
    assert (ran.result.outcome, ran.result.answer, ran.result.error) == (Outcome.CONTENT_FILTER, "The sea is", failure.message)
