"""LiteLLM's client."""

from __future__ import annotations

from typing import Any

import litellm

from .task import CHAT_TOOLS, TASK, TURNS, run


def answer(url: str, model: str, stream: bool) -> str:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(TURNS):
        came: Any = litellm.completion(
            f"openai/{model}",
            messages,
            tools=CHAT_TOOLS,
            stream=stream,
            api_base=url,
            api_key="any",
            num_retries=0,
            temperature=0,
        )
        whole: Any = litellm.stream_chunk_builder(list(came)) if stream else came
        message = whole.choices[0].message
        if not message.tool_calls:
            return message.content or ""
        messages.append(message.model_dump())
        for call in message.tool_calls:
            said = run(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": said})
    return ""
