"""Where weights are kept, and the lock that lets one process at a time fetch a file.

`$XDG_CACHE_HOME/react-agent/models`, by default under `~/.cache`.  A file stands under its own name only when it is complete
and verified, so whoever finds one may use it; what is being fetched has another ending.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from .catalogue import Weights


def folder() -> Path:
    """The folder; it need not exist."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # the XDG specification says to ignore relative paths
        base = Path.home() / ".cache"
    return base / "react-agent" / "models"


def place(weights: Weights) -> Path:
    """Where the complete file is, or will be."""
    return folder() / weights.file


def is_complete(weights: Weights) -> bool:
    """True when the file is there; its digest was checked before it got its name."""
    path = place(weights)
    return path.is_file() and path.stat().st_size == weights.size


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process fetches `path`; the system lets go of the lock when a process dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("a+b") as file:
        _lock(file.fileno())
        yield  # closing the file unlocks it


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        while True:
            try:
                return msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(0.2)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
