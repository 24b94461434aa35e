"""Numbers as they were written.

`3.10` for a version and `1e5` for a code mean their letters when the schema wants a string, but a float has forgotten them.  So
a float that would be written otherwise than it was is a `Numeral`, which remembers; `fit` gives a plain float for a number.

Decided: a number beyond the range of a float (`1e999`) and an integer of more than 4300 digits are no numbers, as nothing could
write them again: they stay text in a container, and alone they are unreadable.
"""

from __future__ import annotations

import math


class Numeral(float):
    """A float that remembers how it was written."""

    __slots__ = ("written",)
    written: str


def numeral(written: str) -> float:
    """The float that `written` is, a `Numeral` when it would be written otherwise again.

    Raises:
        ValueError: it is not a number, or beyond the range of floats.
    """
    value = float(written)
    if not math.isfinite(value):
        raise ValueError(f"{written[:40]} is too large")
    if repr(value) == written:
        return value
    remembering = Numeral(value)
    remembering.written = written
    return remembering


def plain_float(value: float) -> float:
    """The float itself, which has forgotten how it was written."""
    return float(value) if type(value) is Numeral else value
