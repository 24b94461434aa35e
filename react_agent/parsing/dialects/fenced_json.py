"""JSON in a code fence: all that Qwen2.5-Coder writes when it is offered tools, and common with Llama and Gemma.

```json
{"name": "get_weather", "arguments": {"city": "Oslo"}}
```
"""

from __future__ import annotations

from react_agent.messages import Call

from .dialect import Dialect
from .writing import compact


def thought(text: str, lang: str) -> str:
    return f"{text}\n"


def call(call: Call, lang: str) -> str:
    return f"```json\n{compact({'name': call.name, 'arguments': call.arguments})}\n```"


def answer(text: str, lang: str) -> str:
    return text


DIALECT = Dialect("fenced_json", call=call, answer=answer, thought=thought)
