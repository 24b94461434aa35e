"""«I will look that up», and no call."""

from __future__ import annotations

import pytest

from react_agent.engine.objections.announced import announces


@pytest.mark.parametrize(
    "text",
    [
        "我来查一下天气。", "好的，我来查一下。", "让我看看……", "请稍等，我先查询订单。", "正在为您查询天气",
        "Let me check that.", "Sure! I'll look it up.", "I will call the weather tool now…", "One moment, let me see:",
    ],
)  # fmt: skip
def test_announcements(text: str) -> None:
    assert announces(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "好的。", "我来自北京，今年 30 岁。", "Let me know if you need anything.", "It is 15 °C.", "Sure, it is 42.",
        "I will be brief: the answer is 42.", "上海更热，温差 3 度。", "Let me explain. " * 30,
    ],
)  # fmt: skip
def test_answers(text: str) -> None:
    assert not announces(text)
