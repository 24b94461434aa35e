"""A small JSON file that several processes may read and change at once.

In: a path and a change.  Out: the data after the change.  The rules: a reader never sees half a file (it is written beside and
renamed); a change reads, alters and writes under a lock that the system lets go of when a process dies; a file that is not ours
to read (broken, of another version) counts as empty.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from react_agent.messages import Json

VERSION = 1

Stamp = tuple[int, int, int]
"""Tells one state of a file from another: inode, size, time of the last change."""


def state_folder() -> Path:
    """`$XDG_STATE_HOME/react-agent`, by default under `~/.local/state`; it need not exist."""
    base = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():  # the XDG specification says to ignore relative paths
        home = Path(os.path.expanduser("~"))  # noqa: PTH111  Path.home() raises where there is no home
        base = home / ".local" / "state" if home.is_absolute() else Path(os.devnull)  # where nothing can be written
    return base / "react-agent"


def stamp_of(path: Path) -> Stamp | None:
    """What `path` looks like from outside, None when it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def read(path: Path) -> Json:
    """The data in the file; {} when there is none that this version can read."""
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    ours = isinstance(document, dict) and document.get("version") == VERSION and isinstance(document.get("data"), dict)
    return dict(document["data"]) if ours else {}


def change(path: Path, alter: Callable[[Json], Json]) -> Json:
    """Put `alter(data)` in the place of the data, as one step for all processes; it is also what comes back.

    Raises:
        OSError: nothing can be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _locked(path):
        data = alter(read(path))
        write_whole(path, json.dumps({"version": VERSION, "data": data}, ensure_ascii=True, indent=1))
    return data


def write_whole(path: Path, text: str) -> None:
    """Put ASCII `text` in the place of what is at `path`: the file is the new one or the old one, and its owner's alone.

    Raises:
        OSError: it cannot be written; then the old one is still there.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.with_name(f"{path.name}.lock").open("a+b") as file:
        _lock(file.fileno())
        yield  # closing the file unlocks it


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)  # tries for ten seconds, then OSError
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
