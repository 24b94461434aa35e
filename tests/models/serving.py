"""Models at a scripted server, which know nothing yet and try nothing again."""

from __future__ import annotations

from typing import Any

from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from tests.support.server import ScriptedServer


def model_at(server: ScriptedServer, **options: Any) -> OpenAIModel:
    settings = {"model": "m", "max_retries": 0, "capabilities": Capabilities(), **options}
    return OpenAIModel(base_url=server.base_url, **settings)
