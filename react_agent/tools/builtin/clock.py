"""The time, here or in a time zone."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from datetime import timezone as fixed_zone
from typing import Annotated
from zoneinfo import ZoneInfo

from react_agent.tools.spec import tool

_WEEKDAYS = (
    ("Monday", "星期一"),
    ("Tuesday", "星期二"),
    ("Wednesday", "星期三"),
    ("Thursday", "星期四"),
    ("Friday", "星期五"),
    ("Saturday", "星期六"),
    ("Sunday", "星期日"),
)
# What models write for the zone of China, which has no name of its own in the IANA list.
_CHINA = frozenset(("asia/beijing", "beijing", "china", "北京", "北京时间", "中国"))
_OFFSET = re.compile(r"(?:UTC|GMT)?\s*(?P<sign>[+\-−])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?", re.IGNORECASE)


@tool(
    repeatable=True,
    description="当用户询问现在的时间、今天的日期或星期几时调用。"
    "Use when the user asks for the current time, today's date or the day of the week.",
)
def current_time(
    timezone: Annotated[str, "IANA 时区名，不填则为本地时间。IANA time zone name; leave it out for local time."] = "",
) -> dict[str, str]:
    """Time and day of the week; raises ValueError for a zone that is not known."""
    now = datetime.now(_zone(timezone)) if timezone.strip() else datetime.now().astimezone()
    return {"time": now.isoformat(timespec="seconds"), "weekday": " ".join(_WEEKDAYS[now.weekday()])}


def _zone(name: str) -> tzinfo:
    """The zone of an IANA name or of an offset such as UTC+8."""
    name = name.strip()
    if name.casefold() in _CHINA:
        return ZoneInfo("Asia/Shanghai")
    if offset := _OFFSET.fullmatch(name):
        return _fixed(offset)
    if name.upper() in ("UTC", "GMT", "Z"):
        return fixed_zone.utc
    for spelling in (name, name.title()):
        try:
            return ZoneInfo(spelling)
        except (ValueError, OSError, LookupError):
            continue
    raise ValueError(f"unknown time zone {name[:60]!r}: an IANA name of region and city, or an offset from UTC, is expected")


def _fixed(offset: re.Match[str]) -> tzinfo:
    away = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
    if away >= timedelta(hours=24):
        raise ValueError(f"unknown time zone {offset[0]!r}: an offset is less than 24 hours")
    return fixed_zone(away if offset["sign"] == "+" else -away)
