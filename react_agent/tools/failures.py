"""What a tool raised, as the text that the model reads: `Error: ValueError: no such part`.

In: an exception.  Out: one line with its type and message.  The rule: no stack trace and no path of this machine (a file keeps
its name), at most `MAX_CHARS` characters.
"""

from __future__ import annotations

import re
from pathlib import Path, PureWindowsPath

from .results import cut

MAX_CHARS = 1_000
_TRACE = "Traceback (most recent call last)"
_POSIX = r"/[^\s/'\"<>:|,;()]+(?:/[^\s/'\"<>:|,;()]+)+/?"
_PATHS = re.compile(
    rf"""(?P<quote>['"])(?P<quoted>(?:/|[A-Za-z]:[\\/])[^'"\n]*)(?P=quote)|(?P<windows>\b[A-Za-z]:[\\/][^\s'"<>|,;()]+)"""
    rf"""|(?<![\w:/.])(?P<posix>{_POSIX})"""
)


def tell(error: BaseException) -> str:
    """The line about `error`."""
    try:
        message = str(error)
    except Exception:  # its own __str__ fails
        message = ""
    message = " ".join(_without_paths(message.partition(_TRACE)[0]).split())
    text = f"Error: {type(error).__name__}: {message}".removesuffix(": ")
    return text if len(text) <= MAX_CHARS else cut(text, MAX_CHARS)


def _without_paths(message: str) -> str:
    return _PATHS.sub(_file_name, message)


def _file_name(found: re.Match[str]) -> str:
    path = found["quoted"] or found["windows"] or found["posix"]
    quote = found["quote"] or ""
    if re.match(r"[A-Za-z]:", path):
        return quote + PureWindowsPath(path).name + quote
    return quote + Path(path).name + quote if _is_local(path) else found[0]


def _is_local(path: str) -> bool:
    """True for `/home/lin/a.txt`, False for `/api/v1/users`, which tells the model something and gives nothing away."""
    try:
        return Path("/", Path(path).parts[1]).exists()
    except (OSError, ValueError, IndexError):
        return False
