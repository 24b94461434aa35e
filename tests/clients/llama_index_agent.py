"""LlamaIndex, `FunctionAgent`."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike

from .task import TASK, price_of, stock_of


def answer(url: str, model: str, stream: bool) -> str:
    chat = OpenAILike(
        model=model,
        api_base=url,
        api_key="any",
        max_retries=0,
        temperature=0,
        is_chat_model=True,
        is_function_calling_model=True,
    )
    agent = FunctionAgent(tools=[price_of, stock_of], llm=chat, streaming=stream)

    async def ask() -> Any:
        return await agent.run(TASK)

    return str(asyncio.run(ask()))
