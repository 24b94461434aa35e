"""The words that label the parts of a ReAct turn, in English and Chinese, with every decoration models put around them.

A label stands at the start of a line, maybe behind list marks, numbers, hashes or asterisks, and ends with a colon of either
width; in a heading the colon may be missing.  Inside a labelled line an action label may also follow a full stop or a blank.
Weak words (工具, 参数, Tool, Input, Answer …) are common in prose: they count only where the turn is already labelled.
"""

from __future__ import annotations

import functools
import re
from typing import Literal

import regex

from .buffer import Marks
from .words import any_of

LabelKind = Literal["thought", "action", "input", "observe", "answer", "question"]

Table = dict[LabelKind, str]

STRONG: Table = {
    "thought": "思考 思考过程 想法 思路 Thought Thoughts Thinking Though",
    "action": "行动 动作 行动名称 调用工具 工具调用 Action Action_Name Act Tool_Call",
    "input": "行动输入 动作输入 行动参数 动作参数 工具输入 工具参数 输入参数 "
    "Action_Input Action_Inputs Action_Arguments Action_Args Action_Parameters Tool_Input Tool_Arguments",
    "observe": "观察 观察结果 观测 观测结果 工具结果 执行结果 工具执行结果 工具返回 工具返回结果 工具输出 返回结果 "
    "Observation Observations Tool_Result Tool_Output Tool_Response",
    "answer": "最终答案 最终回答 最终回复 最后答案 最终结果 Final_Answer Final_Response",
    "question": "用户 用户问题 用户提问 Question New_Question User Human",
}
WEAK: Table = {
    "thought": "分析 推理 计划 Reasoning Plan",
    "action": "工具 工具名 工具名称 使用工具 函数 函数名 Tool Tool_Name Function",
    "input": "输入 参数 Input Arguments Args Parameters Params",
    "observe": "结果 Result",
    "answer": "答案 回答 答复 结论 Answer Response Final AI",
    "question": "问题",
}
"""The words of each kind, separated by blanks; `_` stands for a blank, an underscore or nothing."""

KINDS: dict[str, tuple[LabelKind, bool]] = {
    re.sub(r"[\s_]+", "", word).casefold(): (kind, strong)
    for strong, table in ((False, WEAK), (True, STRONG))
    for kind, words in table.items()
    for word in words.split()
}


def _words(*tables: Table, kinds: tuple[str, ...] = ()) -> str:
    words = [word for table in tables for kind, group in table.items() if not kinds or kind in kinds for word in group.split()]
    return any_of(word.replace("_", gap) for word in words for gap in (" ", "_", ""))


_DECO = r"[ \t]{0,40}(?:[-*•]{1,3}[ \t]{1,4}|\d{1,2}[.)、][ \t]{0,4}|#{1,6}[ \t]{0,4}){0,3}(?P<bold>[*_]{1,3})?[`【\[]{0,3}"
_NUMBER = r"[ \t]?(?:\d{1,3}|[一二三四五六七八九十])?[ \t]?"
_OBSERVE = _words(STRONG, WEAK, kinds=("observe",))
_OF_WHAT = r"(?:[ \t]?[(（][^()（）\n]{1,60}[)）])?"
"""The tool, or the state, that an observation may name: `Observation (get_weather):`, `观察（出错）：`."""
_FORMS = (
    rf"{_DECO}(?P<word>(?P<observe>{_OBSERVE})|{_words(STRONG, WEAK)})(?(observe){_OF_WHAT})"
    rf"{_NUMBER}(?P<done>[*_`】\]]{{1,3}})?"
    r"[ \t]{0,40}[:：][ \t]*(?(bold)(?(done)|[*_]{0,3}))",
    rf"[ \t]{{0,40}}(?:\#{{1,6}}[ \t]{{0,40}}|\*\*)(?P<heading>{_words(STRONG)}){_NUMBER}(?:\*\*)?[ \t]{{0,40}}\n",
)
LINE_LABEL = "|".join(f"^{form}" for form in _FORMS)
"""A label at the start of a line; compile with MULTILINE and IGNORECASE.  Asterisks behind the colon belong to the label only
where it opened some that it did not close."""
_CLOSERS = ("</think>", "</thinking>", "[/THINK]", "◁/think▷")
FRESH_START = f"(?:^|(?<=[>\\]▷])(?:{'|'.join(f'(?<={re.escape(closer)})' for closer in _CLOSERS)}))"
"""The start of a line, or of what stands right behind reasoning; compile with MULTILINE."""
FRESH_LABEL = "|".join(FRESH_START + form for form in _FORMS)
"""A label there."""

_INLINE_WORDS = _words(STRONG, kinds=("action", "input"))
_INLINE_ANSWER = _words(STRONG, kinds=("answer",))
INLINE_LABEL = (
    rf"(?:(?<=[\s。．.!！?？;；,，)）}}\]\"'`*])[*_]{{0,2}}(?P<within>{_INLINE_WORDS})"
    rf"|(?:(?<=[.!?][ \t])|(?<=[。！？]))[*_]{{0,2}}(?P<concluding>{_INLINE_ANSWER})){_NUMBER}[*_]{{0,2}}"
    r"[ \t]{0,4}[:：][ \t]{0,8}"
)
"""An action or input label further along a labelled line, an answer label behind a sentence there; compile with IGNORECASE."""
_HEADS = {word[:3] for kind in ("action", "input", "answer") for word in STRONG[kind].split()}
INLINE_HEAD = any_of(_HEADS)
"""What such a label starts with."""
INLINE_HEAD_CUT = rf"{any_of(head[:cut] for head in _HEADS for cut in (1, 2) if cut < len(head))}\Z"
"""The same, cut by the end of the text."""

_CLOSING_WORDS = _words(STRONG, kinds=("observe", "answer", "thought"))
AFTER_VALUE = Marks(rf"[ \t]*[*_]{{0,2}}(?P<word>{_CLOSING_WORDS}){_NUMBER}[*_]{{0,2}}[ \t]*[:：][ \t]*", regex.I)
"""A label directly behind a value, on the same line."""


@functools.lru_cache(maxsize=256)
def kind_of(word: str) -> tuple[LabelKind, bool]:
    """What a label word labels, and whether it does so anywhere."""
    return KINDS[re.sub(r"[\s_]+", "", word).casefold()]


PARTIAL_STOP = re.compile(r"\n[ \t]*(?:O(?:b(?:s(?:e(?:r(?:v(?:a(?:t(?:i(?:on?)?)?)?)?)?)?)?)?)?|观察?|工具结?果?)\s*\Z")
"""What a stop word leaves behind when the server cuts inside it."""
