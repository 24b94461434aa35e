"""The house dialect: a thought, then one JSON action.

    思考：要先知道气温。
    行动：{"type": "tool_call", "name": "get_weather", "args": {"city": "北京"}}

    思考：信息够了。
    行动：{"type": "final_answer", "content": "北京今天晴。"}

Several calls are an array.  The labels are read by `parsing.labels`, the objects by `parsing.shapes`.
"""

from __future__ import annotations

from react_agent.messages import Call

from .dialect import Dialect
from .writing import compact, label


def thought(text: str, lang: str) -> str:
    return f"{label('思考', 'Thought', lang)}{text}\n"


def call(call: Call, lang: str) -> str:
    return label("行动", "Action", lang) + compact(_action(call))


def many(calls: list[Call], lang: str) -> str:
    return label("行动", "Action", lang) + compact([_action(call) for call in calls])


def answer(text: str, lang: str) -> str:
    return label("行动", "Action", lang) + compact({"type": "final_answer", "content": text})


def _action(call: Call) -> dict[str, object]:
    return {"type": "tool_call", "name": call.name, "args": call.arguments}


DIALECT = Dialect("zh_json_steps", call=call, many=many, answer=answer, thought=thought)
