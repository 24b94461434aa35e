"""What the engine must know of the tools besides their schemas: which may not repeat, which give the answer themselves.

In: tools with their flags.  Out: `Traits`.  A second mail is worse than a second look: so a tool that declares nothing, but is
named after an act (`naming`), is not called twice with the same arguments.  Declared flags always win over the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from react_agent.tools import Tool
from react_agent.tools.policy import Policy

from .naming import Kind, is_command, named


@dataclass(frozen=True, slots=True)
class Traits:
    """Names of tools: `once` must not run twice with the same arguments, the result of `answering` ones is the answer.
    `repeatable` ones may always run again; of `writing` ones it is no standstill when they all say «saved».  `looking` ones may
    be called again when they failed for the moment.  A command may run again after something else (tests after each change), so
    `commands` of the `once` tools are only not repeated in a row.

    `max_calls` says of tools how often they may run in one run.  `dangerous` ones want the user's word, `acting` ones do
    something in the world, `pure` ones do nothing at all.  `policy` is the user's.
    """

    once: frozenset[str] = frozenset()
    answering: frozenset[str] = frozenset()
    max_calls: Mapping[str, int] = field(default_factory=dict)
    dangerous: frozenset[str] = frozenset()
    acting: frozenset[str] = frozenset()
    pure: frozenset[str] = frozenset()
    policy: Policy | None = None
    repeatable: frozenset[str] = frozenset()
    writing: frozenset[str] = frozenset()
    looking: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()


def traits(tools: Iterable[Tool], policy: Policy | None = None) -> Traits:
    """The traits of a set of tools."""
    tools = tuple(tools)
    return Traits(
        frozenset(tool.name for tool in tools if _only_once(tool)),
        frozenset(tool.name for tool in tools if tool.returns_answer),
        {tool.name: tool.max_calls for tool in tools if tool.max_calls is not None},
        frozenset(tool.name for tool in tools if tool.dangerous),
        frozenset(tool.name for tool in tools if not tool.pure and _acts(tool)),
        frozenset(tool.name for tool in tools if tool.pure and not tool.dangerous),
        policy,
        frozenset(tool.name for tool in tools if tool.repeatable),
        frozenset(tool.name for tool in tools if not tool.pure and (tool.dangerous or _kind(tool) in ("writes", "acts"))),
        frozenset(tool.name for tool in tools if _looks(tool)),
        frozenset(tool.name for tool in tools if not (tool.pure or tool.dangerous) and is_command(tool.name)),
    )


def _only_once(tool: Tool) -> bool:
    if tool.repeatable:
        return False
    return tool.pure or tool.dangerous or _acts(tool)


def _looks(tool: Tool) -> bool:
    return not tool.dangerous and (tool.pure or tool.repeatable or _kind(tool) == "looks")


def _acts(tool: Tool) -> bool:
    return _kind(tool) == "acts"


def _kind(tool: Tool) -> Kind:
    return named(tool.name, tool.spec.description).kind
