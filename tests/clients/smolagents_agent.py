"""smolagents, `ToolCallingAgent`."""

from __future__ import annotations

from smolagents import OpenAIModel, ToolCallingAgent, tool

from .task import TASK, TURNS, price_of, stock_of


def answer(url: str, model: str, stream: bool) -> str:
    chat = OpenAIModel(model, api_base=url, api_key="any", client_kwargs={"max_retries": 0}, temperature=0)
    agent = ToolCallingAgent([tool(price_of), tool(stock_of)], chat, stream_outputs=stream, max_steps=TURNS, verbosity_level=0)
    return str(agent.run(TASK))
