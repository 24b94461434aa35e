"""What is shown of a history: pairing, room, order, a stable beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.errors import UsageError
from react_agent.memory import Memory, tokens
from react_agent.memory.counting import cost
from react_agent.memory.view import OLD_RESULT, checked_view
from react_agent.messages import Call, Message, Result, View

TASK = Message("user", "Which room is free?")


def round_of(number: int, *, text: str = "free", results: int = 1, native: bool = False) -> list[Message]:
    """A reply with calls and its results."""
    calls = tuple(Call("look", {"at": number}, f"c{number}_{index}") for index in range(results))
    said = Message("assistant", f"I look at {number}.", calls, native=native)
    return [said, *(Message("tool", result=Result(call.id, "look", text)) for call in calls)]


def history_of(rounds: int, **how: object) -> list[Message]:
    return [TASK, *(message for number in range(rounds) for message in round_of(number, **how))]  # type: ignore[arg-type]


def shown(memory: Memory, history: Sequence[Message], task_at: int = 0) -> tuple[Message, ...]:
    assert memory.fits(history, task_at, 0, 0)
    return memory.shown(history, "(left out)")


def test_without_a_limit_all_is_shown() -> None:
    history = history_of(50)
    assert shown(Memory(), history) == tuple(history)


def test_the_oldest_rounds_are_left_out_behind_the_task() -> None:
    history = history_of(50)
    seen = shown(Memory(300), history)
    assert seen[:2] == (TASK, Message("user", "(left out)"))
    assert seen[2].role == "assistant"
    assert seen[2:] == tuple(history[-len(seen) + 2 :])


def test_old_results_are_shortened_before_anything_is_left_out() -> None:
    history = history_of(3, text="row " * 500)
    memory = Memory(1600)
    seen = shown(memory, history)
    assert memory.left_out == 0
    lengths = [len(message.result.content) for message in seen if message.result]
    assert lengths == [OLD_RESULT, OLD_RESULT, 2000]
    assert [message.result.status for message in seen if message.result] == ["truncated", "truncated", "ok"]


def test_a_last_result_that_is_longer_than_the_room_is_shortened() -> None:
    history = history_of(1, text="数据" * 20_000)
    seen = shown(Memory(2000), history)
    assert len(seen) == 3
    assert seen[2].result is not None
    assert 80 <= len(seen[2].result.content) < 3000


def test_a_shortened_error_is_still_an_error() -> None:
    history = [TASK, *round_of(1)[:1], Message("tool", result=Result("c1_0", "look", "no " * 9000, "error"))]
    seen = shown(Memory(500), history)
    assert seen[-1].result is not None
    assert seen[-1].result.status == "error"


def test_a_task_that_does_not_fit_is_told() -> None:
    assert not Memory(100).fits([Message("user", "word " * 1000)], 0, 0, 0)
    assert not Memory(1000).fits([TASK], 0, 2000, 0)
    assert not Memory(1000).fits([TASK], 0, 0, 1000)


def test_the_task_of_a_later_turn_is_what_stays() -> None:
    history = [*history_of(20), Message("assistant", "Room 7."), Message("user", "And tomorrow?"), *round_of(21)]
    task_at = len(history) - 3
    seen = shown(Memory(200), history, task_at)
    assert TASK not in seen
    assert history[task_at] in seen
    assert seen[0] == Message("user", "(left out)")


def test_what_the_server_counts_corrects_the_guess() -> None:
    history = history_of(30)
    generous, strict = Memory(1000), Memory(1000)
    for memory, factor in ((generous, 0.7), (strict, 2.5)):
        memory.fits(history, 0, 0, 0)
        memory.learn(0, round(factor * sum(cost(message) for message in history)))
        memory.fits([*history, *round_of(31)], 0, 0, 0)
    assert generous.left_out == 0
    assert strict.left_out > 0


@pytest.mark.parametrize("limit", [800, None])
def test_a_request_that_was_too_long_shrinks_the_room(limit: int | None) -> None:
    history = history_of(100)
    memory = Memory()
    assert len(shown(memory, history)) == len(history)
    memory.shrink(limit, memory.guess(0))
    assert len(shown(memory, history)) < len(history)
    assert memory.room is not None
    assert sum(cost(message) for message in shown(memory, history)) <= memory.room


ROUNDS = st.builds(
    round_of,
    st.integers(0, 9),
    text=st.sampled_from(["", "ok", "数据" * 200, "x " * 2000]),
    results=st.integers(1, 3),
    native=st.booleans(),
)
NOTES = st.just([Message("user", "(2) Write the action again.")])


@given(st.lists(st.one_of(ROUNDS, NOTES), max_size=30), st.sampled_from([150, 400, 1000, 4000]))
def test_every_view_of_a_growing_history(parts: list[list[Message]], room: int) -> None:
    memory, history = Memory(room), [TASK]
    before: tuple[Message, ...] = ()
    moved = 0
    for part in [[], *parts]:
        history = [*history, *part]
        if not memory.fits(history, 0, 0, 0):
            return
        seen = memory.shown(history, "(left out)")
        assert seen[0] == TASK
        assert 1.15 * sum(map(cost, seen)) <= room
        assert_paired(seen)
        last = next((at for at in range(len(history) - 1, 0, -1) if history[at].role == "assistant"), 0)
        assert memory.start <= last
        if memory.moves == moved:
            assert seen[: len(before)] == before
        before, moved = seen, memory.moves


def assert_paired(messages: Sequence[Message]) -> None:
    """Each result stands behind the reply that called for it, and each call has its result."""
    waiting: list[str] = []
    for message in messages:
        if message.result is not None:
            assert message.result.call_id in waiting
            waiting.remove(message.result.call_id)
        else:
            assert waiting == []
            waiting = [call.id for call in message.calls]
    assert waiting == []


# --- going on, pins, rounds, summaries --------------------------------------------------------------------------------


def test_a_later_memory_shows_what_the_earlier_one_showed() -> None:
    history = history_of(40, text="row " * 150)
    first = Memory(1000)
    before = shown(first, history)
    longer = [*history, Message("assistant", "Room 7."), Message("user", "And tomorrow?")]
    task_at = len(longer) - 1
    plain = View.from_dict(first.view.to_dict())
    assert shown(Memory(1000, view=plain), longer, task_at)[: len(before)] == before
    assert shown(Memory(1000), longer, task_at)[: len(before)] != before


@pytest.mark.parametrize("pinned", [0, 4])
def test_what_is_pinned_stays_with_its_round(pinned: int) -> None:
    history = history_of(40)
    history[pinned] = replace(history[pinned], pinned=True)
    seen = shown(Memory(300), history)
    assert (history[pinned] in seen, seen[0].content) == (True, TASK.content)
    assert_paired([message for message in seen if message.role != "user"])


def test_pins_larger_than_the_room_do_not_fit() -> None:
    history = [replace(message, pinned=True) for message in history_of(40)]
    assert not Memory(300).fits(history, 0, 0, 0)


@given(st.lists(ROUNDS, max_size=25), st.integers(1, 6))
def test_a_ring_of_rounds(parts: list[list[Message]], rounds: int) -> None:
    memory, history = Memory(max_rounds=rounds), [TASK]
    for part in parts:
        history = [*history, *part]
        seen = shown(memory, history)
        said = sum(message.role == "assistant" for message in seen)
        assert min(rounds, 1) <= said <= rounds
        assert seen[-len(part) :] == tuple(part)
        assert_paired(seen)


def test_a_summary_takes_no_more_than_the_room_set_aside() -> None:
    history = history_of(60)
    memory = Memory(1000, summaries=True)
    shown(memory, history)
    assert [message.role for message in memory.dropped][:2] == ["assistant", "tool"]
    memory.summarise("x" * int(memory.summary_room / 0.22))
    assert memory.fits(history, 0, 0, 0)
    assert (memory.moves, memory.dropped) == (1, [])


def test_a_long_history_is_not_counted_as_a_whole() -> None:
    counted = 0

    def count(text: str) -> float:
        nonlocal counted
        counted += 1
        return tokens(text)

    history = history_of(5000)
    memory = Memory(4000, count=count)
    assert len(shown(memory, history)) > 50
    assert counted < 2000


@pytest.mark.parametrize(
    "view",
    [View(99), View(-1), View(2), View(3, head=(5,)), View(3, head=(-1,)), View(1, limits=((77, 10),))],
)
def test_a_view_of_another_history_is_refused(view: View) -> None:
    with pytest.raises(UsageError, match="another history"):
        checked_view(view, history_of(3))
