"""Steps in a row that get nowhere: circles, unchanged results, errors."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.engine import Limits
from react_agent.engine.guards.streaks import circling, errors, same_errors, streaks, unchanged
from react_agent.messages import Call, Result, Status, Step

LONG = "Nothing in the archive has to do with what was asked; it holds letters, maps and lists of ships. " * 2


def steps(*made: tuple[Any, str] | tuple[Any, str, Status]) -> list[Step]:
    """Steps of one call each, the newest first; of each what it asks for, its result and status."""
    found = [
        Step(number, "text", calls=(Call("look", {"at": at}, str(number)),), results=(Result(str(number), "look", *result),))
        for number, (at, *result) in enumerate(made, 1)
    ]
    return found[::-1]


def circle(period: int, count: int, result: str = "08:00:{:02} nobody") -> list[Step]:
    places = itertools.cycle("abcdefgh"[:period])
    return steps(*((next(places), result.format(number)) for number in range(count)))


@pytest.mark.parametrize("period", [2, 3, 4])
def test_a_circle_is_seen_although_the_time_goes_on(period: int) -> None:
    assert [circling(circle(period, count)) for count in range(period + 6)] == [0] * (period + 1) + [1, 2, 3, 4, 5]


def test_a_circle_of_five_is_none_and_neither_is_one_with_news() -> None:
    assert circling(circle(5, 20)) == 0
    assert circling(steps(("a", "empty"), ("b", "x"), ("a", "a letter is there"), ("b", "x"), ("a", "a parcel is there"))) == 0


def test_other_arguments_and_other_results_break_a_circle() -> None:
    assert circling([*steps(("z", "08:01 nobody")), *circle(2, 6)]) == 0
    assert circling([*steps(("a", "somebody")), *circle(2, 6)]) == 0


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["1 x", "2 x", "y"])), max_size=12), st.integers(2, 4))
def test_a_circle_goes_on_when_it_is_gone_along(before: list[tuple[str, str]], period: int) -> None:
    run = steps(*before, *((f"p{number % period}", f"{number} o'clock") for number in range(3 * period)))
    assert circling(run) >= 2 * period
    assert circling(run) == circling(run[1:]) + 1


def test_a_result_that_stays_the_same_for_other_calls() -> None:
    same = steps(("a", LONG), ("b", LONG), ("c", LONG))
    assert [unchanged(same[count:]) for count in range(4)] == [3, 2, 1, 0]
    assert unchanged([*steps(("d", "another")), *same]) == 0
    assert unchanged(steps(("a", LONG), ("a", LONG))) == 1  # one call repeated: another guard's


def test_short_results_may_well_be_the_same() -> None:
    assert unchanged(steps(("a", "ok"), ("b", "ok"), ("c", "ok"))) == 0
    assert unchanged(steps(("a", "no rows", "empty"), ("b", "no rows", "empty"))) == 2


def test_errors_in_a_row() -> None:
    down = steps(("a", "down since 08:00", "error"), ("b", "down since 08:01", "error"))
    assert (same_errors(down), errors(down)) == (2, 2)
    other = [*steps(("c", "no such shelf", "error")), *down]
    assert (same_errors(other), errors(other)) == (1, 3)
    assert errors([*steps(("d", "fine")), *other]) == 0


def test_what_may_be_repeated_counts_for_errors_alone() -> None:
    limits = Limits(max_unchanged=2)
    same = steps(*((number, LONG) for number in range(6)))[::-1]
    assert [streak.reason for streak in streaks(same, limits) if streak.over] == ["unchanged"]
    assert not [streak for streak in streaks(same, limits, repeatable={"look"}) if streak.over]
    assert not [streak for streak in streaks(same, limits, writing={"look"}) if streak.over]
    down = steps(*(("a", "down", "error") for _ in range(4)))[::-1]
    assert [streak.reason for streak in streaks(down, limits, repeatable={"look"}) if streak.over] == ["same_error"]


def test_a_failure_of_other_calls_ends_later_than_one_of_the_same() -> None:
    other = steps(*((number, "down", "error") for number in range(6)))[::-1]
    over = [[streak.reason for streak in streaks(other[:count], Limits()) if streak.over] for count in range(7)]
    assert over == [[]] * 6 + [["same_error", "errors"]]


def test_a_step_of_many_calls_is_one_step() -> None:
    calls = tuple(Call("look", {"at": number}, str(number)) for number in range(5))
    step = Step(1, "text", calls=calls, results=tuple(Result(call.id, "look", "down", "error") for call in calls))
    assert errors([step]) == same_errors([step]) == 1
    fine = Step(2, "text", calls=calls[:2], results=(Result("0", "look", "down", "error"), Result("1", "look", "up")))
    assert errors([fine, step]) == 0


def test_a_streak_is_news_once_and_then_over() -> None:
    limits = Limits(max_circling=3)
    found = [streaks(circle(2, count)[::-1], limits) for count in range(8)]
    assert {streak.reason for row in found for streak in row} == {"circling"}
    assert [any(streak.news for streak in row) for row in found] == [False] * 5 + [True] + [False] * 2
    assert [any(streak.over for streak in row) for row in found] == [False] * 7 + [True]


def test_steps_without_calls_do_not_break_a_streak() -> None:
    told = Step(9, "text", feedback="say it again")
    run = [step for made in circle(2, 6)[::-1] for step in (made, told)]
    assert max(streak.length for streak in streaks(run, Limits())) == 4
