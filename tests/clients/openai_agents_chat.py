"""openai-agents over chat completions."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from .task import TASK, TURNS, price_of, stock_of


def answer(url: str, model: str, stream: bool) -> str:
    return asyncio.run(ask(OpenAIChatCompletionsModel, url, model, stream))


async def ask(api: Any, url: str, model: str, stream: bool) -> str:
    """The answer over one of the two APIs, named by its class of models."""
    set_tracing_disabled(True)
    chat = api(model, AsyncOpenAI(base_url=url, api_key="any", max_retries=0))
    agent = Agent(
        "Clerk",
        model=chat,
        tools=[function_tool(price_of), function_tool(stock_of)],
        model_settings=ModelSettings(temperature=0),
    )
    if not stream:
        return str((await Runner.run(agent, TASK, max_turns=TURNS)).final_output)
    result = Runner.run_streamed(agent, TASK, max_turns=TURNS)
    async for _ in result.stream_events():
        pass
    return str(result.final_output)
