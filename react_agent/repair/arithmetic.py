"""Arithmetic that a model wrote where a number should be: `5 / 100`, `2 * 12`, `4 * 3.14 * 10**-7`.

In: text.  Out: the number, or None when the text is anything else.  Only numbers, `+ - * / **` and brackets are known, and only
text with `*` or a single `/` counts: `3-5` may be a range and `12/5/2022` is a date.  Length, depth and powers are bounded.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

import regex

MAX_LENGTH = 100
MAX_POWER = 400
_WRITTEN = regex.compile(r"[\d\s.eE+*/()_-]{3,100}+")
_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def computed(text: str) -> int | float | None:
    """The value of the arithmetic in `text`.

    >>> computed("2 * 12")
    24
    """
    if len(text) > MAX_LENGTH or not _WRITTEN.fullmatch(text) or not _is_arithmetic(text):
        return None
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body)
        return value if math.isfinite(value) else None
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def _is_arithmetic(text: str) -> bool:
    return "*" in text or text.count("/") == 1


def _value(node: ast.expr) -> int | float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
    raise ValueError("not arithmetic")


def _power(base: float, exponent: float) -> int | float:
    if abs(exponent) > MAX_POWER or abs(base) > 10**MAX_POWER:
        raise ValueError("too large a power")
    result: int | float | complex = base**exponent
    if isinstance(result, complex):
        raise ValueError("no real number")
    return result
