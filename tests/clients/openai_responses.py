"""openai-python, responses."""

from __future__ import annotations

from typing import Any

from openai import OpenAI

from .task import FUNCTIONS, TASK, TURNS, run


def answer(url: str, model: str, stream: bool) -> str:
    with OpenAI(base_url=url, api_key="any", max_retries=0) as client:
        return _answer(client, model, stream)


def _answer(client: OpenAI, model: str, stream: bool) -> str:
    items: list[Any] = [{"role": "user", "content": TASK}]
    tools = [{"type": "function", "strict": True, **function} for function in FUNCTIONS]
    for _ in range(TURNS):
        asked: Any = {"model": model, "input": items, "tools": tools, "temperature": 0}
        if stream:
            with client.responses.stream(**asked) as events:
                response: Any = events.until_done().get_final_response()
        else:
            response = client.responses.create(**asked)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return str(response.output_text)
        items += response.output
        items += [
            {"type": "function_call_output", "call_id": call.call_id, "output": run(call.name, call.arguments)}
            for call in calls
        ]
    return ""
