"""ReAct tool use for language models that lack reliable native function calling.

    from react_agent import Agent, tool

    @tool
    def get_weather(city: str) -> str:
        \"\"\"The weather of a city, when the user asks for it.\"\"\"
        return "sunny, 24 °C"

    print(Agent("qwen3:8b", [get_weather], base_url="http://127.0.0.1:11434/v1").run("Is it warm in Oslo?").answer)

`Agent` runs tasks, `tool` makes tools, `parse` and `Parser` read what a model wrote, `repair` mends JSON.  Names are loaded
on first use, so importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import Agent as Agent
    from .archive import Recall as Recall
    from .archive import Recollection as Recollection
    from .archive import load_conversation as load_conversation
    from .archive import save_conversation as save_conversation
    from .driving.ports import Model as Model
    from .engine.limits import Limits as Limits
    from .engine.limits import Price as Price
    from .errors import MissingExtraError as MissingExtraError
    from .errors import ModelError as ModelError
    from .errors import ReactAgentError as ReactAgentError
    from .errors import SchemaError as SchemaError
    from .errors import ToolDefinitionError as ToolDefinitionError
    from .errors import Transient as Transient
    from .errors import UsageError as UsageError
    from .errors import WeightsError as WeightsError
    from .events import AnswerDelta as AnswerDelta
    from .events import Approve as Approve
    from .events import ArgumentsDelta as ArgumentsDelta
    from .events import AskModel as AskModel
    from .events import CallFinished as CallFinished
    from .events import CallRejected as CallRejected
    from .events import CallStarted as CallStarted
    from .events import CallTools as CallTools
    from .events import Corrected as Corrected
    from .events import Event as Event
    from .events import GuardTripped as GuardTripped
    from .events import HistoryShortened as HistoryShortened
    from .events import ModeChanged as ModeChanged
    from .events import ModelChunk as ModelChunk
    from .events import ModelFailure as ModelFailure
    from .events import ModelRequest as ModelRequest
    from .events import MoreFromModel as MoreFromModel
    from .events import ReplyFinished as ReplyFinished
    from .events import ReplyRestarted as ReplyRestarted
    from .events import RetryWaiting as RetryWaiting
    from .events import RunFinished as RunFinished
    from .events import RunStarted as RunStarted
    from .events import StepStarted as StepStarted
    from .events import StopModel as StopModel
    from .events import TextDelta as TextDelta
    from .events import ThoughtDelta as ThoughtDelta
    from .events import ToolCallDelta as ToolCallDelta
    from .events import ToolFinished as ToolFinished
    from .events import ToolStarted as ToolStarted
    from .messages import Approval as Approval
    from .messages import Call as Call
    from .messages import Conversation as Conversation
    from .messages import Fix as Fix
    from .messages import Message as Message
    from .messages import Outcome as Outcome
    from .messages import Parsed as Parsed
    from .messages import Rejected as Rejected
    from .messages import Result as Result
    from .messages import RunResult as RunResult
    from .messages import Step as Step
    from .messages import ToolSpec as ToolSpec
    from .messages import Usage as Usage
    from .models.local import LocalModel as LocalModel
    from .models.openai import OpenAIModel as OpenAIModel
    from .models.recording import Recorder as Recorder
    from .models.replaying import ReplayModel as ReplayModel
    from .models.scripted import ScriptedModel as ScriptedModel
    from .parsing import Parser as Parser
    from .parsing import parse as parse
    from .repair import Repaired as Repaired
    from .repair import repair as repair
    from .tools import Rules as Rules
    from .tools import RunContext as RunContext
    from .tools import Tool as Tool
    from .tools import Toolbox as Toolbox
    from .tools import tool as tool

_HOMES = {
    ".agent": ("Agent",),
    ".archive": ("Recall", "Recollection", "load_conversation", "save_conversation"),
    ".driving.ports": ("Model",),
    ".engine.limits": ("Limits", "Price"),
    ".errors": (
        "MissingExtraError",
        "ModelError",
        "ReactAgentError",
        "SchemaError",
        "ToolDefinitionError",
        "Transient",
        "UsageError",
        "WeightsError",
    ),
    ".events": (
        "AnswerDelta",
        "ArgumentsDelta",
        "Approve",
        "AskModel",
        "CallFinished",
        "CallRejected",
        "CallStarted",
        "CallTools",
        "Corrected",
        "Event",
        "GuardTripped",
        "HistoryShortened",
        "ModeChanged",
        "ModelChunk",
        "ModelFailure",
        "ModelRequest",
        "MoreFromModel",
        "ReplyFinished",
        "ReplyRestarted",
        "RetryWaiting",
        "RunFinished",
        "RunStarted",
        "StepStarted",
        "StopModel",
        "TextDelta",
        "ThoughtDelta",
        "ToolCallDelta",
        "ToolFinished",
        "ToolStarted",
    ),
    ".messages": (
        "Approval",
        "Call",
        "Conversation",
        "Fix",
        "Message",
        "Outcome",
        "Parsed",
        "Rejected",
        "Result",
        "RunResult",
        "Step",
        "ToolSpec",
        "Usage",
    ),
    ".models.local": ("LocalModel",),
    ".models.openai": ("OpenAIModel",),
    ".models.recording": ("Recorder",),
    ".models.replaying": ("ReplayModel",),
    ".models.scripted": ("ScriptedModel",),
    ".parsing": ("Parser", "parse"),
    ".repair": ("Repaired", "repair"),
    ".tools": ("Rules", "RunContext", "Tool", "Toolbox", "tool"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [*_HOME_OF, "__version__"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("react-agent")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name], __name__), name)
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
