import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import pathlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pydantic
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from react_agent.messages import Status
from react_agent.tools import results
from react_agent.tools.results import cut


def render(value: Any, limit: int) -> tuple[str, Status]:
    shown = results.render(value, limit)
    return shown.content, shown.status


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass
class Row:
    name: str
    day: datetime.date


class Item(pydantic.BaseModel):
    price: decimal.Decimal
    tags: set[str] = set()


class Pair(NamedTuple):
    left: int
    right: str


class Plain:
    def __str__(self) -> str:
        return "a plain thing"


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("no text")


class Index:
    def __index__(self) -> int:
        return 7


DAY = datetime.date(2024, 5, 1)
DIGITS = "(a whole number of about {} digits)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("北京 晴", "北京 晴"),
        ("  two\nlines ", "  two\nlines "),
        (0, "0"),
        (False, "false"),
        (2.5, "2.5"),
        ({"城市": "北京", "t": None}, '{"城市": "北京", "t": null}'),
        ([1, "a", [True]], '[1, "a", [true]]'),
        ((1, 2), "[1, 2]"),
        ({2, 1}, "[1, 2]"),
        (frozenset({"b", "a"}), '["a", "b"]'),
        ({1: "a", (1, 2): "b", Colour.RED: "c", DAY: "d"}, '{"1": "a", "[1, 2]": "b", "red": "c", "2024-05-01": "d"}'),
        (Row("a", DAY), '{"name": "a", "day": "2024-05-01"}'),
        ([Item(price=decimal.Decimal("1.10"), tags={"x"})], '[{"price": "1.10", "tags": ["x"]}]'),
        (Pair(1, "b"), '{"left": 1, "right": "b"}'),
        (DAY, "2024-05-01"),
        (datetime.datetime(2024, 5, 1, 10, 30), "2024-05-01T10:30:00"),
        (datetime.timedelta(hours=1), "1:00:00"),
        (Colour.RED, "red"),
        ([Colour.RED, Level.LOW], '["red", 1]'),
        (pathlib.PurePosixPath("a/b.txt"), "a/b.txt"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (decimal.Decimal("1.10"), "1.10"),
        (fractions.Fraction(1, 3), "1/3"),
        ("中文".encode(), "中文"),
        (b"\xff\xfe\x00", "(3 bytes that are not text)"),
        (memoryview(b"abc"), "abc"),
        ((number * number for number in range(3)), "[0, 1, 4]"),
        (Plain(), "a plain thing"),
        ({"x": Plain()}, '{"x": "a plain thing"}'),
        (Broken(), "<Broken>"),
        (Index(), "7"),
        (Row, "Row"),
        (10**5_000, DIGITS.format("5,000")),
        ({10**5_000: [-(10**6_000)]}, json.dumps({DIGITS.format("5,000"): [DIGITS.format("6,000")]})),
        ("half \ud83d pair \ud83d\ude00", "half \ufffd pair 😀"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_the_model_reads(value: object, text: str) -> None:
    assert render(value, 1_000) == (text, "ok")


@pytest.mark.parametrize("value", [None, "", " \n", [], {}, (), set(), b""])
def test_nothing_is_said_in_words_or_brackets(value: object) -> None:
    text, status = render(value, 1_000)
    assert status == "empty"
    assert text.strip()


def test_no_addresses_of_objects() -> None:
    assert render(object(), 1_000) == ("<object object>", "ok")
    assert " at 0x" not in render([print, Plain.__str__, lambda: None], 1_000)[0]


def test_depth_is_bounded() -> None:
    deep: list[Any] = []
    deep.append(deep)
    assert render(deep, 1_000)[0].startswith("[[[[")


class Counted:
    """Values that are made when they are looked at, and how many were."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make
        self.seen = 0

    def __iter__(self) -> Iterator[Any]:
        while True:
            self.seen += 1
            yield self.make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: 1,
        lambda: None,
        lambda: "x" * 50,
        list,
        lambda: ["x"] * 1_000,
        lambda: {"key": 1},
        lambda: dict.fromkeys(range(1_000)),
        lambda: Row("a", DAY),
        lambda: Colour.RED,
        lambda: Plain(),
    ],
)
def test_no_more_is_read_than_the_limit_is_worth(make: Callable[[], Any]) -> None:
    endless = Counted(make)
    text, status = render({"first": "begin", "rows": endless, "last": "end"}, 1_000)
    assert status == "truncated"
    assert 900 < len(text) <= 1_000
    assert text.startswith('{"first": "begin"')
    assert text.endswith('"… more"], "…": "… 1 more"}')
    assert endless.seen < 4_000


def test_what_was_not_read_is_counted() -> None:
    text, status = render([["cell"] * 1_000] * 200, 1_000)
    assert status == "truncated"
    inner, outer = map(int, regex.findall(r"… (\d+) more", text))
    assert 0 < inner < 1_000
    assert 190 < outer < 200


def test_what_is_somewhat_too_long_keeps_its_last_part() -> None:
    assert render(list(range(500)), 1_000)[0].endswith(", 498, 499]")


# --- the cut ---------------------------------------------------------------------------------------------------------


def test_a_long_result_keeps_its_beginning_and_its_end() -> None:
    text, status = render("".join(f"line {number}\n" for number in range(20_000)), 4_000)
    assert status == "truncated"
    assert 3_900 < len(text) <= 4_000
    assert text.startswith("line 0\n")
    assert text.endswith("line 19999\n")


def test_the_note_tells_how_much_is_missing() -> None:
    whole = "a" * 50_000
    text = cut(whole, 1_000)
    (left_out,) = regex.findall(r"\((\d+) characters left out here\)", text)
    assert text.count("a", 0, 600) + int(left_out) > 0
    assert len(regex.sub(r"\n….*…\n", "", text)) + int(left_out) == 50_000


def test_a_result_of_exactly_the_limit_is_whole() -> None:
    assert render("a" * 500, 500) == ("a" * 500, "ok")
    assert render("a" * 501, 500)[1] == "truncated"


VISIBLE = st.sampled_from(["a", "中", "é", "👨‍👩‍👧", "🇨🇳", "한", "\r\n", "👍🏽"])


@given(st.lists(VISIBLE, min_size=300, max_size=400).map("".join), st.integers(200, 280))
def test_it_is_cut_between_visible_characters(text: str, limit: int) -> None:
    shown = cut(text, limit)
    head, _, tail = regex.split(r"(\n… \(\d+ characters left out here\) …\n)", shown)
    borders = {0, len(text)} | {found.start() for found in regex.finditer(r"\X", text)}
    assert len(shown) <= limit
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) in borders
    assert len(text) - len(tail) in borders


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.dates() | st.uuids()
KEYS = st.text() | st.integers() | st.dates()


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)))
def test_any_value_gives_text_that_can_be_sent(value: object) -> None:
    text, _ = render(value, 300)
    assert text.encode("utf-8")
    assert len(text) <= 300


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), st.lists(st.integers() | st.text(st.characters(codec="utf-8")))))
def test_json_data_stays_the_same_data(value: dict[str, object]) -> None:
    text, _ = render(value, 10**9)
    assert json.loads(text) == value
