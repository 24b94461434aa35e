"""Cases as data: one JSON object a line, so that a failure can name its file and line.

Replies (`load()`): `id`, `dialect` (first column of the table of wire formats), `tools` (a set of `tools.json`), `text`, and
`expect`, of which only the keys that matter are there:

    calls       each {name, arguments} and maybe {fixes, dialect, evidence}; arguments are compared as JSON, so 3 is not 3.0
    answer      the text for the user, null for none
    thought     the reasoning, null for none
    rejected    the reasons, in order
    cut         whether the reply ends inside a value
    invented    text that must not count: it stands behind `Parsed.end`

`kind` says what a case of `dialects.jsonl` shows; every dialect has one of each `KINDS`.
`why` says what the case is about, `source` names a public thread or "format".  `xfail` holds the faults that are known, by
what fails: "verdict" (the expectation), "events", "cut", "sound", or "any" of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

HERE = Path(__file__).parent
TOOLS: dict[str, list[dict[str, Any]]] = json.loads((HERE / "tools.json").read_text(encoding="utf-8"))
REPLIES = (
    "dialects", "house", "labels", "tags", "tokens", "values", "pythonic", "prose", "reasoning", "arguments", "names",
    "endings", "lookalikes", "wild", "reported",
)  # fmt: skip
KINDS = ("good", "prose", "parallel", "cut", "malformed", "lookalike")
"""A canonical call, one with prose around it, several calls, a cut value, what models make of it, and what is no call."""


@dataclass(frozen=True)
class Case:
    """One line of a case file; `where` is its file and line."""

    where: str
    data: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def text(self) -> str:
        return str(self.data["text"])

    @property
    def tools(self) -> list[dict[str, Any]]:
        return TOOLS[self.data["tools"]]

    @property
    def expect(self) -> dict[str, Any]:
        return dict(self.data["expect"])

    def known(self, subject: str) -> str:
        """Why this case fails in tests of `subject`, "" when it does not."""
        faults = self.data.get("xfail", {})
        return str(faults.get(subject, faults.get("any", "")))

    def param(self, subject: str) -> ParameterSet:
        """This case as a parameter of a test of `subject`, marked when a fault is known."""
        reason = self.known(subject)
        return pytest.param(self, id=self.id, marks=[pytest.mark.xfail(strict=True, reason=reason)] if reason else [])

    def __repr__(self) -> str:
        return f"{self.where} {self.id}"


def read(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        yield Case(f"{path.parent.name}/{path.name}:{number}", json.loads(line))


def load(*names: str) -> list[Case]:
    """The cases of these files, of all files with replies when none is named."""
    return [case for name in names or REPLIES for case in read(HERE / f"{name}.jsonl")]
