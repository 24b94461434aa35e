"""Calls written as rows: a list that holds the name of a tool and, behind it, its arguments.

    ["f", {"x": 1}]      [["f", {"x": 1}], ["g", {"y": 2}]]      ("f", {"x": 1}), ("g", {"y": 2})      ["f", {"x": 1}, {"x": 2}]
    ["f", "x=1", "y=2"]                                          ["f", "(x=1, y=2)"]

In: a list and the declared names.  Out: names with raw arguments, or None when it is plain data.  Only a declared name that is
written exactly so counts, and every item must have its place: `["Oslo", {"days": 2}]` is data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .names import Declared, ToolNames

_IN_BRACKETS = re.compile(r"\s*\((?P<pairs>.*)\)\s*", re.S)


def rows(values: Sequence[Any], names: ToolNames) -> list[tuple[str, Any]] | None:
    """The calls that a list of rows, or a single row, writes."""
    found: list[tuple[str, Any]] = []
    index = 0
    while index < len(values):
        item = values[index]
        inner = rows(item, names) if isinstance(item, list) else None
        if inner is not None:
            found += inner
            index += 1
            continue
        known = names.tools.get(item) if isinstance(item, str) else None
        given = list(_given(values, index + 1, known)) if known is not None else []
        if known is None or not given:
            return None
        found += [(known.name, raw) for raw, _ in given]
        index = given[-1][1]
    return found or None


def _given(values: Sequence[Any], index: int, tool: Declared) -> Iterator[tuple[Any, int]]:
    """The arguments at `index`, once for each call, and where the next item stands."""
    if index < len(values) and isinstance(values[index], str):
        yield from _as_text(values, index, tool)
        return
    while index < len(values) and isinstance(item := values[index], dict) and item.keys() <= tool.properties.keys():
        index += 1
        yield item, index


def _as_text(values: Sequence[Any], index: int, tool: Declared) -> Iterator[tuple[Any, int]]:
    """`"x=1", "y=2"` and `"(x=1, y=2)"`."""
    whole = _IN_BRACKETS.fullmatch(values[index])
    if whole is not None:
        yield whole["pairs"], index + 1
        return
    pairs = []
    while index < len(values) and isinstance(item := values[index], str) and item.partition("=")[0].strip() in tool.properties:
        pairs.append(item)
        index += 1
    if pairs:
        yield "\n".join(pairs), index
