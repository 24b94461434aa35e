"""Hermes tags: Hermes 2 to 4, Qwen 2.5 and 3, QwQ, Granite 4, SmolLM3 and many more.

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Oslo"}}
    </tool_call>

One pair of tags for each call; models also put several objects, a list, or another body into one pair.
"""

from __future__ import annotations

from react_agent.messages import Call

from .dialect import Dialect, Opener
from .writing import compact


def thought(text: str, lang: str) -> str:
    return f"{text}\n"


def call(call: Call, lang: str) -> str:
    return f"<tool_call>\n{compact({'name': call.name, 'arguments': call.arguments})}\n</tool_call>"


def answer(text: str, lang: str) -> str:
    return text


DIALECT = Dialect(
    "hermes",
    openers=(Opener("<tool_call>", "hermes", ("</tool_call>", "</tool_calls>", "<tool_call/>")),),
    call=call,
    answer=answer,
    thought=thought,
)
