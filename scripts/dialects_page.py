"""docs/dialects.md: the table of dialects, from `react_agent.parsing.dialects` and their vectors."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

from react_agent.parsing.dialects import DIALECTS, OPENERS, PROMPTED, Dialect
from react_agent.parsing.dialects.telling import BODIES, BY_BODY

VECTORS = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "dialects.jsonl"
HEAD = """\
# Dialects

Every way of writing tool calls as text that is known here: who writes it, where that is laid down, and how it is told from its
neighbours. Written by `scripts/write_docs.py` from `react_agent/parsing/dialects` and its test vectors; do not edit. One more
is added in ten minutes: [add-a-dialect.md](add-a-dialect.md).

`parse` reads all of them without being told which: a mark says that a call starts, and the first characters behind it say how
its body is written. `Call.dialect` is the name in the first column. `render(dialect, …)` of `react_agent.parsing.dialects`
writes any of them, and raises `UsageError` for a value that a format cannot carry (raw text between tags has no escapes).
`for_model(name)` tells which ones a model is likely to write. A model can be asked for these:
{prompted}.
"""


def dialects_page() -> str:
    samples = _samples()
    rows = [_row(dialect) for dialect in DIALECTS.values()]
    head = HEAD.format(prompted=", ".join(f"`{name}`" for name in PROMPTED))
    table = "\n".join(["| dialect | models | told by |", "|---|---|---|", *rows])
    sections = "\n".join(_section(dialect, samples[dialect.name]) for dialect in DIALECTS.values())
    return "\n".join([head, table, "", _collisions(), "", "## Samples\n", sections])


def _samples() -> dict[str, str]:
    """The canonical case of each dialect."""
    cases = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    return {case["dialect"]: case["text"] for case in cases if case["kind"] == "good"}


def _row(dialect: Dialect) -> str:
    link = f"[`{dialect.name}`](#{dialect.name})"
    return f"| {link} | {dialect.models} | {_cell(dialect.told)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(dialect: Dialect, sample: str) -> str:
    notes = [f"Source: {dialect.source}."]
    if dialect.reads_as != dialect.name:
        notes.append(f"Reported as `{dialect.reads_as}`.")
    if not dialect.thinks:
        notes.append("A thought is prose.")
    code = textwrap.indent(sample, "    ") if "```" in sample else f"```text\n{sample}\n```"
    return f"### {dialect.name}\n\n{' '.join(notes)}\n\n{code}\n"


def _collisions() -> str:
    rows = "\n".join(_collision_rows())
    return f"## One mark, several bodies\n\n| mark | body | dialect |\n|---|---|---|\n{rows}"


def _collision_rows() -> Iterator[str]:
    """The bodies that tell more than the mark in front of them."""
    for opener, bodies in BY_BODY.items():
        literals = [literal for literal, known in OPENERS.items() if known.dialect == opener and known.kind == "call"]
        for body, dialect in bodies.items() if literals else ():
            yield f"| `{_cell(literals[0])}` | {_cell(BODIES[body])} | [`{dialect}`](#{dialect}) |"
