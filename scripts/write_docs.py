"""Writes the pages of docs/ that are generated; with `--check` it writes nothing and fails when one is stale.

docs/cli.md is what `react-agent … --help` says, at a width of 80 columns.
"""

from __future__ import annotations

import sys
from pathlib import Path

from typer.testing import CliRunner

from react_agent.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ["", "run", "chat", "parse", "models", "models list", "models pull", "models path", "smoke"]


def main(arguments: list[str]) -> int:
    pages = {ROOT / "docs" / "cli.md": cli_page()}
    if "--check" in arguments:
        stale = [path.name for path, text in pages.items() if not is_fresh(path, text)]
        print(f"stale: {', '.join(stale)}; run scripts/write_docs.py" if stale else "generated pages are up to date")
        return 1 if stale else 0
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return 0


def is_fresh(path: Path, text: str) -> bool:
    """Versions of the CLI library may break lines elsewhere; what is said must be the same."""
    return path.exists() and path.read_text(encoding="utf-8").split() == text.split()


def cli_page() -> str:
    head = "# Command line\n\nGenerated from `--help` by `scripts/write_docs.py`; do not edit.\n"
    return "\n".join([head, *(f"## {title(name)}\n\n```text\n{show_help(name)}\n```\n" for name in COMMANDS)])


def title(name: str) -> str:
    return f"react-agent {name}".strip()


def show_help(name: str) -> str:
    shown = CliRunner().invoke(app, [*name.split(), "--help"], prog_name="react-agent", env={"COLUMNS": "80"})
    return "\n".join(line.rstrip() for line in shown.stdout.strip().splitlines())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
