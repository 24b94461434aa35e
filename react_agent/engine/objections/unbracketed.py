"""A sum of the task without its brackets: 37+58*46 for «(37+58)*46», 24-8/2 for «24 minus 8, then divide by 2».

Brackets that change nothing may go, and a task that has the sum without them too, to compare the two, asks for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from react_agent.engine.numbers import is_sum, numbers_of
from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english

from .case import Case, Found

_LOOKED_AT = 2000  # characters of a task
_SUM = re.compile(r"[\d.()+*/^%-]+")
_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "·": "*", " ": "", "\t": "", ",": ""})
_AFTERWARDS = [re.compile(words.AFTERWARDS, re.IGNORECASE) for words in (english, chinese)]
_GOES_ON = either(english.GOES_ON, chinese.GOES_ON)
_NO_BRACKETS = str.maketrans("", "", "()")


def unbracketed(state: State, case: Case) -> Found | None:
    """The parameter with a sum of the task that has another value, as brackets are lost; a native call is judged too."""
    call = case.call
    if call is None or not any(map(is_sum, call.arguments.values())):
        return None
    task = unicodedata.normalize("NFKC", state.task[:_LOOKED_AT])
    for name, value in call.arguments.items():
        if is_sum(value) and any(_has_another_value(_plain(value), of) for of in _meant(_plain(value), task)):
            return Found(call.name, (name,))
    return None


def _meant(written: str, task: str) -> Iterator[str]:
    """The sums that the task may mean by this one; none when it is one of them."""
    sums = [found.rstrip(".") for found in _SUM.findall(_plain(task))]
    if written in sums:
        return
    yield from _originals(written, sums)
    for last in (match for pattern in _AFTERWARDS for match in pattern.finditer(task)):
        sum_before, operation = _split(written, ("*" if last["times"] else "/") + last["number"])
        said = numbers_of(task[: last.start()]).known
        if sum_before and numbers_of(sum_before).known <= said and _GOES_ON.search(task, last.end()) is None:
            yield f"({sum_before}){operation}"


def _split(written: str, operation: str) -> tuple[str, str]:
    """The sum without its end, and this end, when it ends with `operation`; else nothing."""
    before = written.removesuffix(operation)
    return (before, operation) if before != written and before.count("(") == before.count(")") else ("", "")


def _plain(text: str) -> str:
    """The text without blanks, its signs, brackets and digits those of ASCII."""
    return unicodedata.normalize("NFKC", text).translate(_SIGNS)


def _originals(written: str, sums: list[str]) -> Iterator[str]:
    """Of these sums those with the same numbers and signs in the same order, and more brackets."""
    bare = written.translate(_NO_BRACKETS)
    return (of for of in sums if of.count("(") > written.count("(") and of.translate(_NO_BRACKETS) == bare)


def _has_another_value(written: str, of: str) -> bool:
    from react_agent.tools.builtin.calculator import CalculationError, evaluate

    try:
        return evaluate(written) != evaluate(of)
    except CalculationError:
        return False
