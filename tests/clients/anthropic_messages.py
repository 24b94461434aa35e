"""anthropic-python."""

from __future__ import annotations

from typing import Any

from anthropic import Anthropic

from .task import FUNCTIONS, TASK, TURNS, run

TOOLS: Any = [{"name": one["name"], "description": one["description"], "input_schema": one["parameters"]} for one in FUNCTIONS]


def answer(url: str, model: str, stream: bool) -> str:
    with Anthropic(base_url=url.removesuffix("/v1"), api_key="any", max_retries=0) as client:
        return _answer(client, model, stream)


def _answer(client: Anthropic, model: str, stream: bool) -> str:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(TURNS):
        asked: Any = {"model": model, "max_tokens": 500, "messages": messages, "tools": TOOLS, "extra_body": {"temperature": 0}}
        if stream:
            with client.messages.stream(**asked) as events:
                message = events.get_final_message()
        else:
            message = client.messages.create(**asked)
        uses = [block for block in message.content if block.type == "tool_use"]
        if not uses:
            return "".join(block.text for block in message.content if block.type == "text")
        results = [{"type": "tool_result", "tool_use_id": use.id, "content": run(use.name, use.input)} for use in uses]
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
    return ""
