"""An answer that lists the numbers of which the sum, the difference or the mean was asked for."""

from __future__ import annotations

import pytest

from tests.engine.playing import TEXT, action, answer, play, tool

ORDERS = {"B1": '{"item": "lamp", "amount": 42.5}', "B2": '{"item": "chair", "amount": 180.0}'}
ORDER = tool("get_order", lambda order: ORDERS[order], order=TEXT)
FILE = tool("read_file", lambda path: "month,spend\nJan,1200\nFeb,950\nMar,1610", path=TEXT)
REPORT = tool("report", lambda month: '{"average": 21, "rainy_days": 12}', month=TEXT)
CALCULATOR = tool("calculator", lambda expression: "137.5", expression=TEXT)
BOTH = [action("get_order", order="B1"), action("get_order", order="B2")]
LISTED = "The lamp is 42.5 and the chair is 180.0."


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("What is the difference in price between orders B1 and B2?", "B1 is 42.5 and B2 is 180."),
        ("What do B1 and B2 cost altogether?", LISTED),
        ("订单 B1 和 B2 一共多少钱？", "B1 是 42.5 元，B2 是 180 元。"),
        ("B1 和 B2 相差多少钱？", "分别是 42.5 和 180.0"),
        ("By how much is B2 more expensive than B1?", LISTED),
    ],
)
def test_a_list_is_sent_back_once(task: str, said: str) -> None:
    ran = play([*BOTH, answer(said), answer(said)], ORDER, task=task)
    assert [correction.reason for correction in ran.corrections] == ["unreckoned"]
    assert ran.result.answer == said


def test_rows_of_one_result_are_a_list_too() -> None:
    said = "Jan 1200, Feb 950, Mar 1610"
    replies = [action("read_file", path="budget.csv"), answer(said), answer("It comes to 3,760.")]
    ran = play(replies, FILE, task="Read budget.csv and tell me the total spend.")
    assert ran.result.answer == "It comes to 3,760."


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("What do B1 and B2 cost?", LISTED),
        ("What is the difference in price between orders B1 and B2?", "It is 137.5: 180 less 42.5."),
        ("What do B1 and B2 cost altogether?", "222.5"),
        ("What is the difference between B1 and B2?", "B1 is a lamp and B2 a chair."),
        ("What is the total of B1 and B2?", "42.5 and 180 are two hundred and twenty-two and a half."),
        ("Which is the dearer of B1 and B2, and what is the difference?", "The chair, which costs 180."),
    ],
)
def test_other_answers_go(task: str, said: str) -> None:
    ran = play([*BOTH, answer(said)], ORDER, task=task)
    assert (ran.result.answer, ran.corrections) == (said, [])


@pytest.mark.parametrize(
    ("task", "results", "said"),
    [
        ("What is the difference in price between A and B?", ['{"price": 20}', '{"price": 10}'], "10: A costs 20, B costs 10."),
        ("A 和 B 相差多少？", ['{"price": 20}', '{"price": 10}'], "相差 10（20 和 10）。"),
        ("What is the total of A and B?", ['{"p": 0, "n": 5}', '{"p": 5}'], "A costs 0 and B costs 5, so 5."),
        ("What is the difference between Python 3.11 and 3.12?", ["3.11: 2022", "3.12: 2023, PEP 701"], "2022; 2023, PEP 701."),
        ("Explain the difference in layers of a router and a switch.", ["router: layer 3", "switch: layer 2"], "3 and 2"),
        ("How many in total, and list the amounts.", ['{"count": 3}', "[5, 9, 20]"], "3 orders: 5, 9, 20."),
        ("Is there a difference in price between A and B?", ["42.5", "180"], "Yes: A is 42.5 and B is 180."),
        ("By how much must A grow to reach 100?", ['{"points": 80, "to_next": 20}', "ok"], "A has 80 and needs 20 more."),
        ("北京和上海的平均气温各是多少？", ["12.9 度", "17.1 度"], "北京 12.9 度，上海 17.1 度。"),
        ("一共有哪几个订单？", ["订单 1001", "订单 1002"], "有订单 1001 和 1002。"),
        ("北京一共有几条地铁线，分别开到几点？", ['{"lines": 48}', '{"close": 23}'], "48 条，开到 23 点。"),
        ("有差价吗？A 和 B 哪个贵？", ["42 元", "180 元"], "有，A 是 42 元，B 是 180 元。"),
    ],
)
def test_answers_that_hold_what_was_asked_go(task: str, results: list[str], said: str) -> None:
    look = tool("look", lambda what: results[int(what)], what=TEXT)
    ran = play([action("look", what="0"), action("look", what="1"), answer(said)], look, task=task, check_numbers=False)
    assert (ran.result.answer, ran.corrections) == (said, [])


def test_what_a_result_has_reckoned_may_be_listed() -> None:
    said = "On average 21 degrees, and 12 days of rain."
    ran = play([action("report", month="July"), answer(said)], REPORT, task="What was the average in July, and the rain?")
    assert (ran.result.answer, ran.corrections) == (said, [])


def test_what_a_calculator_has_said_may_stand_beside_its_numbers() -> None:
    said = "180 - 42.5 = 137.5"
    replies = [*BOTH, action("calculator", expression="180.0 - 42.5"), answer(said)]
    ran = play(replies, ORDER, CALCULATOR, task="What is the difference between B1 and B2?")
    assert (ran.result.answer, ran.corrections) == (said, [])


def test_without_a_result_nothing_is_known() -> None:
    ran = play([answer("42.5 and 180")], ORDER, task="What is the difference in price between B1 and B2?")
    assert ran.corrections == []
