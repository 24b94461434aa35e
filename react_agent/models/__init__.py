"""Models: what sits behind `react_agent.driving.ports.Model`.

OpenAIModel     any OpenAI-compatible address
LocalModel      llama.cpp in this process (extra `local`)
ScriptedModel   replies from a script, for tests
ReplayModel     a recorded run again; Recorder writes the record
weights         which local weights there are, and how to get them
capability      what servers turned out to do, per address and model
"""

from typing import TYPE_CHECKING, Any

from .openai import OpenAIModel
from .recording import Recorder
from .replaying import ReplayModel
from .scripted import ScriptedModel

if TYPE_CHECKING:
    from .local import LocalModel

__all__ = ["LocalModel", "OpenAIModel", "Recorder", "ReplayModel", "ScriptedModel"]


def __getattr__(name: str) -> Any:
    """`LocalModel` is loaded when it is asked for: few programs need it, and it doubles the time of the import."""
    if name == "LocalModel":
        from .local import LocalModel

        return LocalModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
