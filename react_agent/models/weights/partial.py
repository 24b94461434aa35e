"""A file that arrives in parts: an interrupted fetch goes on where it stopped.

    model.gguf.part        the parts so far, one after the other
    model.gguf.parts.json  [[part, end in bytes, SHA-256 of everything up to there], …]

The rule: nothing on disk is believed.  What an earlier process left is hashed once, is kept up to the last end whose digest
fits, and that hash goes on with the parts that follow, so the digest of the whole file is known the moment it is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

BLOCK = 1 << 22  # bytes that are read, hashed and written at a time

Progress = Callable[[int, int, str], None]
"""Called with the bytes done, the bytes in all, and what is going on."""


class UnavailableError(Exception):
    """A source cannot give the file; another one may."""


@dataclass(frozen=True, slots=True)
class _End:
    """Where a part ends, and the digest of the file up to there."""

    part: str
    offset: int
    digest: str


class Partial:
    """The parts of `final` that are here already; `names` are all its parts, in order."""

    def __init__(self, final: Path, names: tuple[str, ...], size: int, progress: Progress) -> None:
        self._final = final
        self._names = names
        self._size = size
        self._progress = progress
        self._data = final.with_name(f"{final.name}.part")
        self._notes = final.with_name(f"{final.name}.parts.json")
        self._ends: list[_End] = []
        self._hash = hashlib.sha256()
        self._resume()

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts that are still to come."""
        return self._names[len(self._ends) :]

    @property
    def done(self) -> int:
        """Bytes that are here and verified."""
        return self._ends[-1].offset if self._ends else 0

    def append(self, name: str, blocks: Iterable[bytes], what: str) -> None:
        """Add the next part.

        Raises:
            UnavailableError: the file would become longer than it may be.
            OSError: it cannot be written.
        """
        offset = self.done
        with self._data.open("r+b" if self._data.exists() else "w+b") as file:
            file.truncate(offset)  # whatever an earlier process wrote beyond what is verified
            file.seek(offset)
            for block in blocks:
                offset += len(block)
                self._check_length(offset)
                file.write(block)
                self._hash.update(block)
                self._progress(offset, self._size, what)
        self._ends.append(_End(name, offset, self._hash.hexdigest()))
        self._write_notes()

    def finish(self, digest: str) -> Path:
        """Give the complete file its name.

        Raises:
            UnavailableError: it is not the file it should be; it is removed.
        """
        if self._hash.hexdigest() != digest or self.done != self._size:
            self.remove()
            raise UnavailableError(
                f"what came is another file (SHA-256 {self._hash.hexdigest()}, not {digest}); it was removed"
            )
        with self._data.open("rb+") as file:
            os.fsync(file.fileno())
        self._data.replace(self._final)
        self._notes.unlink(missing_ok=True)
        return self._final

    def remove(self) -> None:
        """Delete everything that is here."""
        self._data.unlink(missing_ok=True)
        self._notes.unlink(missing_ok=True)

    def _check_length(self, offset: int) -> None:
        if offset > self._size:
            self.remove()
            raise UnavailableError(f"the parts are longer than the {self._size} bytes of the file; they were removed")

    def _resume(self) -> None:
        ends = self._read_notes()
        if not ends or not self._data.is_file():
            return
        with self._data.open("r+b") as file:
            for end in ends:
                hasher = self._hash.copy()
                if not self._hash_up_to(file, hasher, end.offset) or hasher.hexdigest() != end.digest:
                    break
                self._hash = hasher
                self._ends.append(end)
            file.truncate(self.done)

    def _hash_up_to(self, file: BinaryIO, hasher: hashlib._Hash, offset: int) -> bool:
        """Feed the file from where it stands to `offset`; False when it ends before."""
        while (left := offset - file.tell()) > 0:
            block = file.read(min(BLOCK, left))
            if not block:
                return False
            hasher.update(block)
            self._progress(file.tell(), self._size, "checking what is here")
        return left == 0

    def _read_notes(self) -> list[_End]:
        """The ends an earlier process noted, as far as they name our parts."""
        try:
            rows = json.loads(self._notes.read_bytes())
            ends = [_End(str(part), int(offset), str(digest)) for part, offset, digest in rows]
        except (OSError, ValueError, TypeError):
            return []
        fits = [end.part for end in ends] == list(self._names[: len(ends)])
        return ends if fits else []

    def _write_notes(self) -> None:
        fresh = self._notes.with_name(f"{self._notes.name}.new")
        fresh.write_text(json.dumps([[end.part, end.offset, end.digest] for end in self._ends]), encoding="utf-8")
        fresh.replace(self._notes)
