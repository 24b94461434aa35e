"""Classic ReAct: labels at the start of a line, in English or Chinese.

    Thought: I need the weather.            思考：要先知道气温。
    Action: get_weather                     行动：get_weather
    Action Input: {"city": "Oslo"}          行动输入：{"city": "北京"}
    Observation: …                          观察：…
    Final Answer: It snows.                 最终答案：晴。

Spellings of the labels, bold, headings and full-width colons are the business of `parsing.labels`.
"""

from __future__ import annotations

from react_agent.messages import Call

from .dialect import Dialect
from .writing import compact, label


def thought(text: str, lang: str) -> str:
    return f"{label('思考', 'Thought', lang)}{text}\n"


def call(call: Call, lang: str) -> str:
    name = f"{label('行动', 'Action', lang)}{call.name}"
    return f"{name}\n{label('行动输入', 'Action Input', lang)}{compact(call.arguments)}"


def answer(text: str, lang: str) -> str:
    return f"{label('最终答案', 'Final Answer', lang)}{text}"


DIALECT = Dialect("react", call=call, answer=answer, thought=thought)
