from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.messages import Call
from react_agent.tools import Toolbox
from react_agent.tools.builtin import calculator
from react_agent.tools.builtin.calculator import CalculationError, evaluate


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("2 + 3 * 4", "14"),
        ("(31 - 28)", "3"),
        ("-2 ** 2", "-4"),
        ("7 // 2 + 7 % 2", "4"),
        ("10 % -3", "-2"),
        ("2 ** -1", "0.5"),
        ("0.1 + 0.2", "0.3"),
        ("1.1 * 1.1", "1.21"),
        ("27.000000000000004", "27"),
        ("1 / 3", "0.3333333333333333"),
        ("6 / 3", "2"),
        ("1e3", "1000"),
        ("1e-20 * 3", "3e-20"),
        ("1000000000000001 / 1", "1000000000000001"),
        ("2 ** 100", "1267650600228229401496703205376"),
        (".5 + 1.", "1.5"),
        ("007 + 08", "15"),
        ("1 +\n 2", "3"),
        # functions and constants
        ("sqrt(16) + abs(-3)", "7"),
        ("round(3.14159, 2)", "3.14"),
        ("round(1234, -2)", "1200"),
        ("max(1, 2, 3) - min(4, 5)", "-1"),
        ("floor(2.7) + ceil(2.1)", "5"),
        ("log(8, 2) + log10(1000) + log2(4) + ln(e)", "9"),
        ("exp(0) + sin(0) + cos(0) + tan(0)", "2"),
        ("2 * PI", "6.283185307179586"),
        # as people write it
        ("3 × (2＋１)", "9"),
        ("９÷３－１", "2"),
        ("3 x 4", "12"),
        ("(2)X(3)", "6"),
        ("2^10", "1024"),
        ("3² + 2³", "17"),
        ("√16 + √(9)", "7"),
        ("√2", "1.4142135623730951"),
        ("[1 + 2] * 【3】", "9"),
        ("12 + 3 =", "15"),
        ("12＋3＝？", "15"),
        # percentages
        ("200 * 15%", "30"),
        ("12.5% of 840", "105"),
        ("12.5%of 840", "105"),
        ("12.5 % of 840", "105"),
        ("50% of 50% of 8", "2"),
        ("15% of 1,200 + 1", "181"),
        ("5% of (100 + 200)", "15"),
        ("100 + 12.5% of 840", "205"),
        ("15 percent of 200", "30"),
        ("840的12.5%", "105"),
        ("12.5％ 的 840", "105"),
        ("（1＋2）×3÷9", "1"),
        ("15％ × 1，000", "150"),
        ("6 / 50%", "12"),
        ("10% + 5% - 2%", "0.13"),
        ("50% - 3", "-2.5"),
        ("17 %5", "2"),
        ("17%5", "2"),
        ("max(10%, 0.2)", "0.2"),
        # thousands separators
        ("1,234,567 + 1", "1234568"),
        ("(1,000.5) * 2", "2001"),
        ("max(100,200)", "200"),
        ("max(3,0.5)", "3"),
        ("max((1),200)", "200"),
    ],
)
def test_values(expression: str, result: str) -> None:
    assert calculator(expression) == result


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("", "not an arithmetic expression"),
        ("1 +", "not an arithmetic expression"),
        ("(1", "not an arithmetic expression"),
        ("1 2", "not an arithmetic expression"),
        ("北京 - 上海", "'北' has no place"),
        ("5 $", "'$' has no place"),
        ("__import__('os')", "has no place"),
        ("a.b", "only numbers"),
        ("().__class__", "only numbers"),
        ("x", "only numbers"),
        ("True + 1", "only numbers"),
        ("2j", "operator is missing"),
        ("2pi", "operator is missing"),
        ("1_000", "operator is missing"),
        ("1or 2", "operator is missing"),
        ("1 if 2 else 3", "only numbers"),
        ("1, 2", "only numbers"),
        ("lambda: 1", "has no place"),
        ("sum(1, 2)", "no function sum"),
        ("eval(1)", "no function eval"),
        ("(max)(1)(2)", "only numbers"),
        ("max(*(1, 2))", "only numbers"),
        ("sqrt()", "takes 1 numbers, but 0 came"),
        ("log(1, 2, 3)", "takes 1 to 2 numbers"),
        ("0x10", "decimal"),
        ("1 / 0", "division by zero"),
        ("5 % (3 - 3)", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("sqrt(-1)", "sqrt(-1) is not a real number"),
        ("log(0)", "not a real number"),
        ("(-8) ** (1/3)", "not a real number"),
        ("100 + 10%", "two things"),
        ("10%-3", "two things"),
        ("12,34", "two things"),
        ("1,0000", "two things"),
        ("max(1,000, 2)", "two things"),
        # bounds
        ("9 ** 9 ** 9", "too large"),
        ("10 ** 1001", "too large"),
        ("2.5 ** 10000", "too large"),
        ("1e308 * 10", "too large"),
        ("1e999", "too large"),
        ("exp(1000)", "too large"),
        ("10 ** 999 * 10 ** 999", "too large"),
        ("10 ** 999 / 2", "too large"),
        ("round(5, 1000000000)", "-100 to 100"),
        ("round(5, 1.5)", "-100 to 100"),
        ("-" * 60 + "1", "nested"),
        ("(" * 300 + "1" + ")" * 300, "characters"),
        ("1" * 501, "501 characters"),
    ],
)
def test_what_has_no_value(expression: str, part: str) -> None:
    with pytest.raises(CalculationError) as caught:
        calculator(expression)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_as_a_tool() -> None:
    box = Toolbox([calculator])
    assert box.run(Call("calculator", {"expression": "36 × 0.75"})).content == "27"
    assert box.run(Call("calculator", {"expression": "1/0"})).content == "Error: CalculationError: division by zero"
    assert calculator.pure


NUMBERS = st.integers(0, 999).map(str) | st.decimals(0, 999, places=2).map(str)
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        ),
        st.tuples(st.sampled_from(["-", "+"]), inner).map(lambda p: f"({p[0]}{p[1]})"),
        st.tuples(st.sampled_from(["abs", "floor", "ceil", "sqrt", "round"]), inner).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
    ),
    max_leaves=8,
)
KNOWN = {name: getattr(math, name) for name in ("floor", "ceil", "sqrt")}


@given(EXPRESSIONS)
def test_it_computes_what_python_computes(expression: str) -> None:
    try:
        result = evaluate(expression)
    except CalculationError:
        return  # too large, or no real number: then Python may take for ever
    expected = eval(expression, {"__builtins__": {}}, {**KNOWN, "abs": abs, "round": round, "min": min, "max": max})
    assert result == expected
    assert type(result) is type(expected)
    shown = calculator(expression)
    assert shown == str(expected) or math.isclose(float(shown), expected, rel_tol=1e-11)


@given(st.text() | st.text(st.sampled_from("0123456789.,+-*/%^()eExXpi√²×÷，％＝ \n_'\"[]{}:#\\\x00maxsqrtround"), max_size=60))
@example("1" * 499 + "%")
@example("√" * 500)
@example("\ud800")
def test_it_never_raises_anything_else(expression: str) -> None:
    with contextlib.suppress(CalculationError):
        assert calculator(expression)
