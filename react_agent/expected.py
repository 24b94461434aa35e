"""What a setting may be, said once: the test and the words for it.

    FEW = {"max_steps": whole(1), "lang": one_of("auto", "zh", "en"), "trace": or_none(path)}
    check(FEW, max_steps=0)     UsageError: max_steps must be a whole number of at least 1, but 0 came

In: values as a caller gave them, of any type.  Out: nothing, or one sentence that says what was expected, what came and, where
it is not plain, what to do.  A bool is no number here and a number no bool, as each is mostly a slip for the other; a member of
an Enum is a text only where it is written as its value.  Of a wrong value the sentence repeats a few characters at most, and of
a key none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from typing import Protocol, TypeGuard, runtime_checkable

from .errors import UsageError

MAX_SHOWN = 60
"""Characters of a wrong value that an error repeats."""
MAX_WHOLE = 2**63
"""Whole numbers are below this, so that they can be counted with as floats and written into JSON."""


@dataclass(frozen=True, slots=True)
class Expected:
    """`words` say what `holds` tests; `hint` says what to do; a `secret` value is never repeated."""

    words: str
    holds: Callable[[object], bool]
    hint: str = ""
    secret: bool = False


def check(table: Mapping[str, Expected], **values: object) -> None:
    """Test values against the table; one without an entry is a fault of the table.

    Raises:
        UsageError: a value is not what its entry says; the first one, in the order given.
    """
    for name, value in values.items():
        expected = table[name]
        if not expected.holds(value):
            hint = f"; {expected.hint}" if expected.hint else ""
            raise UsageError(f"{name} must be {expected.words}, but {_shown(value, expected)} came{hint}")


def whole(least: int) -> Expected:
    """A whole number from `least` on."""
    return Expected(f"a whole number of at least {least:,}", lambda value: _is_whole(value) and least <= value < MAX_WHOLE)


def number(*, above: float | None = None, least: float = 0.0, unit: str = "") -> Expected:
    """A finite number above `above`, or else from `least` on; `unit` follows in the words."""
    bound = f"of at least {least:g}" if above is None else f"above {above:g}"

    def holds(value: object) -> bool:
        if not _is_whole(value) and not (isinstance(value, float) and isfinite(value)):
            return False
        if value >= MAX_WHOLE:
            return False
        return value >= least if above is None else value > above

    return Expected(f"a number {bound}{unit and f' ({unit})'}", holds)


def one_of(*choices: str) -> Expected:
    """One of these texts."""
    return Expected(f"one of {', '.join(choices)}", lambda value: _is_text(value) and value in choices)


def instance(kind: type, words: str, hint: str = "") -> Expected:
    """A value of a class."""
    return Expected(words, lambda value: isinstance(value, kind), hint)


def json_fields(hint: str = "") -> Expected:
    """A dict with names of type str that can be written as JSON."""
    return Expected("a dict of fields that can be written as JSON", _is_json_object, hint)


def or_none(expected: Expected) -> Expected:
    """The same, or None."""
    return replace(expected, words=f"{expected.words} or None", holds=lambda value: value is None or expected.holds(value))


def any_of(words: str, *kinds: Expected, hint: str = "") -> Expected:
    """What one of several tests takes."""
    return Expected(words, lambda value: any(kind.holds(value) for kind in kinds), hint)


def many(words: str, hint: str = "") -> Expected:
    """Something to go through, but no text, which would be taken for its characters."""
    return Expected(words, lambda value: isinstance(value, Iterable) and not isinstance(value, (str, bytes)), hint)


def function(words: str, hint: str = "") -> Expected:
    """Something that can be called."""
    return Expected(words, callable, hint)


def mapping(words: str, values: Expected, hint: str = "", *, secret: bool = False) -> Expected:
    """Texts with values that the other test takes."""

    def holds(value: object) -> bool:
        return isinstance(value, Mapping) and all(_is_text(name) and values.holds(item) for name, item in value.items())

    return Expected(words, holds, hint, secret)


def _is_json_object(value: object) -> bool:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        return False
    try:
        json.dumps(dict(value), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> TypeGuard[str]:
    """A text that stays itself in another one: some members of an Enum are texts, but put their own name there."""
    return isinstance(value, str) and str(value) == value == format(value)


@runtime_checkable
class _Leads(Protocol):
    """As `os.PathLike`, which this module of the core does without."""

    def __fspath__(self) -> str | bytes: ...


def _is_path(value: object) -> bool:
    place = value.__fspath__() if isinstance(value, _Leads) else value
    return _is_text(place) and place != ""


flag = instance(bool, "True or False")
text = Expected("a text (str)", _is_text)
key = replace(text, secret=True)
path = Expected("a path (str or Path)", _is_path)


def _shown(value: object, expected: Expected) -> str:
    kind = type(value).__name__
    if expected.secret or not isinstance(value, (str, int, float, bool)):
        return "None" if value is None else f"a value of type {kind}"
    if isinstance(value, Enum):
        return f"{kind}.{value.name} (give its value)"
    if _is_whole(value) and abs(value) >= MAX_WHOLE:
        return "a number past 2**63"
    shown = repr(value[:MAX_SHOWN] if isinstance(value, str) else value)
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"
