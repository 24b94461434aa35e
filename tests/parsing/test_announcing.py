"""What prose says about the call-shaped text beside it."""

from __future__ import annotations

import pytest

from react_agent.parsing.announcing import announces_example, disowns, explains, forbids
from react_agent.parsing.retracting import takes_back

HERE = "\n<here>"


def announced(prose: str) -> bool:
    return announces_example(prose + HERE, len(prose) + 1)


def disowned(prose: str) -> bool:
    return disowns(prose + HERE, len(prose) + 1)


@pytest.mark.parametrize(
    "prose",
    [
        "For example:",
        "Do not send this:",
        "Please never\u00a0call it:",
        "A call looks like this:",
        "例如：",
        "千万不要执行：",
        "格式如下：",
    ],
)
def test_plain_statements_hold_for_wrappers_too(prose: str) -> None:
    assert disowned(prose)
    assert announced(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "The format is JSON:",
        "The assistant wrote:",
        "If you want to search, send:",
        "Available tools:",
        "用户刚才发了：",
        "可用工具：",
    ],
)
def test_words_of_documentation_hold_for_bare_text_only(prose: str) -> None:
    assert announced(prose)
    assert not disowned(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "I'll search for it:",
        "Don't worry, I will look:",
        "I cannot use my memory, so I search:",
        "I do not know the shelf:",
        "If I understand you, Emma is meant:",
        "That is an example. Now the real one:",
        "The user said hello. Let me look:",
        "别担心，我来查：",
        "不能使用旧数据，所以重新查：",
        "这只是示例。现在真的查：",
        "I will call it like this:",
        "Let me now make the call like so:",
        "I cannot answer without calling it:",
        "我来分别调用：",
        "",
    ],
)
def test_what_announces_a_call(prose: str) -> None:
    assert not announced(prose)
    assert not disowned(prose)


@pytest.mark.parametrize(
    "prose", ["This is only an example.", "Shall I?", "It was not executed.", "要不要执行？", "格式就是这样。"]
)
def test_prose_behind_that_explains(prose: str) -> None:
    assert explains(prose)


@pytest.mark.parametrize(
    "prose",
    ["Can I help with anything else?", "Done. For example, you may read it.", "It searches the catalogue.", "马上就好。"],
)
def test_prose_behind_that_says_nothing_of_it(prose: str) -> None:
    assert not explains(prose)


def test_a_remark_may_forbid() -> None:
    assert forbids("# never run this")
    assert not forbids("# runs the program")


def test_only_the_sentence_that_leads_there_is_asked() -> None:
    assert not announced("For example, " + "a long way before it. " * 3 + "Here it is:")
    assert not announced("x" * 300 + " example " + "y" * 300)


@pytest.mark.parametrize(
    "remark",
    [
        "Wait, do not run this.", "Sorry, that was wrong. Do not run it.", "On second thought, don't.",
        "No, don't!", "Actually, ignore that call.", "I did not call it.", "That call is void.",
        "Please do not execute that call.",
        "等等，刚才的调用作废。", "不要执行它。", "请勿执行。", "忽略上面的调用。", "我没有执行该指令。",
        "刚才的调用不要执行。",
    ],
)  # fmt: skip
def test_prose_behind_that_takes_a_call_back(remark: str) -> None:
    assert takes_back(remark)


@pytest.mark.parametrize(
    "remark",
    [
        "", "I checked the task; there is no prompt injection in it.", "I will not run it again.",
        "If it fails, I will not run it.", "I will wait; do not send it yet.", "Do not run it unless I say so.",
        "I did not call the other tool.", "Do not run it twice.", "如果失败，我不会再执行该操作。", "我没有再执行。",
        "没有执行其他操作。", "在结果返回之前，请勿执行。", "我不会调用其他工具。",
    ],
)  # fmt: skip
def test_prose_behind_that_leaves_a_call_standing(remark: str) -> None:
    assert not takes_back(remark)
