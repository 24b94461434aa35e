from __future__ import annotations

import pytest

from react_agent.prompting import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天去苏州的车几点开？", "zh"),
        ("When does the tide turn at Brest?", "en"),
        ("Is 显示器 in stock?", "en"),
        ("把 report.md 的内容翻译成 English", "zh"),
        ("いまの天気は？東京", "en"),
        ("오늘 날씨 天氣", "en"),
        ("12 * 30", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_the_user(text: str, expected: str) -> None:
    assert language(text) == expected


def test_the_start_of_a_long_text_decides() -> None:
    assert language("请总结下面的文章：" + "一" * 5_000 + "word " * 50_000) == "zh"
