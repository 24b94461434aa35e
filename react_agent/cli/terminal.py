"""What text may do to a terminal: colour when it is one, and nothing else.

In: text of models, tools and servers, which is untrusted.  Out: a console that writes it without control sequences.
`NO_COLOR` (any value but the empty one) and a stream that is no terminal both mean: no styles at all.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from rich.console import Console

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
    """Characters that an encoding lacks, in or out, become a mark and not an exception."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
