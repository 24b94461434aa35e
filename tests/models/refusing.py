"""Requests that hold all that servers refuse, and servers that refuse it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from react_agent.events import ModelRequest
from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.models.asking import ADD
from tests.support.server import Fail, ScriptedServer

CALL: Json = {"id": "call_2_0", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}}


MESSAGES: tuple[Json, ...] = (
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "1 + 1?"},
    {"role": "assistant", "content": "I add.", "tool_calls": [CALL], "reasoning_content": "add them"},
    {"role": "tool", "tool_call_id": "call_2_0", "content": "2"},
    {"role": "user", "content": "Is that"},
    {"role": "user", "content": "so?"},
)


FORMAT: Json = {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}}


REQUEST = ModelRequest(
    MESSAGES,
    tools=(ADD,),
    tool_choice="auto",
    stop=("A", "B", "C", "D", "E"),
    max_tokens=2048,
    extra_body={"parallel_tool_calls": False, "response_format": FORMAT, "enable_thinking": False},
)


Refuses = Callable[[Json], bool]


def has(field: str) -> Refuses:
    return lambda body: field in body


def role(name: str) -> Refuses:
    return lambda body: name in roles(body)


def roles(body: Json) -> list[str]:
    return [message["role"] for message in body["messages"]]


def unanswered(body: Json) -> bool:
    return any(message["role"] == "assistant" and "reasoning_content" not in message for message in body["messages"])


def picky(status: int, says: str | Json, refuses: Refuses) -> Callable[[Json], Any]:
    return lambda body: Fail(status, says) if refuses(body) else "ok"


def model_at(server: ScriptedServer, notes: Capabilities | None = None) -> OpenAIModel:
    notes = Capabilities() if notes is None else notes
    return OpenAIModel("m", base_url=server.base_url, max_retries=0, capabilities=notes)
