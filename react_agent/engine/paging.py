"""Results that were cut can be read on: a tool of the engine's own, offered from the first time that something was cut.

In: results as the toolbox gives them, with what was left out.  Out: results whose note names a handle, and the pages of it.
No I/O: what was left out is in the state of the run.  A tool of the user's that has the same name keeps it; then nothing is
offered.
"""

from __future__ import annotations

from dataclasses import replace

from react_agent.messages import Call, Result, ToolSpec
from react_agent.parsing.names import ToolNames
from react_agent.prompting.notes import left_out

from .state import State

READ_MORE = ToolSpec(
    "read_more",
    "Shows a page of what was left out of a long observation.",
    {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "As named where something was left out."},
            "page": {"type": "integer", "minimum": 1},
        },
        "required": ["id", "page"],
        "additionalProperties": False,
    },
)
MAX_KEPT = 4_000_000
"""Characters kept of all results of a run together; the oldest go first."""


def with_handle(state: State, result: Result) -> Result:
    """The result whose note on what was left out says how to read it."""
    if not result.rest or any(spec.name == READ_MORE.name for spec in state.prompt.specs):
        return result
    if not state.extra:
        state.extra = (READ_MORE,)
        state.tools = ToolNames((*state.prompt.specs, READ_MORE))
    state.cuts += 1
    handle, size = f"r{state.cuts}", len(result.content)
    state.pages[handle] = tuple(result.rest[at : at + size] for at in range(0, len(result.rest), size))
    _forget_oldest(state)
    begin, end = result.gap
    note = left_out(state.prompt.lang, len(result.rest), handle, len(state.pages[handle]))
    return replace(result, content=result.content[:begin] + note + result.content[end:], gap=(begin, begin + len(note)))


def is_own(state: State, call: Call) -> bool:
    """Whether the engine answers a call itself."""
    return any(spec.name == call.name for spec in state.extra)


def page(state: State, call: Call) -> Result:
    """The page that a call of `READ_MORE` asks for."""
    handle, number = str(call.arguments["id"]), int(call.arguments["page"])
    pages = state.pages.get(handle, ())
    if not 1 <= number <= len(pages):
        known = ", ".join(f"{name} (1 to {len(each)})" for name, each in state.pages.items())
        return Result(call.id, call.name, f"Error: there is no such page; there are: {known}", "error")
    return Result(call.id, call.name, pages[number - 1])


def _forget_oldest(state: State) -> None:
    while len(state.pages) > 1 and sum(len(text) for each in state.pages.values() for text in each) > MAX_KEPT:
        del state.pages[next(iter(state.pages))]
