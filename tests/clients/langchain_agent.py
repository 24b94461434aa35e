"""LangChain, `create_agent`."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessageChunk
from langchain_openai import ChatOpenAI

from .task import TASK, TURNS, price_of, stock_of


def answer(url: str, model: str, stream: bool) -> str:
    chat: Any = ChatOpenAI(model=model, base_url=url, api_key="any", max_retries=0, temperature=0, streaming=stream)
    agent: Any = create_agent(chat, [price_of, stock_of])
    asked, limit = {"messages": [{"role": "user", "content": TASK}]}, {"recursion_limit": 2 * TURNS}
    if not stream:
        return str(agent.invoke(asked, limit)["messages"][-1].text)
    said = ""
    for chunk, _ in agent.stream(asked, limit, stream_mode="messages"):
        said = said + chunk.text if isinstance(chunk, AIMessageChunk) else ""  # what stands before a result is no answer
    return said
