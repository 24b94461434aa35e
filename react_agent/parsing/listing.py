"""A reply that is a list of calls and nothing else, one item a line.

    - [f(x=1)]        * `f(x=1)`        1. f(x=1)
    - [g()]           * `g()`           2. g()

In: the prose of a reply.  Out: the calls of all items; none when one item is anything else, as a list of things that could be
called says more about them.  Single candidates are the business of `weak`.
"""

from __future__ import annotations

import re

from .bodies import Found, is_bare_name, is_gap
from .settle import Written
from .verdict import Verdict

_ITEM = re.compile(r"[ \t]{0,16}(?:[-*•]|\d{1,2}[.)、])[ \t]{1,4}(?=\S)")
_MAX_ITEMS = 64


def listed_calls(verdict: Verdict, start: int, end: int) -> list[Found]:
    """The calls of the items in text[start:end]; `start` is where the prose begins."""
    if _ITEM.match(verdict.text, start, end) is None:
        return []
    found: list[Found] = []
    for item in verdict.text[start:end].splitlines(keepends=True)[: _MAX_ITEMS + 1]:
        if item.strip():
            calls = _calls(verdict, start, start + len(item.rstrip()))
            if not calls:
                return []
            found += calls
        start += len(item)
    return found if len(found) <= _MAX_ITEMS else []


def _calls(verdict: Verdict, start: int, end: int) -> list[Found]:
    """The calls that an item writes in text[start:end]."""
    mark = _ITEM.match(verdict.text, start, end)
    if mark is None or is_bare_name(verdict.text, mark.end(), end):
        return []
    found = verdict.read(mark.end() + (verdict.text[mark.end()] == "`"), end, "", bounded=True)
    known = [item for item in found if isinstance(item, Written) and verdict.names.find(item.name) and not item.cut]
    return found if found and len(known) == len(found) and is_gap(verdict.text, found[-1].end, end) else []
