"""LangChain's chat dialect: one JSON blob, the action named by `action`.

{"action": "get_weather", "action_input": {"city": "Oslo"}}
{"action": "Final Answer", "action_input": "It snows in Oslo."}
"""

from __future__ import annotations

from collections.abc import Sequence

from react_agent.messages import Call

from .dialect import Dialect
from .writing import fenced, label


def thought(text: str, lang: str) -> str:
    return f"{label('思考', 'Thought', lang)}{text}\n"


def calls(calls: Sequence[Call], lang: str) -> str:
    blobs = [{"action": call.name, "action_input": call.arguments} for call in calls]
    return fenced(blobs if len(blobs) > 1 else blobs[0])


def answer(text: str, lang: str) -> str:
    return fenced({"action": "Final Answer", "action_input": text})


DIALECT = Dialect(
    "action_json",
    "any model under the JSON agents of LangChain, Dify, CrewAI",
    "LangChain, chat agent and JSON agent",
    "the keys `action` and `action_input`",
    calls=calls,
    thought=thought,
    answer=answer,
)
