"""A reply that begins with code and then explains it: the code is the call, however long the explanation.

    [f(x=1)]⏎⏎This line calls `f` with `x` set to 1 and returns …

In: the prose behind the code.  Out: whether it leaves the call standing.  It does not when it takes the call back:
the tool does not fit, it holds only with assumptions, a value has to be replaced.  Neither does code that computes on with the
result.
"""

from __future__ import annotations

import re

_TAKEN_BACK = re.compile(
    r"\b(?:do|does|is|are|did|was)(?: not|n['’]t)\b(?! (?:need|necessary|required|included|specified)\b)|"
    r"\bcan(?:not| not|['’]t)\b|\bunable\b|\bno (?:\w+ ){0,2}(?:function|tool)|"
    r"\b(?:please )?note\b|\bassum(?:e|ing|es|ed)\b|\breplace\b|\bhowever\b|不能|无法|并不|没有|假设|替换|但是",
    re.I,
)
_CLOSED = re.compile(r"(?:[\s\])}\"'`;,.]|\[\])*(?:#[^\n]*)?\s*`{0,3}\s*")


def is_commentary(prose: str) -> bool:
    """Does the prose behind code leave the call standing?"""
    return _TAKEN_BACK.search(prose) is None


def is_closed(rest: str) -> bool:
    """Does nothing but closers and a comment stand behind the last call of the code?"""
    return _CLOSED.fullmatch(rest) is not None
