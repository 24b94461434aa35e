"""What a tool raised, as the text that the model reads: `Error: ValueError: no such part`.

In: an exception, and the arguments of the call.  Out: one line with its type and message.  The rule: no stack trace and no path
of this machine (a file keeps its name) but those that the model wrote itself, at most `MAX_CHARS` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Any

from .results import cut

MAX_CHARS = 1_000
MAX_GROUPS, MAX_MEMBERS = 4, 5
"""Groups of exceptions within one another, and members of each, that are told."""
_TRACE = "Traceback (most recent call last)"
_POSIX = r"/[^\s/'\"<>:|,;()]+(?:/[^\s/'\"<>:|,;()]+)+/?"
_PATHS = re.compile(
    rf"""(?P<quote>['"])(?P<quoted>(?:/|[A-Za-z]:[\\/])[^'"\n]*)(?P=quote)|(?P<windows>\b[A-Za-z]:[\\/][^\s'"<>|,;()]+)"""
    rf"""|(?<![\w:/.])(?P<posix>{_POSIX})"""
)


def tell(error: BaseException, arguments: Any = None) -> str:
    """The line about `error`, raised in a call with `arguments`."""
    message = " ".join(_without_paths(_said(error), tuple(_texts(arguments))).split())
    text = f"Error: {message}"
    return text if len(text) <= MAX_CHARS else cut(text, MAX_CHARS)


def _said(error: BaseException, depth: int = 0) -> str:
    """Type and message; those of the members of a group behind its own."""
    try:
        message = str(error).partition(_TRACE)[0].strip()
    except Exception:  # its own __str__ fails
        message = ""
    said = f"{type(error).__name__}: {message}".removesuffix(": ")
    members = getattr(error, "exceptions", None)  # of an ExceptionGroup, which Python 3.10 does not have
    if not isinstance(members, (tuple, list)) or depth == MAX_GROUPS:
        return said
    inside = "; ".join(_said(each, depth + 1) for each in members[:MAX_MEMBERS] if isinstance(each, BaseException))
    return f"{said}: {inside}" if inside else said


def _texts(value: Any) -> Iterator[str]:
    """All texts in JSON data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _without_paths(message: str, known: tuple[str, ...]) -> str:
    return _PATHS.sub(lambda found: _shown(found, known), message)


def _shown(found: re.Match[str], known: tuple[str, ...]) -> str:
    path = found["quoted"] or found["windows"] or found["posix"]
    quote = found["quote"] or ""
    if any(path in text for text in known):
        return found[0]
    if re.match(r"[A-Za-z]:", path):
        return quote + PureWindowsPath(path).name + quote
    return quote + Path(path).name + quote if _is_local(path) else found[0]


def _is_local(path: str) -> bool:
    """True for `/home/lin/a.txt`, False for `/api/v1/users`, which tells the model something and gives nothing away."""
    try:
        return Path("/", Path(path).parts[1]).exists()
    except (OSError, ValueError, IndexError):
        return False
