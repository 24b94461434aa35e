"""A call in text mode with numbers that stand nowhere, neither in the conversation nor in the tool's schema.

Small models make amounts up (`"amount": 100.0` for an order nobody has looked at).  The numbers are not named to the model:
what a small one reads it copies.  Only required parameters count, as an optional one is the model's to tune, and only numbers
and text made of them (`"abs(25 - 18)"`), as other text may be worded freely.  Small whole numbers pass, and all do where the
conversation has numbers in words («twenty», «四十»); so does a number of it in another unit (15 % as 0.15, 3 万 as 30000, 7 pm
as 19), what a percentage leaves or makes (0.85 for 15 % off), and in a sum what everybody knows (365 days, π, years).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from react_agent.engine.numbers import NUMBER, Numbers
from react_agent.engine.paging import is_own
from react_agent.engine.state import State
from react_agent.messages import Call

from .case import Case, Found

_FUNCTION = re.compile(r"[^\W\d]\w{0,30}(?=\()")
_LETTER = re.compile(r"[^\W\d_]")
_SMALL = 12
_UNITS = (100.0, 0.01, 0.001, 0.0001)
_COMMON = frozenset((
    24.0, 30.0, 52.0, 60.0, 90.0, 100.0, 168.0, 180.0, 360.0, 365.0, 366.0, 500.0, 1000.0, 1024.0, 1440.0, 3600.0, 8760.0,
    10080.0, 86400.0, 9.8, 9.81, 1.8, 32.0, 2.2,
))  # fmt: skip
"""Numbers that everybody knows, of times, angles and units; they count only within a sum."""
_BEGIN = (
    "3.14",
    "2.718",
    "273.1",
    "2.54",
    "1.609",
    "0.621",
    "0.453",
    "0.454",
    "2.204",
    "2.205",
    "3.785",
    "0.304",
    "3.28",
    "28.3",
)
"""How others begin that are written with as many digits as one likes: π, e, °C in K, inches, miles, pounds, gallons, feet."""
_YEARS = range(1900, 2101)


def ungrounded(state: State, case: Case) -> Found | None:
    """The required parameters of the call that hold numbers from nowhere; a native call is not judged."""
    call = case.call
    if call is None or case.reply.native or state.mode == "native" or not state.settings.check_numbers or is_own(state, call):
        return None
    problems = from_nowhere(state, call)
    return Found(call.name, problems) if problems else None


def from_nowhere(state: State, call: Call) -> tuple[str, ...]:
    """The required parameters of `call` that hold numbers which stand nowhere."""
    spec = state.tools.tools[call.name].spec
    required = {name: call.arguments[name] for name in spec.parameters.get("required", ()) if name in call.arguments}
    large = {
        name: tuple(number for text in _numbers(value) if not _small(number := float(text))) for name, value in required.items()
    }
    written = {name: numbers for name, numbers in large.items() if numbers}
    if not written:
        return ()
    sources = state.said.conversation(state.history), state.said.schema(spec)
    if any(numbers.in_words for numbers in sources):
        return ()
    return tuple(name for name, numbers in written.items() if not all(_stands(number, sources) for number in numbers))


def _stands(number: float, sources: Iterable[Numbers]) -> bool:
    """Whether one of the sources has the number, in whatever unit, as what remains of or comes to a percentage (0.85 and 1.15
    for 15), or, in the afternoon, on a clock of twelve hours."""
    in_the_morning = (number - 12,) if number.is_integer() and number < 24 else ()
    with_percent = (round(abs(1 - number) * 100, 9),) if number < 2 else ()
    forms = (number, *in_the_morning, *with_percent, *(round(number * unit, 9) for unit in _UNITS))
    return any(not source.known.isdisjoint(forms) for source in sources)


def _small(number: float) -> bool:
    return number <= _SMALL and number.is_integer()


def _numbers(value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield from NUMBER.findall(repr(value))
    elif isinstance(value, str) and not _LETTER.search(_FUNCTION.sub("", value)):
        numbers = NUMBER.findall(value)
        yield from (number for number in numbers if len(numbers) == 1 or not _is_common(number))
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)


def _is_common(number: str) -> bool:
    return number.startswith(_BEGIN) or float(number) in _COMMON or float(number) in _YEARS
