"""LangChain's chat dialect: one JSON blob, the action named by `action`.

{"action": "get_weather", "action_input": {"city": "Oslo"}}
{"action": "Final Answer", "action_input": "It snows in Oslo."}
"""

from __future__ import annotations

from react_agent.messages import Call

from .dialect import Dialect
from .writing import compact, label


def thought(text: str, lang: str) -> str:
    return f"{label('思考', 'Thought', lang)}{text}\n"


def call(call: Call, lang: str) -> str:
    return f"```json\n{compact({'action': call.name, 'action_input': call.arguments})}\n```"


def many(calls: list[Call], lang: str) -> str:
    blobs = [{"action": call.name, "action_input": call.arguments} for call in calls]
    return f"```json\n{compact(blobs)}\n```"


def answer(text: str, lang: str) -> str:
    return f"```json\n{compact({'action': 'Final Answer', 'action_input': text})}\n```"


DIALECT = Dialect("action_json", call=call, many=many, answer=answer, thought=thought)
