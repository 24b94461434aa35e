"""What a tool returned, as the text that the model reads.

In: any value.  Out: text and status, and what was left out.  Text goes as it is, everything else as JSON with non-ASCII kept;
nothing at all is said in words; what is longer than the limit keeps its beginning and its end.  The rule: never an exception,
never more than the limit, always text that can be sent (no half surrogates), and no more work than the limit is worth: of a
value that is far longer the rest is not looked at, and counted («… 800 more»).
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import re
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

import regex

from react_agent.messages import Status

NO_VALUE = "Done. (The tool returned no value.)"
EMPTY_TEXT = "(The result is empty.)"
NOTHING = frozenset(("[]", "{}", "null", '""'))
"""Nothing, as a tool writes it that gives JSON as text."""
MAX_REST = 1_000_000
"""Characters that are kept of what was left out of a result."""
_DEPTH = 40
_LIMITS_READ = 4
"""So many times the limit is read of a value, in characters, so that a value that is somewhat too long still shows its end."""
_BITS = 14_000
"""Of the largest whole number that is written out."""
_BYTES = (bytes, bytearray, memoryview)
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


@dataclass(frozen=True, slots=True)
class Rendered:
    """`content` for the model; where it was cut, `rest` is what was left out and `gap` where the note on that stands in it."""

    content: str
    status: Status
    rest: str = ""
    gap: tuple[int, ...] = ()


def render(value: Any, limit: int) -> Rendered:
    """The text of `value`, at most `limit` characters, with status "ok", "empty" or "truncated"."""
    if value is None:
        return Rendered(NO_VALUE, "empty")
    plain = _Plain(limit * _LIMITS_READ).of(value)
    text = sendable(plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False))
    if not text.strip():
        return Rendered(EMPTY_TEXT, "empty")
    if plain in ({}, []) or text.strip() in NOTHING:
        return Rendered(text, "empty")
    return Rendered(text, "ok") if len(text) <= limit else _truncated(text, limit)


# --- any value as JSON data ------------------------------------------------------------------------------------------


class _Plain:
    """Turns one value into JSON data of about `room` characters; below `_DEPTH` levels it is `str()`."""

    def __init__(self, room: int) -> None:
        self._room = room

    def of(self, value: Any, depth: int = 0) -> Any:
        self._room -= 2 + (len(value) if isinstance(value, str) else 0)  # at most what it will be in JSON
        if type(value) in _PLAIN and not _is_huge(value):
            return value
        value = _opened(value)
        if isinstance(value, enum.Enum):
            return self.of(value.value, depth)
        if value is None or isinstance(value, (bool, int, float, str)):
            return _scalar(value)
        if depth < _DEPTH and isinstance(value, Mapping):
            return self._mapping(value, depth + 1)
        if depth < _DEPTH and isinstance(value, Iterable) and not isinstance(value, _BYTES):
            return self._items(value, depth + 1)
        return _as_text(value)

    def _items(self, items: Iterable[Any], depth: int) -> list[Any]:
        taken: list[Any] = []
        for item in items:
            if self._room <= 0:
                return [*taken, _more(items, len(taken))]
            taken.append(self.of(item, depth))
        return taken

    def _mapping(self, mapping: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        taken: dict[str, Any] = {}
        for number, (key, item) in enumerate(mapping.items()):
            if self._room <= 0:
                return {**taken, "…": _more(mapping, number)}
            name = self.of(key, depth)
            taken[name if isinstance(name, str) else str(name)] = self.of(item, depth)
        return taken


_PLAIN = frozenset((type(None), bool, int, float, str))


def _more(items: Iterable[Any], taken: int) -> str:
    return f"… {len(items) - taken} more" if isinstance(items, Sized) else "… more"


def _opened(value: Any) -> Any:
    """One level of the types that hold named parts; sets get an order, so that equal results are equal texts."""
    if isinstance(value, type):
        return value.__name__
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=lambda item: (type(item).__name__, str(item)))
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if callable(dump) else value


def _scalar(value: Any) -> Any:
    """Plain types only: a subclass of str or int may print as anything."""
    if _is_huge(value):
        return f"(a whole number of about {round(value.bit_length() * math.log10(2)):,} digits)"
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value) if kind is not str else str.__str__(value)
    return None


def _is_huge(value: object) -> bool:
    """Python writes no whole number of more than 4,300 digits."""
    return isinstance(value, int) and value.bit_length() > _BITS


def _as_text(value: Any) -> Any:
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, _BYTES):
        return _decoded(bytes(value))
    if hasattr(type(value), "__index__"):  # integers of numpy and others
        return _scalar(int(value))
    try:
        return _ADDRESS.sub("", str(value))
    except Exception:  # its own __str__ fails
        return f"<{type(value).__name__}>"


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return f"({len(data)} bytes that are not text)"


# --- the text --------------------------------------------------------------------------------------------------------


def cut(text: str, limit: int) -> str:
    """The first two thirds and the last third of `text` with a note between, at most `limit` characters.

    It is cut between characters as people see them, so no emoji or letter loses a part.
    """
    begin, end = _middle(text, limit)
    return text[:begin] + _note(end - begin) + text[end:]


def _truncated(text: str, limit: int) -> Rendered:
    begin, end = _middle(text, limit)
    note = _note(end - begin)
    return Rendered(text[:begin] + note + text[end:], "truncated", text[begin:end][:MAX_REST], (begin, begin + len(note)))


def _middle(text: str, limit: int) -> tuple[int, int]:
    """Where what is left out begins and ends."""
    room = limit - len(_note(len(text)))
    return _border(text, room - room // 3, back=True), _border(text, len(text) - room // 3, back=False)


def _note(left_out: int) -> str:
    return f"\n… ({left_out} characters left out here) …\n"


def _border(text: str, at: int, *, back: bool) -> int:
    """The border between two visible characters that is next to `at`, before or behind it."""
    start = max(0, at - 100)
    borders = [start + found.start() for found in regex.finditer(r"\X", text[start : at + 100])]
    before = max((border for border in borders if border <= at), default=at)
    return before if back or before == at else min((border for border in borders if border > at), default=at)


def sendable(text: str) -> str:
    """Surrogate halves joined where they are pairs, replaced where they are not: they cannot be encoded."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
