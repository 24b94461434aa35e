"""What fits into a request: long results, long conversations, servers that complain, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from react_agent.engine import Settings
from react_agent.errors import UsageError
from react_agent.events import HistoryShortened, ModelChunk, ModelFailure
from react_agent.memory.counting import tokens
from react_agent.messages import Json, Message, Outcome, Usage

from .playing import ADD, TEXT, Play, action, answer, native, play, tool

ROOM = 4096
BIG = tool("big", lambda **_: "数据" * 25_000, about=TEXT)


def size(messages: Sequence[Json]) -> float:
    return sum(tokens(str(message["content"])) + 4 for message in messages)


def shortenings(ran: Play) -> list[int]:
    return [event.left_out for event in ran.events if isinstance(event, HistoryShortened)]


@pytest.mark.parametrize("mode", ["text", "native"])
def test_26_one_result_larger_than_the_window(mode: str) -> None:
    call = action("big", about="x") if mode == "text" else native(("big", '{"about": "x"}'))
    ran = play([call, "Final Answer: done"], BIG, mode=mode, context_tokens=ROOM, max_tokens=512)  # type: ignore[arg-type]
    assert ran.result.outcome is Outcome.COMPLETED
    assert size(ran.requests[1].messages) < ROOM - 512
    assert "characters left out" in ran.said(2)
    assert shortenings(ran) == [0]
    assert len(ran.result.steps[0].results[0].content) == 50_000


def test_28_a_task_that_does_not_fit_is_told_before_any_request() -> None:
    ran = play([], ADD, task="word " * 5000, context_tokens=ROOM)
    assert ran.result.outcome is Outcome.CONTEXT_OVERFLOW
    assert "shorten it" in ran.result.error
    assert ran.requests == []


@pytest.mark.parametrize("window", [8192, 0])
def test_29_a_request_that_was_too_long_is_sent_again_shorter(window: int) -> None:
    overflow = ModelFailure("context_overflow", "too long", 400, window)
    ran = play([action("big", about="x"), overflow, "Final Answer: ok"], BIG)
    assert ran.result.answer == "ok"
    assert [request.messages[1] for request in ran.requests] == [ran.requests[0].messages[1]] * 3
    assert size(ran.requests[2].messages) < min(size(ran.requests[1].messages), window or 20_000)


def test_a_request_that_was_guessed_to_fit_and_did_not_is_sent_again_shorter() -> None:
    """A server whose tokenizer knows nothing of the language counts three times what was guessed."""
    look = tool("look", lambda about: "资料" * 1_500 + str(about), about=TEXT)
    overflow = ModelFailure("context_overflow", "too long", 400, ROOM)
    ran = play([action("look", about="x"), action("look", about="y"), overflow, "Final Answer: ok"], look)
    assert size(ran.requests[2].messages) < ROOM
    assert ran.result.answer == "ok"
    assert size(ran.requests[3].messages) < 0.6 * size(ran.requests[2].messages)


def test_29_a_second_complaint_ends_the_run() -> None:
    overflow = ModelFailure("context_overflow", "still too long", 400)
    ran = play([action("big", about="x"), overflow, overflow], BIG)
    assert ran.result.outcome is Outcome.CONTEXT_OVERFLOW
    assert ran.result.error == "still too long"


def test_a_short_request_that_was_too_long_is_not_sent_again() -> None:
    ran = play([ModelFailure("context_overflow", "too long", 400, 20)], ADD)
    assert ran.result.error == "too long"
    assert len(ran.requests) == 1


def test_a_conversation_of_200_turns_stays_in_its_room() -> None:
    history: tuple[Message, ...] = ()
    look = tool("look", lambda about: f"{about}: " + "page " * 60, about=TEXT)
    for number in range(200):
        replies = [action("look", about=f"topic {number}"), answer(f"Here is topic {number}, as you asked.")]
        ran = play(replies, look, task=f"Tell me about topic {number}.", history=history, context_tokens=ROOM, max_tokens=512)
        assert ran.result.outcome is Outcome.COMPLETED
        for request in ran.requests:
            assert size(request.messages) < ROOM - 512
            assert f"Tell me about topic {number}." in str(request.messages)
            roles = [message["role"] for message in request.messages]
            assert roles == ["system", *(["user", "assistant"] * len(roles))[: len(roles) - 1]]
        history = ran.result.messages
    assert len(history) == 200 * 4
    assert "left out here" in ran.said(1)


def test_the_beginning_of_the_requests_of_a_run_is_stable_between_shortenings() -> None:
    look = tool("look", lambda at: f"{at}: " + "page " * 100, at=TEXT)
    calls = [action("look", at=f"place {number}") for number in range(40)]
    ran = play([*calls, answer("done")], look, context_tokens=ROOM, max_tokens=512, max_steps=50)
    breaks = sum(
        later.messages[: len(earlier.messages)] != earlier.messages
        for earlier, later in zip(ran.requests, ran.requests[1:], strict=False)
    )
    assert breaks == len(shortenings(ran))
    assert 0 < breaks <= 5


def test_what_the_server_does_not_count_is_guessed_and_says_so() -> None:
    counted = ModelChunk(answer("3"), usage=Usage(100, 20), last=True)
    ran = play([action("add", a=1, b=2), counted], ADD)
    assert ran.result.usage.estimated
    assert ran.result.usage.prompt_tokens > 150
    assert not play([counted], ADD).result.usage.estimated


def test_a_room_that_holds_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="context_tokens must be a whole number of at least 256"):
        Settings(context_tokens=10)
