"""What text may do to a terminal: colour when it is one, and nothing else.

In: text of models, tools and servers, which is untrusted.  Out: a console that writes it without control sequences.
`NO_COLOR` (any value but the empty one) and a stream that is no terminal both mean: no styles at all.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path
from typing import TextIO

from rich.console import Console

from react_agent.errors import UsageError

Line = tuple[str, str]
"""A line, or some that belong together, and its style."""
_CONTROLS = {code: "�" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if code not in (0x09, 0x0A)}
_INVISIBLE = dict.fromkeys((0x0D, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))  # CR, direction marks


def open_console(stream: TextIO) -> Console:
    """A console that wraps nothing, marks nothing up and colours only a terminal."""
    colour = stream.isatty() and not os.environ.get("NO_COLOR")
    return Console(
        file=stream,
        color_system="auto" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )


def clean(text: str) -> str:
    """`text` without what would move the cursor, colour, ring or reorder."""
    return text.translate(_CONTROLS | _INVISIBLE)


def never_fail_on_characters() -> None:
    """Characters that an encoding lacks, in or out, become a mark and not an exception; ASCII, which lacks most, is UTF-8."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="replace")


def replace_closed_streams() -> None:
    """A closed stdin is an empty one, and a closed stderr takes what it is given.

    Raises:
        UsageError: stdout is closed, so there is nowhere to write the answer.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  open to the end, as a standard stream is
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise UsageError("stdout is closed, so there is nowhere to write to; to throw the output away, use > /dev/null")


def discard_output() -> None:
    """Nothing more can be written to stdout: what it still holds goes nowhere, so that ending costs no second error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
