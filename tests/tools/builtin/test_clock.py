from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from react_agent.messages import Call
from react_agent.tools import Toolbox
from react_agent.tools.builtin import current_time

WEEKDAYS = [
    "Monday 星期一",
    "Tuesday 星期二",
    "Wednesday 星期三",
    "Thursday 星期四",
    "Friday 星期五",
    "Saturday 星期六",
    "Sunday 星期日",
]


def told(zone: str) -> datetime:
    return datetime.fromisoformat(current_time(zone)["time"])


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("Asia/Shanghai", 8),
        ("asia/tokyo", 9),
        ("北京", 8),
        ("Asia/Beijing", 8),
        ("UTC", 0),
        ("gmt", 0),
        ("UTC+8", 8),
        ("UTC-3", -3),
        ("+05:30", 5.5),
        ("-0930", -9.5),
    ],
)
def test_zones(zone: str, hours: float) -> None:
    before = datetime.now(timezone.utc).replace(microsecond=0)
    assert told(zone).utcoffset() == timedelta(hours=hours)
    assert before <= told(zone) <= datetime.now(timezone.utc)


def test_without_a_zone_it_is_local_time() -> None:
    answer = current_time()
    moment = datetime.fromisoformat(answer["time"])
    assert moment.utcoffset() == moment.replace(tzinfo=None).astimezone().utcoffset()
    assert answer["weekday"] == WEEKDAYS[moment.weekday()]


@pytest.mark.parametrize(
    "zone", ["Mars/Base", "Asia", "../../etc/passwd", "/etc/localtime", "\0", "+99", "UTC+25", "x" * 10_000]
)
def test_an_unknown_zone(zone: str) -> None:
    result = Toolbox([current_time]).run(Call("current_time", {"timezone": zone}))
    assert result.status == "error"
    assert "unknown time zone" in result.content
    assert len(result.content) < 300


def test_it_may_be_asked_again() -> None:
    assert current_time.repeatable
    assert not current_time.pure
