"""Labels of a turn: every word, in every decoration that models put around it."""

from __future__ import annotations

import pytest

from react_agent import parse
from react_agent.parsing.labels import KINDS, STRONG, WEAK, kind_of
from tests.vectors import TOOLS

HOME = TOOLS["home"]
ENGLISH = ("Thought", "Action", "Action Input", "Observation", "Final Answer")
CHINESE = ("思考", "行动", "行动输入", "观察", "最终答案")

DECORATIONS = {
    "plain": "{}: ",
    "tight": "{}:",
    "full width": "{}：",
    "blank before the colon": "{} : ",
    "indented": "  {}: ",
    "bold": "**{}:** ",
    "bold, colon outside": "**{}**: ",
    "italic": "*{}*: ",
    "underlined": "__{}__: ",
    "item": "- {}: ",
    "starred item": "* {}: ",
    "bold item": "- **{}:** ",
    "number": "1. {}: ",
    "heading": "### {}: ",
    "bold heading": "## **{}**\n",
    "bare heading": "### {}\n",
    "bold line": "**{}**\n",
    "square": "[{}]: ",
    "Chinese brackets": "【{}】：",
    "step": "{} 2: ",
    "own line": "{}:\n",
    "two lines": "{}:\n\n",
    "back-ticks": "`{}`: ",
}
MISSED = {"bold heading"}
"""Decorations that are not read yet."""


def known(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason="not read yet")] if name in MISSED else []
    return pytest.param(DECORATIONS[name], id=name, marks=marks)


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("decoration", [known(name) for name in DECORATIONS])
def test_decoration(decoration: str, words: tuple[str, ...]) -> None:
    thought, action, given, observed, answer = (decoration.format(word) for word in words)
    call = parse(f'{thought}why\n{action}query_air\n{given}{{"city": "A"}}\n{observed}B\n{answer}C', HOME)
    assert [(item.name, item.arguments) for item in call.calls] == [("query_air", {"city": "A"})]
    assert call.thought == "why"
    assert call.answer is None
    told = parse(f"{thought}why\n{answer}C", HOME)
    assert (told.thought, told.answer, told.calls) == ("why", "C", ())


ALL_STRONG = [(kind, word) for kind, words in STRONG.items() for word in words.split()]
SPELLINGS = sorted({(kind, word.replace("_", gap)) for kind, word in ALL_STRONG for gap in (" ", "_", "")})


@pytest.mark.parametrize(("kind", "word"), SPELLINGS)
def test_every_word(kind: str, word: str) -> None:
    assert kind_of(word) == (kind, True)
    assert kind_of(word.upper()) == (kind, True)
    turn = {
        "thought": f"{word}: why\nAction: query_air\nAction Input: A",
        "action": f"Thought: why\n{word}: query_air\nAction Input: A",
        "input": f"Thought: why\nAction: query_air\n{word}: A",
        "observe": f"Thought: why\nAction: query_air\nAction Input: A\n{word}: B",
        "question": f"Thought: why\nAction: query_air\nAction Input: A\n{word}: B",
        "answer": f"Thought: why\n{word}: A",
    }[kind]
    parsed = parse(turn, HOME)
    if kind == "answer":
        assert (parsed.thought, parsed.answer) == ("why", "A")
    else:
        assert [(call.name, call.arguments) for call in parsed.calls] == [("query_air", {"city": "A"})]
        assert parsed.thought == "why"


WEAK_WORDS = sorted({word.replace("_", " ") for words in WEAK.values() for word in words.split()})


@pytest.mark.parametrize("word", WEAK_WORDS)
def test_weak_words_are_prose_in_an_unlabelled_reply(word: str) -> None:
    text = f"办理时请带上以下材料。\n{word}：见附件一\n其他事项另行通知。"
    parsed = parse(text, HOME)
    assert (parsed.answer, parsed.thought, parsed.calls) == (text, None, ())


def test_no_word_is_strong_and_weak() -> None:
    strong = {word for words in STRONG.values() for word in words.split()}
    weak = {word for words in WEAK.values() for word in words.split()}
    assert strong.isdisjoint(weak)
    assert len(KINDS) == len({word.replace("_", "").casefold() for word in strong | weak})


@pytest.mark.parametrize(
    "text",
    [
        "My next Action: sign here.",
        "行动方案：先易后难。",
        "Actions: none are planned.",
        "Action items\n- buy bread",
        "观察者：李四",
        "The Final Answer is 4.",
        "思考题：为什么天是蓝的？",
        "Observation deck: floor 3",
    ],
)
def test_what_only_resembles_a_label(text: str) -> None:
    parsed = parse(text, HOME)
    assert (parsed.answer, parsed.thought, parsed.calls, parsed.rejected) == (text, None, (), ())
