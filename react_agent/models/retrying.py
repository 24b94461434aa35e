"""When a request is made again after a fault that may pass, and after how long.

In: faults, one after the other.  Out: `RetryWaiting` as long as it is worth while, else None.  The server's own wish
(Retry-After) is kept; else the wait is drawn between nothing and a limit that doubles each time, so that clients that failed
together do not come back together.  Number and sum of the waits are bounded.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from react_agent.events import RetryWaiting

from .asking import Ask, Plan
from .failures import Situation, failure_of, is_transient
from .faults import Fault

FIRST = 0.5  # seconds: the longest first wait
LONGEST = 8.0  # of one wait that the server did not ask for
SPREAD = 0.1  # share by which a wait the server asked for may be longer


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is repeated, and how many seconds may be spent waiting for that in all."""

    retries: int = 2
    seconds: float = 60.0


class Pauses:
    """The waits of one request."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._made = 0
        self._spent = 0.0

    def after(self, fault: Fault, situation: Situation) -> Generator[Ask, float | None, RetryWaiting | None]:
        """The next wait; None when the fault is final."""
        left = self._patience.seconds - self._spent
        least, most = self._span(fault)
        if self._made >= self._patience.retries or least > left or not is_transient(fault, situation):
            return None
        seconds = yield Plan(least, min(most, left))
        if seconds is None:
            return None
        self._made += 1
        self._spent += seconds
        return RetryWaiting(self._made, seconds, failure_of(fault, situation))

    def _span(self, fault: Fault) -> tuple[float, float]:
        if fault.retry_after is not None:
            return fault.retry_after, fault.retry_after * (1 + SPREAD)
        return 0.0, min(LONGEST, FIRST * 2**self._made)
