"""Files below one root, and no others, whatever path is asked for.

In: a root and a relative path as a model wrote it.  Out: text read, text written, names.  The way to a file is first resolved
and must end inside the root; then it is walked again, folder by folder from an open root, without following any link, so that
a folder swapped for a link in between leads nowhere.  (On systems without `dir_fd` only the first half is possible.)  Devices,
pipes and sockets are not opened for reading, sizes are bounded, writing is all or nothing.

Every refusal is a `ValueError` or an `OSError` that names the path as it was asked for, never where the root is.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from react_agent.errors import UsageError

MAX_READ_BYTES = 1_000_000
MAX_WRITE_BYTES = 1_000_000
MAX_NAMES = 500
_WALKS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINK
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for its other end
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class _Place:
    """An open folder: by its descriptor where the system can walk, else by its path."""

    descriptor: int | None
    path: Path

    def at(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def opener(self, more: int) -> Callable[[str, int], int]:
        """For `open`: within this folder, with `more` flags."""
        return lambda name, flags: os.open(name, flags | more, 0o666, dir_fd=self.descriptor)


class Confined:
    """The files below `root`.

    Raises:
        UsageError: `root` is not a folder.
    """

    def __init__(self, root: str | Path) -> None:
        if not Path(root).is_dir():
            raise UsageError(f'the file tools need a folder, but "{root}" is not a folder')
        self._root = Path(root).resolve()

    def read(self, path: str) -> str:
        """The text of the file at `path`: UTF-8, else GB 18030."""
        with (
            _told(path),
            self._folder_of(path) as (place, name),
            open(place.at(name), "rb", opener=place.opener(_NO_LINK | _NO_WAIT)) as file,
        ):
            _check_readable(os.fstat(file.fileno()), path)
            data = file.read(MAX_READ_BYTES + 1)
        if len(data) > MAX_READ_BYTES:
            raise ValueError(f'"{path}" is too large: at most {MAX_READ_BYTES} bytes can be read')
        return _decoded(data, path)

    def write(self, path: str, text: str) -> int:
        """Put `text` into the file at `path`, replacing what was there, and say how many bytes it has; folders are made."""
        data = text.encode("utf-8", "replace")
        if len(data) > MAX_WRITE_BYTES:
            raise ValueError(f'"{path}": {len(data)} bytes are too much, at most {MAX_WRITE_BYTES} can be written')
        with _told(path), self._folder_of(path, make=True) as (place, name):
            _check_replaceable(place, name, path)
            self._replace(place, name, data)
        return len(data)

    def names(self, path: str = ".") -> list[str]:
        """What is in the folder at `path`, sorted, folders with a `/` behind; links out of the root are left out."""
        with _told(path), self._folder(self._inside(path)) as place, os.scandir(_scannable(place)) as entries:
            found = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries if self._may_show(entry, place)]
        return sorted(found)

    def _may_show(self, entry: os.DirEntry[str], place: _Place) -> bool:
        if not entry.is_symlink():
            return entry.is_file() or entry.is_dir()
        try:
            target = (place.path / entry.name).resolve(strict=True)
        except (OSError, RuntimeError):  # it leads to nothing or in a circle
            return False
        return target.is_relative_to(self._root) and (target.is_file() or target.is_dir())

    def _inside(self, path: str) -> tuple[str, ...]:
        """The way from the root, all links resolved."""
        _check_relative(path)
        resolved = (self._root / path).resolve()
        if not resolved.is_relative_to(self._root):
            raise PermissionError(f'"{path}" leads out of the folder')
        return resolved.relative_to(self._root).parts

    @contextlib.contextmanager
    def _folder_of(self, path: str, *, make: bool = False) -> Iterator[tuple[_Place, str]]:
        *folders, name = self._inside(path) or ("",)
        if not name:
            raise IsADirectoryError(f'"{path}" is a folder')
        with self._folder(tuple(folders), make=make) as place:
            yield place, name

    @contextlib.contextmanager
    def _folder(self, parts: tuple[str, ...], *, make: bool = False) -> Iterator[_Place]:
        if not _WALKS:
            path = self._root.joinpath(*parts)
            if make:
                path.mkdir(parents=True, exist_ok=True)
            yield _Place(None, path)
            return
        descriptor = os.open(self._root, _FOLDER)
        try:
            for part in parts:
                inner = _enter(part, descriptor, make=make)
                os.close(descriptor)
                descriptor = inner
            yield _Place(descriptor, self._root.joinpath(*parts))
        finally:
            os.close(descriptor)

    @staticmethod
    def _replace(place: _Place, name: str, data: bytes) -> None:
        """A new file beside the old one takes its place when it is complete."""
        new = place.at(f".{secrets.token_hex(8)}.tmp")
        try:
            with open(new, "xb", opener=place.opener(_NO_LINK)) as file:
                file.write(data)
            os.replace(new, place.at(name), src_dir_fd=place.descriptor, dst_dir_fd=place.descriptor)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new, dir_fd=place.descriptor)
            raise


def _enter(name: str, folder: int, *, make: bool) -> int:
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
    return os.open(name, _FOLDER, dir_fd=folder)


def _scannable(place: _Place) -> int | Path:
    return place.path if place.descriptor is None else place.descriptor


def _check_relative(path: str) -> None:
    if not path.strip() or "\0" in path or len(path) > 1_000:
        raise ValueError("a path has 1 to 1000 characters")
    outside = PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor or path.startswith("~")
    if outside or ".." in PurePosixPath(path).parts or ".." in PureWindowsPath(path).parts:
        raise PermissionError(f'"{path}" is not allowed: write a path below the folder, without a leading / and without ..')


def _check_readable(about: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise ValueError(f'"{path}" is not a file with text')
    if about.st_size > MAX_READ_BYTES:
        raise ValueError(f'"{path}" has {about.st_size} bytes: at most {MAX_READ_BYTES} can be read')


def _check_replaceable(place: _Place, name: str, path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        about = os.stat(place.at(name), dir_fd=place.descriptor, follow_symlinks=False)
        if not stat.S_ISREG(about.st_mode):
            raise ValueError(f'"{path}" exists and is not a file, so it cannot be written')


def _decoded(data: bytes, path: str) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if not _CONTROL.search(text):
                return text
    raise ValueError(f'"{path}" holds no text')


@contextlib.contextmanager
def _told(path: str) -> Iterator[None]:
    """Errors of the system in words, without the place of the root."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f'there is no "{path}"; list_files tells what there is') from None
    except RuntimeError:  # what pathlib raises for links in a circle
        raise OSError(f'"{path}" leads in a circle') from None
    except OSError as error:
        if error.errno is None:  # our own, already in words
            raise
        raise OSError(f'"{path}": {error.strerror}') from None
