"""Arithmetic as text: what is computed, and what only looks like it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.repair.arithmetic import computed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*12", 24),
        ("5 / 100", 0.05),
        ("(1 + 2) * 3", 9),
        ("-3 * 4", -12),
        ("2 ** 10", 1024),
        ("4*10**-7", 4e-7),
        ("1/4", 0.25),
    ],
)
def test_arithmetic(text: str, value: float) -> None:
    assert computed(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "3-5",
        "10 - 5",
        "12/5/2022",
        "2022-06-01",
        "1/0",
        "07*2",
        "2*",
        "(2*3",
        "a*b",
        "9**9**9",
        "2*3 " * 40,
        "1e308*10",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    """A range, a date and a division by zero are no numbers; nothing large is computed."""
    assert computed(text) is None


@settings(max_examples=200)
@given(st.text("0123456789.+-*/()e _", max_size=30))
def test_any_text(text: str) -> None:
    value = computed(text)
    assert value is None or math.isfinite(value)
