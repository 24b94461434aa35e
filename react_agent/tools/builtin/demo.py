"""Demo tools: the weather of a few cities from a table that never changes, so that answers can be checked."""

from __future__ import annotations

from typing import Annotated, Any

from react_agent.tools.spec import Tool, tool

from .calculator import calculator
from .clock import current_time

_SKIES = {"晴": "sunny", "多云": "cloudy", "小雨": "light rain", "雷阵雨": "thunderstorm", "小雪": "light snow", "雾": "fog"}
_WEATHER: tuple[tuple[str, str, str, int], ...] = (
    ("北京", "Beijing", "晴", 31),
    ("上海", "Shanghai", "多云", 28),
    ("广州", "Guangzhou", "雷阵雨", 33),
    ("深圳", "Shenzhen", "小雨", 30),
    ("杭州", "Hangzhou", "多云", 29),
    ("成都", "Chengdu", "小雨", 24),
    ("西安", "Xi'an", "晴", 27),
    ("哈尔滨", "Harbin", "多云", 19),
    ("香港", "Hong Kong", "雷阵雨", 32),
    ("东京", "Tokyo", "多云", 26),
    ("新加坡", "Singapore", "雷阵雨", 34),
    ("伦敦", "London", "小雨", 16),
    ("巴黎", "Paris", "多云", 21),
    ("柏林", "Berlin", "晴", 20),
    ("奥斯陆", "Oslo", "小雪", -3),
    ("开罗", "Cairo", "晴", 36),
    ("纽约", "New York", "晴", 23),
    ("旧金山", "San Francisco", "雾", 15),
)


@tool(
    pure=True,
    description="当用户询问某个城市的天气或气温时调用，一次查一个城市（演示数据）。"
    "Use when the user asks for the weather or temperature of a city, one city per call (demo data).",
)
def get_weather(city: Annotated[str, "城市名。Name of one city."]) -> dict[str, Any]:
    """The weather of `city` in the table; raises ValueError for a city that is not in it."""
    wanted = _plain(city)
    for chinese, english, sky, degrees in _WEATHER:
        if wanted == chinese:
            return {"city": chinese, "sky": sky, "temperature_c": degrees, "note": "演示数据"}
        if wanted == _plain(english):
            return {"city": english, "sky": _SKIES[sky], "temperature_c": degrees, "note": "demo data"}
    known = ", ".join(f"{chinese} {english}" for chinese, english, _, _ in _WEATHER)
    raise ValueError(f"no weather for {city[:50]!r}; the demo table has only: {known}")


def _plain(city: str) -> str:
    """Without province or country, case and marks: "Beijing, China" and "北京市" are in the table."""
    name = city.replace("，", ",").split(",")[0].strip().lower()
    return name.removesuffix("市").removesuffix(" city").replace("'", "").replace(" ", "")


def demo_tools() -> list[Tool]:
    """The tools for a first try: `get_weather`, `calculator` and `current_time`."""
    return [get_weather, calculator, current_time]
