"""A request as the proxy understands it, whichever API it came through.

In: what the readers of the APIs (`chat`, `anthropic`, `responses`) found.  Out: `Asked`, a frozen value, and `Told`, what is to
be answered.  Everything between the two, above all `turns`, knows nothing of wire formats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from react_agent.errors import UsageError
from react_agent.events import Event, ModelFailure
from react_agent.messages import Call, Fix, Json, Message, Mode, ToolSpec, Usage
from react_agent.schema import clean

from .refusal import Refusal

Choice = Literal["auto", "none", "required"]
Finish = Literal["stop", "length", "tool_calls", "content_filter"]

MAX_TOOLS = 512
MAX_NAME = 128


@dataclass(frozen=True, slots=True)
class Asked:
    """One request.

    `instructions` are the system texts before the first message.  `schema` is what the answer must be, as JSON Schema; None
    where it may be any text.  `parallel`: several calls may be made at once.  `extra` are fields for the upstream that nobody
    here has a use for; they travel on.  `seen` are the messages on the wire, where they hold images and there are no
    tools: then `history` is what they say without these.
    """

    model: str
    history: tuple[Message, ...]
    instructions: str = ""
    tools: tuple[ToolSpec, ...] = ()
    choice: Choice = "auto"
    parallel: bool = True
    schema: Json | None = None
    stop: tuple[str, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    count: int = 1
    stream: bool = False
    extra: Json = field(default_factory=dict)
    seen: tuple[Json, ...] = ()

    @property
    def task(self) -> str:
        """What the user said last."""
        return next((message.content for message in reversed(self.history) if message.role == "user"), "")


@dataclass(frozen=True, slots=True)
class Told(Event):
    """The end of an answer.

    `text` and `calls` are the whole of it; what was shown before by deltas is in them.  `note` says why a call that was tried
    is not there, `failure` is set when there is no answer.  `tries` counts the requests to the model.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish: Finish = "stop"
    usage: Usage = Usage()
    mode: Mode = "text"
    dialect: str = ""
    fixes: tuple[Fix, ...] = ()
    tries: int = 1
    note: str = ""
    failure: ModelFailure | None = None


def declared(name: str, description: str, parameters: Mapping[str, Any], where: str) -> ToolSpec:
    """A tool that a request declares.

    Raises:
        Refusal: the name or the schema cannot be used.
    """
    if not name.strip() or not name.isprintable() or len(name) > MAX_NAME:
        raise Refusal(f"'{where}' needs a name of 1 to {MAX_NAME} printable characters", param=where)
    try:
        return _spec(name, description, json.dumps(parameters))
    except (UsageError, ValueError, RecursionError) as error:
        raise Refusal(f"'{where}': the schema of {name} cannot be used: {error}", param=where) from None


@lru_cache(maxsize=1024)
def _spec(name: str, description: str, parameters: str) -> ToolSpec:
    """Agents send the same tools with every request; cleaning a schema costs more than reading one."""
    return ToolSpec(name, description.strip(), clean(json.loads(parameters)))


def distinct(tools: list[ToolSpec]) -> tuple[ToolSpec, ...]:
    """The tools, each name once.

    Raises:
        Refusal: two have one name, or there are too many.
    """
    if len(tools) > MAX_TOOLS:
        raise Refusal(f"'tools' may hold at most {MAX_TOOLS} tools, but {len(tools)} came", param="tools")
    names = [tool.name for tool in tools]
    twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise Refusal(f"two tools are named {twice!r}", param="tools")
    return tuple(tools)


def only(tools: tuple[ToolSpec, ...], name: str) -> tuple[ToolSpec, ...]:
    """The one tool that must be called.

    Raises:
        Refusal: there is no such tool.
    """
    chosen = tuple(tool for tool in tools if tool.name == name)
    if not chosen:
        raise Refusal(f"'tool_choice' names {name!r:.80}, which is not in 'tools'", param="tool_choice")
    return chosen
