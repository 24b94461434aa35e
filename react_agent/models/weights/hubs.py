"""Weights from ModelScope and Hugging Face, by their own client libraries when the user has them.

In: a catalogue entry.  Out: the complete, verified file.  The clients bring mirrors, proxies, keys, resuming and progress bars;
here their file is only checked and moved.
"""

from __future__ import annotations

import errno
import hashlib
import importlib
import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .catalogue import Weights
from .partial import BLOCK, Progress, UnavailableError

DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES}
WORDS = 300  # characters of a client's own words that are kept


def from_modelscope(weights: Weights, final: Path, progress: Progress) -> Path:
    """As `wheels.fetch`, from ModelScope."""

    def download(client: Any, box: Path) -> str:
        return str(client.model_file_download(weights.hub, weights.file, local_dir=str(box)))

    return _fetch(weights, final, progress, "modelscope", download)


def from_hugging_face(weights: Weights, final: Path, progress: Progress) -> Path:
    """As `wheels.fetch`, from Hugging Face."""

    def download(client: Any, box: Path) -> str:
        return str(client.hf_hub_download(weights.hub, weights.file, local_dir=str(box)))

    return _fetch(weights, final, progress, "huggingface_hub", download)


def _fetch(weights: Weights, final: Path, progress: Progress, package: str, download: Callable[[Any, Path], str]) -> Path:
    if not weights.hub:
        raise UnavailableError("no repository is known that holds it")
    if importlib.util.find_spec(package) is None:
        raise UnavailableError(f"`pip install {package}` would make it a source")
    progress(0, weights.size, weights.hub)
    box = final.with_name(f"{final.name}.{package}")  # kept after a failure: the clients go on with what is there
    path = _run(lambda: download(importlib.import_module(package), box))
    digest = _digest(path, weights.size, progress)
    if digest == weights.sha256:
        path.replace(final)
    shutil.rmtree(box, ignore_errors=True)
    if digest != weights.sha256:
        raise UnavailableError(f"what came is another file (SHA-256 {digest}, not {weights.sha256}); it was removed")
    return final


def _run(download: Callable[[], str]) -> Path:
    """The path a client gives; clients raise errors of many libraries, and each means that this source has failed."""
    try:
        return Path(download())
    except Exception as error:
        if isinstance(error, OSError) and error.errno in DISK:
            raise
        raise UnavailableError(f"{type(error).__name__}: {' '.join(str(error).split())[:WORDS]}") from error


def _digest(path: Path, size: int, progress: Progress) -> str:
    hasher = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            hasher.update(block)
            progress(file.tell(), size, "checking")
    return hasher.hexdigest()
