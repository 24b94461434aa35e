"""The command `react-agent`.

In: the program's arguments.  Out: text or JSON lines on stdout, messages on stderr, an exit code.  This file only makes sure
that a missing extra, or Ctrl-C while everything is still being loaded, costs no traceback; `app` has the commands.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from react_agent.errors import MissingExtraError


def main() -> None:
    """The entry point of the installed command."""
    if find_spec("typer") is None or find_spec("rich") is None:
        print(MissingExtraError("The command line", "cli"), file=sys.stderr)
        sys.exit(2)
    try:
        from .app import app

        app(prog_name="react-agent")
    except KeyboardInterrupt:
        sys.exit(130)
