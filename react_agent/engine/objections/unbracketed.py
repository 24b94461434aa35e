"""A sum of the task, copied without its brackets: 37+58*46 for «(37+58)*46».

Brackets that change nothing («(2*3)+4», those around the whole) may go.
"""

from __future__ import annotations

import re
import unicodedata

from react_agent.engine.numbers import is_sum
from react_agent.engine.state import State

from .case import Case, Found

_LOOKED_AT = 2000  # characters of a task
_SUM = re.compile(r"[\d.()+*/^%-]+")
_SIGNS = str.maketrans({"×": "*", "÷": "/", " ": "", "\t": "", ",": ""})
_NO_BRACKETS = str.maketrans("", "", "()")
_NEEDED = re.compile(r"(?<![\d)])\([^()]*[-+][^()]*\)[*/^%]|[-*/^%]\([^()]*[-+*/%][^()]*\)")
"""A bracket that binds what stands beside it less than its inside would be bound without it."""


def unbracketed(state: State, case: Case) -> Found | None:
    """The parameter with a sum of the task that has lost brackets on which its value hangs; a native call is judged too."""
    call = case.call
    if call is None or "(" not in (task := _plain(state.task[:_LOOKED_AT])):
        return None
    wanted = [found for found in _SUM.findall(task) if _NEEDED.search(found)]
    for name, value in call.arguments.items():
        if is_sum(value) and any(_is_copy(_plain(value), of) for of in wanted):
            return Found(call.name, (name,))
    return None


def _plain(text: str) -> str:
    """The text without blanks, its signs, brackets and digits those of ASCII."""
    return unicodedata.normalize("NFKC", text).translate(_SIGNS)


def _is_copy(written: str, of: str) -> bool:
    """Whether it has the same numbers and signs in the same order, and fewer brackets."""
    same = written.translate(_NO_BRACKETS) == of.translate(_NO_BRACKETS)
    return same and written.count("(") < of.count("(")
