"""What can be known of one model at one address, as a frozen record.

In: nothing.  Out: `Facts`, where None means «not known».  A fact says what answers taught: what is refused is left out or
written otherwise by `fitting`, and how a refusal is recognised stands in `lessons`.  Where facts are kept is for `capability`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from react_agent.driving.ports import ModeChoice
from react_agent.expected import check, one_of
from react_agent.messages import Mode, Value

Tools = Literal["works", "refused", "ignored"]
TokenLimit = Literal["max_tokens", "max_completion_tokens", "none"]
EmptyContent = Literal["null", "filled"]

NO_NATIVE: tuple[Tools, ...] = ("refused", "ignored")


@dataclass(frozen=True, slots=True)
class Facts(Value):
    """What is known of one model at one address; booleans say whether a thing is accepted.

    `tools`: native function calling works, is refused by the server, or is taken and ignored (calls come as text, or never).
    `stop`, `max_stops`: stop words, and how many.  `stop_spares_thinking`: they do not end a reply inside its reasoning; False
    where they do, and are then not sent.  `system_role`: a system message.  `free_roles`: False where the roles user
    and assistant must alternate.  `tool_role`: tool calls and their results as such in the history.  `long_ids`: False where
    ids of calls must be nine letters and digits.  `empty_content`: what stands for the text of a message without any, where ""
    is refused.  `stream`: answers in pieces; `stream_tools`: also to requests with tools.  `grammar` … `json_schema`: ways to
    hold replies to a form; False also where one is taken and not heeded.  `options`: False where only model, messages, tools
    and stream are taken.  `token_limit`: the name of the field for the length of a reply.  `thinking_switch`: the field that
    switches thinking.
    `reasoning`: the field reasoning comes in.  `replay_reasoning`: True where reasoning must be sent back beside calls.
    `assistant_prefix`: the server goes on with a last message of the assistant.  `tokenize`: the server counts tokens.
    `context`: the window in tokens.  `server`: the name of its profile in `vendors`.  `mode`, `dialect`: what a probe has
    recommended.
    """

    tools: Tools | None = None
    tool_choice: bool | None = None
    parallel_tool_calls: bool | None = None
    stop: bool | None = None
    max_stops: int | None = None
    stop_spares_thinking: bool | None = None
    system_role: bool | None = None
    free_roles: bool | None = None
    tool_role: bool | None = None
    long_ids: bool | None = None
    empty_content: EmptyContent | None = None
    grammar: bool | None = None
    structured_outputs: bool | None = None
    guided_grammar: bool | None = None
    ebnf: bool | None = None
    json_schema: bool | None = None
    json_object: bool | None = None
    stream: bool | None = None
    stream_tools: bool | None = None
    stream_usage: bool | None = None
    temperature: bool | None = None
    token_limit: TokenLimit | None = None
    options: bool | None = None
    thinking_switch: bool | None = None
    reasoning: Literal["reasoning_content", "reasoning"] | None = None
    replay_reasoning: bool | None = None
    assistant_prefix: bool | None = None
    tokenize: bool | None = None
    context: int | None = None
    server: str | None = None
    mode: Mode | None = None
    dialect: str | None = None

    @property
    def native(self) -> bool | None:
        """Whether native function calling is of use."""
        return None if self.tools is None else self.tools not in NO_NATIVE

    def known(self) -> dict[str, Any]:
        """The facts that are known, by name."""
        return {name: value for name in NAMES if (value := getattr(self, name)) is not None}

    def over(self, assumed: Facts) -> Facts:
        """These facts, and for what is open those that are assumed."""
        return _over(self, assumed)


@lru_cache(maxsize=256)
def _over(known: Facts, assumed: Facts) -> Facts:
    """A request asks several times, about the same few servers."""
    return dataclasses.replace(assumed, **known.known())


def is_fact(name: str, value: object) -> bool:
    """Whether `value` is one that the fact `name` can have."""
    return name in NAMES and any(_is_of(kind, value) for kind in get_args(_KINDS[name]))


def _is_of(kind: Any, value: object) -> bool:
    if kind is int:
        return type(value) is int and value > 0
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return kind is not NoneType and isinstance(value, kind)


NAMES = tuple(field.name for field in dataclasses.fields(Facts))

_KINDS = get_type_hints(Facts)

Lesson = Mapping[str, Any]
"""New values of facts, by name."""


def start_mode(chosen: ModeChoice, facts: Facts) -> ModeChoice:
    """How the engine shall start: "auto" becomes what a probe recommends, or text where native calls do not work."""
    if chosen == "auto" and facts.mode in ("constrained", "text"):
        return facts.mode
    return "text" if chosen == "auto" and facts.native is False else chosen


def checked_mode(mode: str) -> ModeChoice:
    """The mode, if it is one.

    Raises:
        UsageError: it is none.
    """
    check({"mode": one_of(*get_args(ModeChoice))}, mode=mode)
    return cast(ModeChoice, mode)
