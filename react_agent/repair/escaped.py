"""JSON that was escaped once too often, without the quotes around it: `{\\"city\\": \\"Oslo\\"}`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from react_agent.messages import Fix

from .characters import Pattern
from .cursor import Read, Unreadable

ESCAPED = Pattern(r'[{\[]\s{0,40}(?:[{\[]\s{0,40}){0,3}\\"', 180)
"""How such a value starts."""
_REGION = re.compile(r'(?:[^"\\]|\\[\s\S])*')
_ESCAPE = re.compile(r"\\([\s\S])")
_MEANS = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r"}


def read_escaped(text: str, start: int, read: Callable[[str], Read]) -> Read:
    """The value at `start`, read by `read` from the text without one level of escapes, which ends at the first bare quote.

    Raises:
        Unreadable: as `read` does.
    """
    region = _REGION.match(text, start).group()  # type: ignore[union-attr]  # matches the empty text
    try:
        found = read(_ESCAPE.sub(_meant, region))
    except Unreadable as problem:
        problem.position = start + len(region)
        raise
    fixes = (Fix("escaped_json"), *found.fixes)
    return replace(found, end=start + _place(region, found.end), fixes=fixes)


def _meant(match: re.Match[str]) -> str:
    return _MEANS.get(match.group(1), match.group())


def _place(region: str, end: int) -> int:
    """Where the first `end` characters of what is meant end in the region."""
    removed = 0
    for match in _ESCAPE.finditer(region):
        if match.start() - removed >= end:
            break
        removed += len(match.group()) - len(_meant(match))
    return end + removed
