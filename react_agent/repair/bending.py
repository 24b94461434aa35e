"""Scalars to another type, each way by one rule: the whole text must be a number, a truth word, a null."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from .arithmetic import computed
from .numerals import Numeral

_DIGITS = 40
_INTEGER = re.compile(rf"[-+]?\d{{1,{_DIGITS}}}(?:\.0*)?")
_NUMBER = re.compile(rf"[-+]?(?:\d{{1,{_DIGITS}}}(?:\.\d{{0,{_DIGITS}}})?|\.\d{{1,{_DIGITS}}})(?:[eE][-+]?\d{{1,3}})?")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3}){1,12}(?:\.\d{1,40})?")
_TRUE = {"true", "yes", "on", "是", "真", "1"}
_FALSE = {"false", "no", "off", "否", "假", "0"}
_NULL = {"null", "none", "nil"}

Bent = tuple[Any, str]
"""The value and the name of the fix."""


def to_string(value: Any) -> Bent | None:
    """A scalar as it was written."""
    if isinstance(value, bool):
        return ("true" if value else "false"), "value_to_text"
    if isinstance(value, Numeral):
        return value.written, "number_to_text"
    if isinstance(value, (int, float)):
        return json.dumps(value), "number_to_text"
    return None


def to_number(value: Any) -> Bent | None:
    """Text that is a number or arithmetic and nothing else; commas between groups of three digits are layout."""
    written = _digits(value)
    if written is None:
        return None
    if _NUMBER.fullmatch(written):
        number = int(written) if written.lstrip("+-").isdecimal() else float(written)
        return (number, "text_to_number") if math.isfinite(number) else None
    result = computed(written)
    return None if result is None else (result, "arithmetic")


def to_integer(value: Any) -> Bent | None:
    """A whole float, or text that is a whole number or arithmetic that gives one."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value), "float_to_integer"
    written = _digits(value)
    if written is None:
        return None
    if _INTEGER.fullmatch(written):
        return int(written.split(".")[0]), "text_to_number"
    result = computed(written)
    return None if result is None or not float(result).is_integer() else (int(result), "arithmetic")


def to_boolean(value: Any) -> Bent | None:
    """0, 1, and the words for true and false."""
    if isinstance(value, int) and value in (0, 1):
        return bool(value), "number_to_boolean"
    word = value.strip().lower() if isinstance(value, str) else ""
    return (word in _TRUE, "text_to_boolean") if word in _TRUE or word in _FALSE else None


def to_null(value: Any) -> Bent | None:
    """The words for nothing."""
    return (None, "text_to_value") if says_null(value) else None


def says_null(value: Any) -> bool:
    """Is this a word for nothing?"""
    return isinstance(value, str) and value.strip().lower() in _NULL


def short(value: Any) -> str:
    """The value as text of at most 60 characters, for notes."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _digits(value: Any) -> str | None:
    if not isinstance(value, str) or len(value) > 4 * _DIGITS:
        return None
    written = value.strip()
    return written.replace(",", "") if _GROUPED.fullmatch(written) else written


SCALARS = {"string": to_string, "number": to_number, "integer": to_integer, "boolean": to_boolean, "null": to_null}
