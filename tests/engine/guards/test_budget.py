"""Tokens and money of a run."""

from __future__ import annotations

from react_agent.engine import Limits, Price
from react_agent.engine.guards import spending
from react_agent.messages import Usage


def used(tokens: int) -> Usage:
    return Usage(tokens, 0, 1)


def test_a_step_needs_room_for_itself_and_a_closing_question() -> None:
    limits = Limits(max_run_tokens=1_000)
    assert spending(Usage(), Usage(), limits) is None
    assert spending(used(800), used(100), limits) is None
    over = spending(used(801), used(100), limits)
    assert over is not None
    assert (over.guard, over.detail, over.closes) == ("tokens", "801 of 1000", True)
    over = spending(used(950), used(100), limits)
    assert over is not None
    assert not over.closes


def test_a_price_is_for_a_million_tokens() -> None:
    price = Price(prompt=0.5, completion=2)
    assert price.of(Usage(1_000_000, 500_000)) == 1.5
    limits = Limits(max_cost=0.01, price=price)
    assert spending(Usage(4_000, 1_000, 2), Usage(2_000, 500, 1), limits) is None
    over = spending(Usage(8_000, 2_000, 4), Usage(2_000, 500, 1), limits)
    assert over is not None
    assert (over.guard, over.closes) == ("cost", True)


def test_without_limits_nothing_is_counted() -> None:
    assert spending(used(10**9), used(10**9), Limits()) is None
