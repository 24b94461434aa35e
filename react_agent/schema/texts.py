"""What a schema asks of a text: a pattern, a format.

Patterns are matched by `regex`, each within a time limit: Python's `re` may backtrack for years on model-written text.  Only
the few formats that have one meaning are asserted; each reader raises ValueError for text that is not in its format.
"""

from __future__ import annotations

import datetime
import ipaddress
import uuid
from collections.abc import Callable, Mapping

import regex

PATTERN_SECONDS = 0.2


def matches(pattern: str, text: str) -> bool:
    """Does `pattern` occur in `text`?  False when that takes too long to tell."""
    try:
        return regex.search(pattern, text, timeout=PATTERN_SECONDS) is not None
    except TimeoutError:
        return False


def in_format(name: str, text: str) -> bool:
    """Is `text` in the format `name`?  True for a format that is not asserted."""
    read = FORMATS.get(name)
    if read is None:
        return True
    try:
        read(text)
    except ValueError:
        return False
    return True


_DATE_TIME = regex.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)?", regex.ASCII)
_TIME = regex.compile(r"(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)?", regex.ASCII)
_DATE = regex.compile(r"\d{4}-\d\d-\d\d", regex.ASCII)
_EMAIL = regex.compile(r"[^@\s]++@[^@\s]++")


def _date(text: str) -> None:
    datetime.date.fromisoformat(_whole(_DATE, text)[0])


def _date_time(text: str) -> None:
    """As RFC 3339, but the zone and the seconds may be missing and a blank may stand for `T`: models write it so."""
    found = _whole(_DATE_TIME, text)
    datetime.datetime.fromisoformat(f"{found[1]}T{found[2]}")


def _time(text: str) -> None:
    datetime.time.fromisoformat(_whole(_TIME, text)[1])


def _whole(pattern: regex.Pattern[str], text: str) -> regex.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return found


FORMATS: Mapping[str, Callable[[str], object]] = {
    "date": _date,
    "date-time": _date_time,
    "time": _time,
    "email": lambda text: _whole(_EMAIL, text),
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
    "uuid": uuid.UUID,
}
