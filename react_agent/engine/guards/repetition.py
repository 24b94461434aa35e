"""A text that only repeats itself: the same line, phrase or paragraph over and over, until the tokens run out.

In: a reply as it comes, in pieces.  Out: what of it counts; from the place where it is plain that it goes round, nothing does.
The rule: the decision is a function of the text alone.  It is looked for at fixed places of the text, so every cut into pieces
decides alike, and each look costs a bounded number of steps done by the string methods, so the time is linear.

A repetition counts from `least` characters on, and from four copies.  Its period may have up to 1,000 characters.
"""

from __future__ import annotations

from dataclasses import dataclass

STRIDE = 251
"""Characters between two looks: a prime, so that a period is met in all its phases."""
MAX_PERIOD = 1_000
COPIES = 4
PROBE = 512
"""Characters at the end whose last occurrence before tells the period."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """From `start` on the text repeats its `period` characters."""

    start: int
    period: int


class Watch:
    """Looks at a growing text; `least` None sees nothing."""

    def __init__(self, least: int | None) -> None:
        self._least = least or 0
        self._window = max(self._least, COPIES * MAX_PERIOD) + MAX_PERIOD
        self._tail = ""
        self._fresh: list[str] = []
        self._length = 0
        self._next = STRIDE if least else 0
        self.found: Repetition | None = None

    def take(self, piece: str) -> str:
        """The beginning of the piece, up to where a repetition is found; all of it as long as there is none."""
        if self.found is not None:
            return ""
        length = self._length + len(piece)
        if length < self._next:  # nearly always
            self._length = length
            self._fresh.append(piece)
            return piece
        return self._cut(piece) if self._next else piece

    def _cut(self, piece: str) -> str:
        at = 0
        while self.found is None and self._next <= self._length + len(piece) - at:
            end = at + self._next - self._length
            self._keep(piece[at:end])
            at = end
            self._look()
        if self.found is None:
            self._keep(piece[at:])
            return piece
        return piece[:at]

    def once(self, text: str) -> str:
        """The whole text without its repetition: it is kept up to the end of the first time."""
        return text if self.found is None else text[: self.found.start + self.found.period]

    def sample(self, text: str) -> str:
        """What is repeated, at the end of a text that says it once; "" when nothing is."""
        return "" if self.found is None else text[-self.found.period :]

    def _keep(self, piece: str) -> None:
        self._length += len(piece)
        self._fresh.append(piece)

    def _look(self) -> None:
        self._tail = (self._tail + "".join(self._fresh))[-self._window :]
        self._fresh.clear()
        self._next += STRIDE
        if period := _period(self._tail, self._least):
            run = _run(self._tail, period)
            self.found = Repetition(self._length - run, period)


def _period(text: str, least: int) -> int:
    """The period of the repetition at the end of a text; 0 when there is none that is long enough."""
    if len(text) < least:
        return 0
    probe = text[-min(PROBE, least // 2) :]
    before = text.rfind(probe, max(0, len(text) - len(probe) - MAX_PERIOD), len(text) - 1)
    if before < 0:
        return 0
    period = len(text) - len(probe) - before
    needed = max(least, COPIES * period)
    return period if needed <= len(text) and text[-needed:-period] == text[period - needed :] else 0


def _run(text: str, period: int) -> int:
    """How many characters at the end repeat the period: when so many do, so do all fewer, and the most is found by halves."""
    low, high = COPIES * period, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text[-middle:-period] == text[period - middle :] else (low, middle - 1)
    return low
