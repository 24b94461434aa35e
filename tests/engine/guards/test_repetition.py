"""A text that only repeats itself is cut, at the same place however it comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.engine.guards.repetition import MAX_PERIOD, STRIDE, Watch

LINE = "I have to look at the shelf again, as I am not sure.\n"
START = "思考：我先看一下货架。\n"


def taken(text: str, size: int, least: int | None = 1_000) -> tuple[str, Watch]:
    watch = Watch(least)
    kept = "".join(watch.take(text[at : at + size]) for at in range(0, len(text), size))
    return kept, watch


@pytest.mark.parametrize("period", ["哈", "no ", LINE, "-" * 60 + "\n", LINE * 3 + START, "".join(map(chr, range(200, 1_190)))])
def test_a_repetition_is_found_soon_and_said_once(period: str) -> None:
    text = START + period * (20_000 // len(period))
    kept, watch = taken(text, 7)
    assert len(kept) <= len(START) + max(1_000, 4 * len(period)) + 4 * STRIDE
    assert watch.found is not None
    assert watch.once(kept).startswith(START[:-1])
    assert watch.once(kept) == text[: watch.found.start + watch.found.period]
    assert len(watch.once(kept)) <= len(START) + 2 * len(period)
    assert sorted(watch.sample(watch.once(kept))) == sorted(period[: watch.found.period])


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{number}. look at shelf {number}\n" for number in range(2_000)),
        LINE * 18,  # below 1,000 characters
        "".join(chr(0x4E00 + number * 37 % 5_000) for number in range(20_000)),
        ("x" * (MAX_PERIOD + 1) + "y") * 20,
        "|---|---|\n" + "".join(f"| {number} | {number * number} |\n" for number in range(1_000)),
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert taken(text, 5)[0] == text


def test_without_a_limit_nothing_is_cut() -> None:
    assert taken(LINE * 500, 9, None)[0] == LINE * 500


@given(
    st.text(max_size=400),
    st.text(min_size=1, max_size=80),
    st.integers(0, 200),
    st.text(max_size=300),
    st.lists(st.integers(1, 400), min_size=1, max_size=20),
)
def test_every_cut_decides_alike(before: str, period: str, copies: int, behind: str, sizes: list[int]) -> None:
    text = before + period * copies + behind
    whole, one = taken(text, max(len(text), 1))
    watch, at, kept = Watch(1_000), 0, ""
    while at < len(text):
        size = sizes[at % len(sizes)]
        kept += watch.take(text[at : at + size])
        at += size
    assert (kept, watch.found) == (whole, one.found)
    assert text.startswith(kept)
