"""Asks at the terminal whether a call may run; without a terminal the answer is no.

The question goes to stderr, as stdout may be data.  It shows the call as it will run, without what could hide a part of it.
"""

from __future__ import annotations

import sys

from react_agent.driving.approving import NOBODY
from react_agent.events import Approve
from react_agent.messages import Approval

from .show import show_arguments
from .terminal import clean

YES = ("y", "yes", "是", "好")


def ask(request: Approve) -> Approval:
    """The word of whoever sits at the terminal; anything but a clear yes is a no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return Approval(False, request.digest, NOBODY)
    sys.stderr.write(clean(f"{request.call.name}{show_arguments(request.call)}: [y/N] "))
    sys.stderr.flush()
    return Approval(sys.stdin.readline().strip().casefold() in YES, request.digest)
