"""A proxy on a real socket in front of a scripted upstream, and what clients send it.

with ScriptedServer([...]) as upstream, proxy(upstream.base_url) as url:
    client(url).chat.completions.create(model="m", messages=ask("hi"), tools=[WEATHER])
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import openai
import uvicorn

from react_agent.serving import Config, Limits, Upstream, create_app
from react_agent.serving.running import KEEP_ALIVE

Json = dict[str, Any]

WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    },
}
TIME: Any = {
    "type": "function",
    "function": {"name": "get_time", "description": "The time in a city.", "parameters": {"type": "object", "properties": {}}},
}
HOTEL: Any = {
    "type": "function",
    "function": {
        "name": "book_hotel",
        "description": "Books a room.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "price": {"type": "number"}},
            "required": ["city", "price"],
        },
    },
}
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": "3"}}\n</tool_call>'
"""A call as a model without native calling writes it; the number is a text, which is repaired."""


def wrapped(name: str, **arguments: Any) -> str:
    """A sound call as a model without native calling writes it."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def ask(text: str = "How is the weather in Oslo?") -> Any:
    return [{"role": "user", "content": text}]


@contextmanager
def proxy(*upstreams: str | Upstream, **more: Any) -> Iterator[str]:
    """The address of a proxy, ending in /v1, while the block lasts; `more` are fields of `Config`."""
    found = tuple(one if isinstance(one, Upstream) else Upstream(one) for one in upstreams)
    limits = more.pop("limits", Limits(retries=0))
    with serving(create_app(Config(found, limits=limits, **more))) as address:
        yield f"{address}/v1"


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The address of an app that is served while the block lasts."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        config = uvicorn.Config(
            app, log_level="warning", lifespan="on", timeout_graceful_shutdown=5, timeout_keep_alive=KEEP_ALIVE
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)


@contextmanager
def client(url: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=url, api_key="any", max_retries=0, timeout=30) as made:
        yield made
