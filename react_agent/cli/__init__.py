"""The command `react-agent`.

In: the program's arguments.  Out: text or JSON lines on stdout, messages on stderr, an exit code.  This file only makes sure
that a missing extra, streams that cannot be used, and Ctrl-C while everything is still being loaded cost no traceback; `app`
has the commands.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import NoReturn

from react_agent.errors import MissingExtraError, UsageError


def main() -> None:
    """The entry point of the installed command."""
    if find_spec("typer") is None or find_spec("rich") is None:
        _end(str(MissingExtraError("The command line", "cli")))
    from .terminal import discard_output, replace_closed_streams

    try:
        replace_closed_streams()
        from .app import app

        app(prog_name="react-agent")
    except UsageError as error:
        _end(str(error))
    except OSError as error:
        if error.filename is not None:  # of no stream, so not expected here
            raise
        discard_output()
        _end(f"the output cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)


def _end(why: str) -> NoReturn:
    print(why, file=sys.stderr)
    sys.exit(2)
