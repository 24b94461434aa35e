"""Which calls of a reply may run, and why the others may not.

In: the state and the reply.  Out: the calls to run, in order, and a slip for each of the others, by the id of the call.  The
judges are asked one after the other; the first that objects is told to the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from react_agent.messages import Call

from .grounding import ungrounded
from .guards import Slip, may_run, same_call, used_up
from .paging import is_own
from .reply import Reply
from .state import State


@dataclass(slots=True)
class Permission:
    """`allowed` calls are to be run; `refused` says by id why others are not."""

    allowed: list[Call] = field(default_factory=list)
    refused: dict[str, Slip] = field(default_factory=dict)


def permission(state: State, reply: Reply) -> Permission:
    """The verdict on the calls of a reply."""
    given = Permission()
    for call in reply.parsed.calls:
        slip = _repeated(state, call, given.allowed) or _used_up(state, call, given.allowed)
        if slip is None:
            given.allowed.append(call)
        else:
            given.refused[call.id] = slip
    _doubt(state, reply, given)
    return given


def _repeated(state: State, call: Call, allowed: list[Call]) -> Slip | None:
    again = any(same_call(call, other) for other in allowed)
    once = call.name in state.traits.once
    if again or not may_run(state.steps, call, once=once, limit=state.settings.max_repeats):
        return Slip("repeated", call.name)
    return None


def _used_up(state: State, call: Call, allowed: list[Call]) -> Slip | None:
    now = sum(other.name == call.name for other in allowed)
    return Slip("used_up", call.name) if used_up(state.steps, call.name, state.traits.max_calls.get(call.name), now) else None


def _doubt(state: State, reply: Reply, given: Permission) -> None:
    """Send calls with numbers from nowhere back, once in a run, as the model may have worked them out.

    The numbers are not named: what a small model reads it copies.
    """
    if state.doubted or reply.native or state.mode == "native" or not state.settings.check_numbers:
        return
    for call in [call for call in given.allowed if not is_own(state, call)]:
        if found := ungrounded(state, call):
            given.refused[call.id] = Slip("ungrounded", call.name, problems=found)
            given.allowed.remove(call)
            state.doubted = True
