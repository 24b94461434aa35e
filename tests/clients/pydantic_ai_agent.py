"""pydantic-ai."""

from __future__ import annotations

import asyncio

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from .task import TASK, price_of, stock_of


def answer(url: str, model: str, stream: bool) -> str:
    chat = OpenAIChatModel(model, provider=OpenAIProvider(base_url=url, api_key="any"))
    agent = Agent(chat, tools=[price_of, stock_of], model_settings={"temperature": 0})

    async def streamed() -> str:
        async with agent.run_stream(TASK) as result:
            return await result.get_output()

    return asyncio.run(streamed()) if stream else agent.run_sync(TASK).output
