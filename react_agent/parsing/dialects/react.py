"""Classic ReAct: labels at the start of a line, in English or Chinese, and the forms that the action takes.

    Thought: I need the weather.            思考：要先知道气温。
    Action: get_weather                     行动：get_weather
    Action Input: {"city": "Oslo"}          行动输入：{"city": "北京"}
    Observation: …                          观察：…
    Final Answer: It snows.                 最终答案：晴。

    **Action:** get_weather                 as markdown
    Action: get_weather[Oslo]               the input in brackets: raw text for the only argument
    Action: get_weather(city="Oslo")        as a Python call
    Action: ```json [{"tool_name": …}] ```  Command-R
    **Tool Call:** ```json {"name": …} ```  RWKV

Spellings of the labels, bold, headings and full-width colons are the business of `parsing.labels`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from react_agent.messages import Call

from .dialect import Calls, Dialect, Text
from .writing import NAME_ARGUMENTS, compact, each, fenced, keyed, label, only_argument, python

_BARE_INPUT = re.compile(r"[^\W_]+(?:[ \-][^\W_]+)*")
"""Text that nothing but itself can be meant by: anything else goes in quotes."""


def _labelled(zh: str, en: str, write: Callable[[Call], str]) -> Calls:
    return lambda calls, lang: "\n".join(label(zh, en, lang) + write(call) for call in calls)


def calls(calls: Sequence[Call], lang: str) -> str:
    action, given = label("行动", "Action", lang), label("行动输入", "Action Input", lang)
    return "\n".join(f"{action}{call.name}\n{given}{compact(call.arguments)}" for call in calls)


def thought(text: str, lang: str) -> str:
    return f"{label('思考', 'Thought', lang)}{text}\n"


def answer(text: str, lang: str) -> str:
    return f"{label('最终答案', 'Final Answer', lang)}{text}"


def _in(lang: str, write: Text) -> Text:
    """A thought or an answer in one language, whatever is asked for."""
    return lambda text, _: write(text, lang)


def _bold(word: str) -> Text:
    return lambda text, lang: f"**{word}:** {text}\n"


def _bracketed(call: Call) -> str:
    value = only_argument(call, "`f[x]`")
    text = value if isinstance(value, str) and _BARE_INPUT.fullmatch(value) else compact(value)
    return f"{call.name}[{text if call.arguments else ''}]"


_COHERE = keyed("tool_name", "parameters")

REACT = Dialect(
    "react",
    "the prompt of this project for classic ReAct",
    "prompts/en/format, prompts/zh/format",
    "`react_en` or `react_zh`, by the language of the run",
    calls=calls,
    thought=thought,
    answer=answer,
    reported="react_en",
)
REACT_EN = Dialect(
    "react_en",
    "every instruct model under a ReAct prompt",
    "LangChain, zero-shot ReAct agent; Qwen-Agent ReActChat",
    "English labels at line starts",
    calls=lambda calls_, lang: calls(calls_, "en"),
    thought=_in("en", thought),
    answer=_in("en", answer),
)
REACT_ZH = Dialect(
    "react_zh",
    "Qwen, GLM, Baichuan, Yi under Chinese ReAct prompts",
    "Chinese ReAct prompts, such as those of hello-agents",
    "Chinese labels at line starts",
    calls=lambda calls_, lang: calls(calls_, "zh"),
    thought=_in("zh", thought),
    answer=_in("zh", answer),
)
REACT_MD = Dialect(
    "react_md",
    "chat models that like markdown, under a ReAct prompt",
    "what chat models make of a ReAct prompt",
    "labels in bold, as headings or as list items",
    calls=each(lambda call: f"**Action:** {call.name}\n**Action Input:** {compact(call.arguments)}"),
    thought=_bold("Thought"),
    answer=_bold("Final Answer"),
)
REACT_BRACKET = Dialect(
    "react_bracket",
    "the original ReAct prompts, DSPy 2.4",
    "the ReAct paper's prompts",
    "square brackets behind the name on the action line",
    calls=lambda calls_, lang: "\n".join(f"Action {n}: {_bracketed(call)}" for n, call in enumerate(calls_, 1)),
    thought=lambda text, lang: f"Thought 1: {text}\n",
    answer=lambda text, lang: f"Action 1: Finish[{text}]",
)
REACT_CALL = Dialect(
    "react_call",
    "home-made agents, LlamaIndex-like prompts",
    "run-llama/llama_index#12455",
    "round brackets behind the name on the action line",
    calls=_labelled("Action", "Action", python),
    thought=_in("en", thought),
    answer=_in("en", answer),
)
COHERE_R = Dialect(
    "cohere_r",
    "Command-R, Command-R+",
    "chat template, tool-use prompt",
    "a fenced list with `tool_name` behind an action label",
    calls=lambda calls_, lang: "Action: " + fenced([_COHERE(call) for call in calls_]),
)
RWKV = Dialect(
    "rwkv",
    "RWKV-7",
    "vLLM, RWKV tool parser",
    "a fence behind the label Tool Call",
    calls=each(lambda call: "**Tool Call:**\n" + fenced(NAME_ARGUMENTS(call))),
)

REACT_FAMILY = (REACT, REACT_EN, REACT_ZH, REACT_MD, REACT_BRACKET, REACT_CALL, COHERE_R, RWKV)
