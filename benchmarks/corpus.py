"""Texts with the calls that are right: the vectors of the tests, or recorded replies from a folder.

A folder holds `corpus.jsonl.gz` (id, raw, functions) and `answers.jsonl.gz` (case, ground_truth), as public leaderboards of
function calling publish them: the right calls with the values that each argument may have.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.vectors import load
from tests.vectors.judging import same

Calls = Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class Sample:
    """A reply, its tools as dicts of name, description and parameters, and the judge of the calls found in it."""

    text: str
    tools: list[dict[str, Any]]
    right: Callable[[Calls], bool]


def vectors() -> list[Sample]:
    """The cases of `tests/vectors` that say which calls are right."""
    return [
        Sample(case.text, case.tools, _equal_to([(call["name"], call["arguments"]) for call in case.expect["calls"]]))
        for case in load()
        if "calls" in case.expect
    ]


def recorded(folder: Path, count: int) -> list[Sample]:
    """A sample of `count` recorded replies, by chance but always the same."""
    answers = {row["case"]: row.get("ground_truth") for row in _rows(folder / "answers.jsonl.gz")}
    rows = list(_rows(folder / "corpus.jsonl.gz"))
    chosen = sorted(random.Random(1).sample(range(len(rows)), min(count, len(rows))))
    return [
        Sample(row["raw"], row["functions"], _allowed_by(answers.get(row["case"]) or []))
        for row in (rows[index] for index in chosen)
    ]


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _equal_to(wanted: Calls) -> Callable[[Calls], bool]:
    def right(calls: Calls) -> bool:
        return len(calls) == len(wanted) and all(a == c and same(b, d) for (a, b), (c, d) in zip(calls, wanted, strict=True))

    return right


def _allowed_by(wanted: list[dict[str, dict[str, list[Any]]]]) -> Callable[[Calls], bool]:
    """Each right call once, in any order; no call at all where none is right."""

    def right(calls: Calls) -> bool:
        left = list(wanted)
        for name, arguments in calls:
            match = next((item for item in left if _fits(name, arguments, item)), None)
            if match is None:
                return False
            left.remove(match)
        return not left

    return right


def _fits(name: str, arguments: Any, wanted: dict[str, dict[str, list[Any]]]) -> bool:
    ((right_name, values),) = wanted.items()
    if name.replace(".", "_") != right_name.replace(".", "_") or not isinstance(arguments, dict):
        return False
    given = all(key in values and _among(arguments[key], values[key]) for key in arguments)
    return given and all(key in arguments or "" in allowed for key, allowed in values.items())


def _among(value: Any, allowed: list[Any]) -> bool:
    """Equal to one of the values; texts without regard to case, blanks and punctuation; objects and lists member by member."""
    if isinstance(value, dict):
        return any(isinstance(item, dict) and _fits("", value, {"": item}) for item in allowed)
    return any(_plain(value) == _plain(item) for item in allowed)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return "".join(char for char in value if char not in " ,./-_*^'\"").casefold()
    return [_plain(item) for item in value] if isinstance(value, list) else value
