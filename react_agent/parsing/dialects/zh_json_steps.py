"""The house dialect: a thought, then one JSON action.

    思考：要先知道气温。
    行动：{"type": "tool_call", "name": "get_weather", "args": {"city": "北京"}}

    思考：信息够了。
    行动：{"type": "final_answer", "content": "北京今天晴。"}

Several calls are an array.  The labels are read by `parsing.labels`, the objects by `parsing.shapes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from react_agent.messages import Call

from .dialect import Dialect
from .writing import compact, label


def thought(text: str, lang: str) -> str:
    return f"{label('思考', 'Thought', lang)}{text}\n"


def calls(calls: Sequence[Call], lang: str) -> str:
    actions = [{"type": "tool_call", "name": call.name, "args": call.arguments} for call in calls]
    return label("行动", "Action", lang) + compact(actions if len(actions) > 1 else actions[0])


def answer(text: str, lang: str) -> str:
    return label("行动", "Action", lang) + compact({"type": "final_answer", "content": text})


DIALECT = Dialect(
    "zh_json_steps",
    "the default prompt of this project; Qwen, GLM and DeepSeek obey it",
    "prompts/zh/format",
    "an object with `type`, `name` and `args`, in whatever language the labels are",
    calls=calls,
    thought=thought,
    answer=answer,
)
