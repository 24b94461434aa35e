"""Tools as the native API wants them: OpenAI-shaped dicts under names that every server takes.

In: specs.  Out: the `tools` of a request, and `Names`, which maps between a tool's own name and the name on the wire.  A name
that matches `[a-zA-Z0-9_-]{1,64}` goes as it is; any other gets a readable, unique alias, and its description begins with the
real name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from react_agent.messages import Json, ToolSpec

_ALLOWED = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FORBIDDEN = re.compile(r"[^a-zA-Z0-9_-]+")
_ALIAS_CHARS = 56  # leaves room for a number that makes it unique


@dataclass(frozen=True, slots=True)
class Names:
    """The two directions of the mapping; names that are in neither stay as they are."""

    wire: dict[str, str] = field(default_factory=dict)
    tool: dict[str, str] = field(default_factory=dict)

    def to_wire(self, name: str) -> str:
        """The name to send for a tool, or for a name that the model made up: always one that a server takes."""
        return self.wire.get(name) or _readable(name) or "unknown"

    def to_tool(self, name: str) -> str:
        return self.tool.get(name, name)


def wire_names(specs: Sequence[ToolSpec]) -> Names:
    """An alias for each tool; those of valid names equal them."""
    taken = {spec.name for spec in specs if _ALLOWED.fullmatch(spec.name)}
    wire: dict[str, str] = {}
    for number, spec in enumerate(specs, 1):
        alias = spec.name if spec.name in taken else _unique(_readable(spec.name) or f"tool_{number}", taken)
        taken.add(alias)
        wire[spec.name] = alias
    return Names(wire, {alias: name for name, alias in wire.items()})


def wire_tools(specs: Sequence[ToolSpec], names: Names) -> tuple[Json, ...]:
    """The value of `tools` in a request."""
    return tuple(_tool(spec, names.to_wire(spec.name)) for spec in specs)


def _tool(spec: ToolSpec, alias: str) -> Json:
    description = spec.description if alias == spec.name else f"{spec.name}: {spec.description}"
    parameters = spec.parameters or {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": alias, "description": description, "parameters": parameters}}


def _readable(name: str) -> str:
    return _FORBIDDEN.sub("_", name).strip("_")[:_ALIAS_CHARS]


def _unique(alias: str, taken: set[str]) -> str:
    if alias not in taken:
        return alias
    number = 2
    while f"{alias}_{number}" in taken:
        number += 1
    return f"{alias}_{number}"
