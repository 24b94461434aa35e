"""Arithmetic: a walk over Python's syntax tree that knows numbers, operators and a few functions, and nothing else.

In: an expression as people and models write it (`3 × (2＋１)`, `12.5% of 1,000`, `2^10`, `√2`).  Out: the number as text.
Rules: the spelling is brought to Python's by `_python`, place by place, and what could mean two things is refused; nothing
is ever evaluated by Python itself; length, depth, digits and exponents are bounded; every failure is a `CalculationError`
that says what is wrong.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Annotated

from react_agent.tools.spec import tool

MAX_CHARS = 500
MAX_DEPTH = 50
MAX_DIGITS = 1_000
Number = int | float


class CalculationError(ValueError):
    """The expression cannot be computed."""


@tool(
    pure=True,
    description="当需要做加减乘除、百分比等数值计算时调用，不要心算。Use for any arithmetic instead of computing in your head.",
)
def calculator(
    expression: Annotated[str, "只含数字、运算符、括号和函数的算式。Numbers, operators, brackets and functions only."],
) -> str:
    """The value of `expression` as text.

    Operators `+ - * / // % **`, percentages (`12.5% of 840`), `sqrt abs round min max log log2 log10 ln exp sin cos tan floor
    ceil`, `pi` and `e`.  Angles are in radians.

    Raises:
        CalculationError: it is no arithmetic, has no value among the real numbers, or is too long or too large.
    """
    return _text(evaluate(expression))


def evaluate(expression: str) -> Number:
    """The value of `expression`; raises as `calculator`."""
    if len(expression) > MAX_CHARS:
        raise CalculationError(f"the expression has {len(expression)} characters; at most {MAX_CHARS} are allowed")
    try:
        return _value(ast.parse(_python(expression), mode="eval").body, 0)
    except (SyntaxError, MemoryError, RecursionError):
        raise CalculationError(f"this is not an arithmetic expression: {' '.join(expression.split())[:80]}") from None
    except ZeroDivisionError:
        raise CalculationError("division by zero") from None
    except OverflowError:
        raise CalculationError("the result is too large") from None


# --- the spelling ----------------------------------------------------------------------------------------------------

_SIGNS = str.maketrans(
    {
        "×": "*", "✕": "*", "✖": "*", "∗": "*", "＊": "*", "·": "*", "÷": "/", "∕": "/", "／": "/",
        "−": "-", "–": "-", "—": "-", "－": "-", "＋": "+", "（": "(", "）": ")", "[": "(", "]": ")", "【": "(", "】": ")",
        "，": ",", "．": ".", "。": ".", "％": "%", "﹪": "%", "＾": "^", "＝": "=", "π": " pi ", "√": " sqrt ", "\u3000": " ",
        **{chr(ord("０") + digit): str(digit) for digit in range(10)},
    }
)  # fmt: skip
_UNKNOWN = re.compile(r"[^\w+\-*/%().,\s]", re.ASCII)
_GLUED = re.compile(r"\d(?![eE][+-]?\d)[A-Za-z_]")
_END = re.compile(r"\s*=\s*[?？]?\s*$")
_BASED = re.compile(r"(?<![\w.])0[xXbBoO]")
_POWERS = (("^", "**"), ("²", "**2"), ("³", "**3"))
_TIMES = re.compile(r"(?<=[\d)])\s*[xX]\s*(?=[\d(.])")
_ROOT = re.compile(r"\bsqrt\s+(\d+(?:\.\d+)?|pi\b|e\b)")
_PART_OF = re.compile(r"(?<=%)\s*(?:of\b|的)\s*")
_THE_PART = re.compile(r"(?<=[\d)])\s*的\s*(?=[\d.]+\s*%)")
_IN_WORDS = re.compile(r"(?<=\d)\s*(?:percent|per cent)\b(?!\s*\()", re.IGNORECASE)
_ZEROS = re.compile(r"(?<![\w.])0+(?=\d)")
_PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?|\.\d+)(\s*)%(\s*)(?=([-+*/),%]?)(\s*[\d.]+\s*%|.?))")
_GROUPED = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])")
_PIECES = re.compile(r"(?P<open>(?P<name>[A-Za-z_]\w*)?\s*\()|(?P<close>\))|(?P<number>[\d.,]*\d)|.", re.DOTALL)


def _python(text: str) -> str:
    """The expression in Python's spelling."""
    text = _END.sub("", " ".join(text.translate(_SIGNS).split()))
    if _BASED.search(text):
        raise CalculationError("only decimal numbers are known")
    for sign, python in _POWERS:
        text = text.replace(sign, python)
    text = _THE_PART.sub(" * ", _PART_OF.sub(" * ", _IN_WORDS.sub("%", text)))
    text = _TIMES.sub("*", _ROOT.sub(r"sqrt(\1)", text))
    _check_signs(text)
    return _PERCENT.sub(_percent, _ZEROS.sub("", _without_thousands(text)))


def _check_signs(text: str) -> None:
    """Nothing that Python's own reader warns of or that only Python understands gets to it."""
    if unknown := _UNKNOWN.search(text):
        raise CalculationError(f"{unknown[0]!r} has no place in an arithmetic expression")
    if glued := _GLUED.search(text):
        raise CalculationError(f'an operator is missing inside "{glued[0]}"')


def _without_thousands(text: str) -> str:
    """`1,000` as one number, but not between the brackets of a function, where a comma parts two numbers."""
    inside: list[bool] = [False]

    def piece(found: re.Match[str]) -> str:
        if found["open"]:
            inside.append(bool(found["name"]) or inside[-1])
        elif found["close"] and len(inside) > 1:
            inside.pop()
        elif found["number"]:
            return _number(found["number"], in_function=inside[-1])
        return found[0]

    return _PIECES.sub(piece, text)


def _number(written: str, *, in_function: bool) -> str:
    if "," not in written:
        return written
    if in_function and not re.search(r",0\d", written):
        return written
    if in_function or not _GROUPED.fullmatch(written.partition(".")[0]):
        raise CalculationError(f"the comma in {written[:40]} can mean two things; write numbers without thousands separators")
    return written.replace(",", "")


def _percent(found: re.Match[str]) -> str:
    """`15%` as a percentage, `15 % 4` as the rest of a division: the blanks decide where a sign follows."""
    number, before, after, follows, then = found.groups()
    if not follows:
        return found[0] if then else f"percent({number})"
    if follows not in "+-" or then.endswith("%"):
        return f"percent({number}){after}"
    if not before and not after:
        raise CalculationError(f"{number}%{follows} can mean two things; write {number}/100 or {number} % ({follows}...)")
    return found[0] if before else f"percent({number}){after}"


# --- the walk --------------------------------------------------------------------------------------------------------


def _power(base: Number, exponent: Number) -> Number:
    whole = isinstance(base, int) and isinstance(exponent, int) and exponent > 0 and abs(base) > 1
    if whole and exponent * math.log10(abs(base)) > MAX_DIGITS:
        raise OverflowError
    result = base**exponent
    if isinstance(result, complex):
        raise CalculationError("a root of a negative number is not a real number")
    return result


def _rounded(number: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or abs(digits) > 100:
        raise CalculationError("round takes a number of digits from -100 to 100")
    return round(number, digits) if digits else round(number)


def _real(function: Callable[..., float]) -> Callable[..., float]:
    def checked(*numbers: Number) -> float:
        try:
            return function(*numbers)
        except ValueError:
            raise CalculationError(f"{function.__name__}({', '.join(map(str, numbers))}) is not a real number") from None

    return checked


def _smallest(*numbers: Number) -> Number:
    return min(numbers)


def _greatest(*numbers: Number) -> Number:
    return max(numbers)


def _percentage(number: Number) -> float:
    return number / 100


_LIMIT = 10**MAX_DIGITS
_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_UNARY: dict[type[ast.unaryop], Callable[[Number], Number]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_CONSTANTS = {"pi": math.pi, "e": math.e}
_FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int]] = {
    # the function, and how many numbers it takes
    "sqrt": (_real(math.sqrt), 1, 1),
    "abs": (abs, 1, 1),
    "round": (_rounded, 1, 2),
    "min": (_smallest, 1, 100),
    "max": (_greatest, 1, 100),
    "log": (_real(math.log), 1, 2),
    "ln": (_real(math.log), 1, 1),
    "log2": (_real(math.log2), 1, 1),
    "log10": (_real(math.log10), 1, 1),
    "exp": (math.exp, 1, 1),
    "sin": (math.sin, 1, 1),
    "cos": (math.cos, 1, 1),
    "tan": (math.tan, 1, 1),
    "floor": (math.floor, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "percent": (_percentage, 1, 1),
}


def _value(node: ast.expr, depth: int) -> Number:
    if depth > MAX_DEPTH:
        raise CalculationError(f"the expression is nested more than {MAX_DEPTH} deep")
    return _bounded(_computed(node, depth + 1))


def _computed(node: ast.expr, depth: int) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name.lower() in _CONSTANTS:
            return _CONSTANTS[name.lower()]
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _UNARY:
            return _UNARY[type(sign)](_value(operand, depth))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
            _check_percent(left, sign, right)
            return _BINARY[type(sign)](_value(left, depth), _value(right, depth))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _applied(name, [_value(argument, depth) for argument in arguments])
    raise CalculationError(f"only numbers, + - * / // % **, brackets and {', '.join(_FUNCTIONS)} are known")


def _applied(name: str, numbers: list[Number]) -> Number:
    if name.lower() not in _FUNCTIONS:
        raise CalculationError(f"there is no function {name[:40]}; known are {', '.join(_FUNCTIONS)}")
    function, least, most = _FUNCTIONS[name.lower()]
    if not least <= len(numbers) <= most:
        raise CalculationError(
            f"{name} takes {least if least == most else f'{least} to {most}'} numbers, but {len(numbers)} came"
        )
    return function(*numbers)


def _check_percent(left: ast.expr, sign: ast.operator, right: ast.expr) -> None:
    if isinstance(sign, (ast.Add, ast.Sub)) and _is_percent(right) and not _is_percent(left):
        raise CalculationError("adding a percentage can mean two things; write a * (1 + p/100) or a + p/100")


def _is_percent(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="percent")):
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _is_percent(left) and _is_percent(right)
    return False


def _bounded(number: Number) -> Number:
    if isinstance(number, int):
        if abs(number) >= _LIMIT:
            raise OverflowError
    elif not math.isfinite(number):
        raise OverflowError
    return number


# --- the result ------------------------------------------------------------------------------------------------------


def _text(number: Number) -> str:
    """Without the noise of binary fractions: 27, not 27.000000000000004, where 12 digits tell the same."""
    if number == int(number) and abs(number) < 2**53:
        return str(int(number))
    if isinstance(number, int):
        return str(number)
    digits = f"{number:.11e}".partition("e")[0].replace(".", "").strip("-0")
    clean = float(f"{number:.12g}") if len(digits) < 12 else number
    return str(int(clean)) if clean.is_integer() and abs(clean) < 2**53 else repr(clean)
