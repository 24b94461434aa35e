"""Sums that a model gets wrong before a tool can: brackets of the task lost, a part worked out in its head."""

from __future__ import annotations

import pytest

from tests.engine.playing import TEXT, action, answer, play, tool

CALCULATOR = tool("calculator", lambda expression: f"= {expression}", expression=TEXT)
READ_FILE = tool("read_file", lambda path: "month,spend\nJan,1200\nFeb,950\nMar,1610", path=TEXT)
LOOK = tool("look", lambda what: "nothing known", what=TEXT)


@pytest.mark.parametrize(
    ("task", "written"),
    [
        ("请计算 (37+58)*46 等于多少", "37+58*46"),
        ("请计算（37＋58）×46", "37+58*46"),
        ("What is 100 - (30 - 12)?", "100-30-12"),
        ("Work out (1,200 + 950) / 2, please", "1200 + 950 / 2"),
        ("2*(3+4)*(5+6)", "2*(3+4)*5+6"),
        ("81 / (9 * 3)", "81/9*3"),
        ("((37+58))*46 =", "37+58*46"),
        ("(37 + (5 * 2)) * 46", "37+5*2*46"),
        ("50−(20−5)", "50-20-5"),
        ("计算 2的10次方 减去 24，再除以 8。", "2**10-24/8"),
        ("3加4，然后乘以 5", "3+4*5"),
        ("Add 3 and 4, then multiply by 5.", "3 + 4 * 5"),
        ("Take 10 minus 4 and divide the result by 2.", "10-4/2"),
    ],
)
def test_a_sum_that_lost_brackets_is_sent_back(task: str, written: str) -> None:
    ran = play(
        [action("calculator", expression=written), action("calculator", expression="(1+2)*3"), answer("done")],
        CALCULATOR,
        task=task,
    )
    assert [correction.reason for correction in ran.corrections] == ["unbracketed"]
    assert "brackets" in ran.said(2) or "括号" in ran.said(2)
    assert ran.ran[0][1] == {"expression": "(1+2)*3"}


@pytest.mark.parametrize(
    ("task", "written"),
    [
        ("请计算 (37+58)*46 等于多少", "(37+58)*46"),
        ("请计算 (37*58)+46 等于多少", "37*58+46"),
        ("What is (37 + 58)?", "37+58"),
        ("f(2) and then 3*4", "3*4"),
        ("What is 37+58*46?", "37+58*46"),
        ("(a thought) 37+58*46", "37+58*46"),
        ("46*(37+58), or another sum: 46-37", "46-37"),
        ("Which is bigger, (37+58)*46 or 37+58*46?", "37+58*46"),
        ("小明把 (37+58)×46 算成了 37+58×46，他得到多少？", "37+58*46"),
        ("A student wrote 2*(3+4) as 2*3+4. What did he get?", "2*3+4"),
        ("10-(3*4)", "10-3*4"),
        ("3*(4/2)", "3*4/2"),
        ("5*(-3)", "5*-3"),
        ("12-(-4)", "12--4"),
        ("(10-4)/(3)", "(10-4)/3"),
        ("((10+4)/2)*3", "(10+4)/2*3"),
        ("(6*(2+1))-4", "6*(2+1)-4"),
        ("计算 2的10次方 减去 24，再除以 8。", "(2**10-24)/8"),
        ("计算 128 除以 8 再加 17", "128/8+17"),
        ("6除以2，再乘以 5", "6/2*5"),
        ("Multiply 3 by 4, then divide by 2.", "3*4/2"),
        ("Add 3 and 4, then multiply by 5.", "7*5"),
        ("Take 15 and multiply by 3, then add 20.", "20+15*3"),
        ("把 15 再乘以 3，然后加上 20", "20+15*3"),
        ("A taxi costs 5 dollars plus 2 per km: take 10 km and multiply by 2, and add the base", "5+10*2"),
        ("What is 10+6/2? Also take 8 and divide by 2", "10+6/2"),
        ("Compute 2 + 3 * 4, and multiply by 4 where needed", "2+3*4"),
    ],
)
def test_a_sum_whose_value_stays_is_run(task: str, written: str) -> None:
    ran = play([action("calculator", expression=written), answer("done")], CALCULATOR, task=task)
    assert ran.ran == [("calculator", {"expression": written})]


def test_a_part_worked_out_in_the_head_is_to_be_written_with_the_numbers_of_the_results() -> None:
    replies = [
        action("read_file", path="budget.csv"),
        action("calculator", expression="4760 / 3"),
        action("calculator", expression="(1200 + 950 + 1610) / 3"),
        answer("1253"),
    ]
    ran = play(replies, CALCULATOR, READ_FILE, task="The average of budget.csv?")
    assert [correction.reason for correction in ran.corrections] == ["reckoned"]
    assert "4760" not in ran.said(3)
    assert "Look it up" not in ran.said(3)
    assert [name for name, _ in ran.ran] == ["read_file", "calculator"]


@pytest.mark.parametrize(
    ("task", "written"),
    [
        ("What is the price with 15% off?", "100.5*0.85"),
        ("What is the price with 19 % VAT?", "100.5 * 1.19"),
        ("涨价5%后是多少？", "100.5*1.05"),
        ("打八折是多少？", "100.5*0.8"),
        ("What is a quarter of the price?", "100.5*0.25"),
        ("The price twice a day: what is that in a year of 365 days?", "100.5*2*365"),
        ("In Fahrenheit, if it were degrees Celsius?", "100.5*1.8+32"),
        ("In kelvin?", "100.5+273.15"),
        ("In cm, if it were inches?", "100.5*2.54"),
        ("In km, if it were miles?", "100.5*1.60934"),
        ("In minutes, if it were days?", "100.5*1440"),
        ("The year 2020 less 1980?", "2020-1980"),
    ],
)
def test_sums_with_percentages_and_common_numbers_are_right(task: str, written: str) -> None:
    price = tool("get_price", lambda item: "100.5", item=TEXT)
    replies = [action("get_price", item="it"), action("calculator", expression=written), answer("done")]
    assert play(replies, CALCULATOR, price, task=task).corrections == []


@pytest.mark.parametrize("first", [action("look", what="it"), None])
def test_without_numbers_in_results_the_value_is_to_be_looked_up(first: str | None) -> None:
    replies = [*filter(None, [first]), action("calculator", expression="4760 / 3"), answer("I do not know.")]
    ran = play(replies, CALCULATOR, LOOK, READ_FILE, task="The average of budget.csv?")
    assert [correction.reason for correction in ran.corrections] == ["ungrounded"]


def test_a_number_that_is_no_sum_is_to_be_looked_up_whatever_is_known() -> None:
    refund = tool("refund", lambda amount: "refunded", amount={"type": "number"})
    replies = [action("read_file", path="budget.csv"), action("refund", amount=4760.0), answer("I do not know.")]
    ran = play(replies, refund, READ_FILE, task="Refund what budget.csv says.")
    assert [correction.reason for correction in ran.corrections] == ["ungrounded"]
