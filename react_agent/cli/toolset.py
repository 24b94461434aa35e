"""The tools a command offers, from what the user named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.tools import Tool, load
from react_agent.tools.builtin import demo_tools, file_tools


def gather_tools(names: Sequence[str], files: Path | None = None, *, write: bool = False) -> list[Tool]:
    """The named tools, or the demo set when none is named; with `files`, also tools confined to that folder.

    Raises:
        UsageError: a name stands for no tools, `files` is no folder, or `write` is given without it.
    """
    if write and not files:
        raise UsageError("--write says that files may be written, but not where: add --files ROOT")
    chosen = [tool for name in names for tool in load(name)] if names else demo_tools()
    return [*chosen, *(file_tools(files, write=write) if files else [])]
