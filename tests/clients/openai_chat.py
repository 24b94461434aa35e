"""openai-python, chat completions."""

from __future__ import annotations

from typing import Any

from openai import OpenAI

from .task import CHAT_TOOLS, TASK, TURNS, run


def answer(url: str, model: str, stream: bool) -> str:
    with OpenAI(base_url=url, api_key="any", max_retries=0) as client:
        return _answer(client, model, stream)


def _answer(client: OpenAI, model: str, stream: bool) -> str:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(TURNS):
        asked: Any = {"model": model, "messages": messages, "tools": CHAT_TOOLS, "temperature": 0}
        if stream:
            with client.chat.completions.stream(**asked) as events:
                message = events.until_done().get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(**asked).choices[0].message
        if not message.tool_calls:
            return message.content or ""
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in message.tool_calls:
            said = run(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": said})
    return ""
