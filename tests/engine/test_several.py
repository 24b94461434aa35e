"""A look-up that found nothing as it asked for several things at once."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.engine import Traits
from tests.engine.playing import INT, TEXT, action, answer, play, tool

STOCK: dict[str, Any] = {"keyboard": 12, "mouse": 58, "salt and pepper": 3}
CHECK = tool("check_stock", lambda item: STOCK.get(item, "[]"), item=TEXT)
LOOKS = Traits(looking=frozenset({"check_stock", "find"}))


@pytest.mark.parametrize(
    ("item", "things"),
    [
        ("keyboard and mouse", ("keyboard", "mouse")),
        ("keyboard & mouse", ("keyboard", "mouse")),
        ("keyboard, mouse, and pen", ("keyboard", "mouse", "pen")),
        ("键盘和鼠标", ("键盘", "鼠标")),
        ("键盘、鼠标以及钢笔", ("键盘", "鼠标", "钢笔")),
    ],
)
def test_the_model_is_told_to_ask_for_each(item: str, things: tuple[str, ...]) -> None:
    ran = play([action("check_stock", item=item), answer("none")], CHECK, traits=LOOKS)
    assert [correction.reason for correction in ran.corrections] == ["several"]
    assert all(thing in ran.corrections[0].text for thing in things)
    assert ran.result.steps[0].results[0].status == "empty"


@pytest.mark.parametrize(
    "item",
    [
        "salt and pepper",
        "pen",
        "android",
        "and",
        "a" * 60 + " and " + "b" * 60,
        "a" * 35 + " and b",
        "Johnson & Johnson",
        "AT&T",
        "1,000, 2",
        "Paris, France",
        "共和国",
        "哈利波特与魔法石",
        "2 Main St, Springfield, IL",
        "SELECT a, b FROM t",
    ],
)
def test_other_look_ups_are_left(item: str) -> None:
    assert play([action("check_stock", item=item), answer("none")], CHECK, traits=LOOKS).corrections == []


def test_it_is_told_once_in_a_run() -> None:
    replies = [action("check_stock", item="ink and nibs"), action("check_stock", item="pens and pads"), answer("none")]
    assert [item.reason for item in play(replies, CHECK, traits=LOOKS).corrections] == ["several"]


def test_only_the_one_text_of_a_tool_that_looks_is_taken_apart() -> None:
    note = tool("note", lambda text: None, text=TEXT)
    find = tool("find", lambda what, where: [], what=TEXT, where=TEXT)
    rows = tool("find", lambda what, rows: [], what=TEXT, rows=INT)
    assert play([action("note", text="tea and milk"), answer("ok")], note, traits=LOOKS).corrections == []
    assert play([action("find", what="tea and milk", where="in and out"), answer("ok")], find, traits=LOOKS).corrections == []
    ran = play([action("find", what="tea and milk", rows=2), answer("ok")], rows, traits=LOOKS, task="Find 2 rows.")
    assert [item.reason for item in ran.corrections] == ["several"]
