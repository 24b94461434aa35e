"""«I will look that up», and no call: which texts announce an action with a tool, and which are answers."""

from __future__ import annotations

import pytest

from react_agent.engine.objections.announced import announces
from react_agent.messages import Outcome
from tests.engine.playing import ADD, TEXT, action, answer, play, tool

TOOLS = ("get_weather", "send_email", "add")


@pytest.mark.parametrize(
    "text",
    [
        "我来查一下天气。", "好的，我来查一下。", "让我看看……", "请稍等，我先查询订单。", "正在为您查询天气",
        "我这就帮您搜索。",
        "I will read the file notes.txt.", "我来读取 notes.txt。",
        "我将调用 get_weather 工具。", "首先，我需要获取当前的天气数据。", "我来算一下。", "好的，我会使用工具来计算。",
        "让我先确认一下订单状态。",
        "我需要先读取文件。", "接下来我会检索文档。", "正在搜索……", "我马上给小王发送邮件。", "没问题，我来调用 send_email。",
        "Let me check that.", "Sure! I'll look it up.", "I will call the weather tool now…", "One moment, let me see:",
        "I’ll search the web for that.", "I'm going to use get_weather.", "First, I need to fetch the data.",
        "I will use the calculator tool.", "Let me calculate that for you.", "Checking the weather in Oslo...",
        "Looking up the order now.", "Calling get_weather.", "Okay. I will now read the file.", "I will send an email to Ana.",
        "I need to find out the current price first.", "Let me just quickly query the database.", "I will add them.",
        "Now I'll verify the result.", "Please wait while I check.  I'll retrieve the report.", "Let me take a look.",
        "好的，我将为您查询北京和上海今天的天气情况，并比较温度。", "我先查北京的天气，再查上海的天气。", "我正在查询天气。",
        "To answer this question, I need to check the weather in both cities.", "I'm checking the weather now.",
        "Let's check the weather.", "I will check the weather, and then compare the cities.", "I am calling get_weather.",
        "为了回答这个问题，我需要查询天气。", "I'll check if the shop is open.",
        "I'll get the weather for Oslo.", "Let me get that for you.", "I am going to run the search.",
    ],
)  # fmt: skip
def test_announcements(text: str) -> None:
    assert announces(text, TOOLS)


@pytest.mark.parametrize(
    "text",
    [
        "", "好的。", "我来自北京，今年 30 岁。", "上海更热，温差 3 度。",
        "我会来的。", "我会一直爱你。",
        "我要回家了。", "我先走了。",
        "我现在很好。",
        "我会想你的。", "我将在周五到达。", "我需要您的订单号。", "我需要更多信息。", "让我们开始吧。",
        "让我想想。", "我来介绍一下自己。",
        "我要看书。",
        "我会算命。", "我明天会给你打电话。", "我会参加会议。", "正在下雨。", "我要一杯咖啡。", "我需要知道您在哪个城市。",
        "我可以查询天气。", "我可以为您查询天气、发送邮件。", "我也可以为您发送邮件。", "我需要确认您所在的城市。",
        "我需要查询的城市名称。", "等您确认后，我再查询天气。", "我会查天气，北京是晴天。",
        "Okay. I will check the weather when you say go.", "I need to check with you first.", "I will check it if you like.",
        "I will check the weather, and it is dry.", "I need to check which city you mean.",
        "Let me know if you need anything.", "It is 15 °C.", "Sure, it is 42.", "I will be brief: the answer is 42.",
        "Let me explain. " * 30, "I will come.", "I'll be there at nine.", "I will not check it.", "I'll see you tomorrow.",
        "I will get back to you.", "I need to know your city.", "I need more information.", "I'll think about it.",
        "I will call you tomorrow.", "I'm going to sleep.", "Checking in is possible from 3 pm.", "I will help you.",
        "Looking for work is hard.", "I will look forward to it.", "I'll check out at noon.", "I will run tomorrow.",
        "Let me think.", "I will find happiness", "I'll remember that.", "I will always love you.", "Let me introduce myself.",
        "I'll get up early.", "I need a holiday.", "Calling me is free.", "I will use it wisely.", "Let me be clear.",
    ],
)  # fmt: skip
def test_answers(text: str) -> None:
    assert not announces(text, TOOLS)


def test_the_words_of_a_tool_make_an_announcement() -> None:
    assert announces("I will book a table.", ("book_table",))
    assert announces("我来预订餐桌。", ("预订餐桌",))
    assert not announces("I will book a table.", TOOLS)
    assert not announces("I will come to the table.", ("book_table",))


def test_an_announcement_is_sent_back_once() -> None:
    ran = play(["Sure, let me add them.", action("add", a=2, b=40), answer("42")], ADD)
    assert ran.result.answer == "42"
    assert [event.reason for event in ran.corrections] == ["announced"]
    again = play(["Let me add them.", "Let me add them."], ADD)
    assert (again.result.answer, again.result.outcome) == ("Let me add them.", Outcome.COMPLETED)


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Translate: 我来查一下。", "Let me check."),
        ("How do I say «我来查一下» in English?", "Let me check."),
        ("把这句话翻译成中文：Let me check.", "我来查一下。"),
        ("用“查”造句", "我来查一下天气。"),
        ("Give me a sentence with the word check.", "I will check the mail."),
        ("Will you come?", "I will come."),
        ("Translate 我来查一下 into English", "Let me check."),
        ("Write a short reply to Ana that I will check the contract", "I will check the contract."),
        ("Reply to the customer in one line that we look into it", "I will check the order."),
        ("替我回复老板：我会去查", "我会去查。"),
        ("写一条短信，说我会查", "我会查一下。"),
        ("When I say go, look up the weather. Wait till then.", "Okay. I will check the weather when you say go."),
        ("What will you do if the server is down?", "I will check the logs first."),
        ("你能做什么？", "我会查询天气。"),
        ("What can you do?", "I will check the weather."),
    ],
)
def test_what_was_asked_for_is_an_answer(task: str, said: str) -> None:
    ran = play([said], tool("get_weather", lambda city: "dry", city=TEXT), task=task)
    assert (ran.result.answer, ran.corrections) == (said, [])


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Check the weather and reply in English", "I will check the weather."),
        ("What can you tell me about the weather in Oslo?", "Let me check the weather."),
        ("用中文回复：北京天气怎么样？", "我来查一下天气。"),
        ("你能帮我查天气吗？", "好的，我来查一下。"),
    ],
)
def test_what_was_not_asked_for_is_sent_back(task: str, said: str) -> None:
    ran = play([said, answer("dry")], tool("get_weather", lambda city: "dry", city=TEXT), task=task)
    assert [event.reason for event in ran.corrections] == ["announced"]


def test_a_plan_that_was_asked_for_is_an_answer() -> None:
    said = "I will send you an email tomorrow."
    ran = play([said], tool("send_email", lambda to: "ok", to=TEXT), task="What's the plan for tomorrow?")
    assert (ran.result.answer, ran.corrections) == (said, [])
