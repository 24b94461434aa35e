"""openai-agents over responses."""

from __future__ import annotations

import asyncio

from agents import OpenAIResponsesModel

from .openai_agents_chat import ask


def answer(url: str, model: str, stream: bool) -> str:
    return asyncio.run(ask(OpenAIResponsesModel, url, model, stream))
