"""Writes the pages of docs/ that are generated; with `--check` it writes nothing and fails when one is stale.

docs/cli.md says what `react-agent … --help` says.  It is made from the same objects and not from the printed text, whose
layout changes from one version of the CLI library to the next.  docs/debugging-a-model.md is the business of
`debugging_page`, docs/dialects.md that of `dialects_page`, the end of docs/servers.md that of `servers_page`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from debugging_page import debugging_page
from dialects_page import dialects_page
from servers_page import servers_page

from react_agent.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# Command line

What `react-agent --help` says, written by `scripts/write_docs.py`; do not edit.
"""


def main(arguments: list[str]) -> int:
    docs = ROOT / "docs"
    pages = {
        docs / "cli.md": cli_page(),
        docs / "debugging-a-model.md": debugging_page(),
        docs / "dialects.md": dialects_page(),
        docs / "servers.md": servers_page(docs / "servers.md"),
    }
    if "--check" in arguments:
        stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        print(f"stale: {', '.join(stale)}; run scripts/write_docs.py" if stale else "generated pages are up to date")
        return 1 if stale else 0
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return 0


def cli_page() -> str:
    return "\n".join([HEAD, *sections("react-agent", typer.main.get_command(app))])


def sections(name: str, command: Any) -> Iterator[str]:
    """One section for a command, and one for each command inside it."""
    yield f"## {name}\n\n{prose(command.help or '')}\n"
    if table := [row(param) for param in command.params if param.name != "help"]:
        yield "\n".join(["| | |", "|---|---|", *table]) + "\n"
    for inner, subcommand in getattr(command, "commands", {}).items():
        yield from sections(f"{name} {inner}", subcommand)


def prose(text: str) -> str:
    r"""The help text; paragraphs that are not to be wrapped (marked by \b) are examples, shown as code."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(f"```bash{part[1:]}\n```" if part.startswith("\b") else part for part in paragraphs)


def row(param: Any) -> str:
    """One option or argument: how it is written, what it means, its default and variable."""
    names = [*param.opts, *param.secondary_opts] if param.param_type_name == "option" else []
    value = "" if getattr(param, "is_flag", False) else param.metavar or param.name.upper()
    written = ", ".join(f"`{' '.join(filter(None, (name, value)))}`" for name in names or [""])
    notes = [f"default `{param.default}`"] if param.default and not getattr(param, "is_flag", False) else []
    notes += [f"variable `{param.envvar}`"] if param.envvar else []
    return f"| {written.replace('|', chr(92) + '|')} | {param.help}{' (' + ', '.join(notes) + ')' if notes else ''} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
