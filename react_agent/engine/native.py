"""Native tool calls as servers really send them: pieces to calls, calls to verdicts.

In: `ToolCallDelta`s in order of arrival.  Out: a `Call` or `Rejected` for each call, with ids that are unique in the history.
Servers send empty and doubled ids, one index for all parallel calls, null arguments, Python literals and JSON cut by
the length limit; the same name gate, repair and validation as for text apply.  A cut call is never completed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from react_agent.events import ToolCallDelta
from react_agent.messages import Call, Fix, Rejected
from react_agent.parsing.evidence import NATIVE
from react_agent.parsing.names import ToolNames
from react_agent.parsing.settle import Written, settle
from react_agent.prompting.wire_tools import Names
from react_agent.repair import repair

MAX_CALLS = 64


@dataclass(frozen=True, slots=True)
class Native:
    """One call put together from its pieces; `arguments` is the text as sent."""

    name: str
    arguments: str
    id: str = ""


def assemble(deltas: Iterable[ToolCallDelta]) -> tuple[Native, ...]:
    """The calls of one reply; a new id with a new name under a used index is a new call."""
    calls: list[Native] = []
    place: dict[int, int] = {}
    for delta in deltas:
        at = place.get(delta.index)
        if at is None or _begins_another(calls[at], delta):
            place[delta.index] = len(calls)
            calls.append(Native(delta.name, delta.arguments, delta.id))
        else:
            held = calls[at]
            calls[at] = Native(held.name + delta.name, held.arguments + delta.arguments, held.id or delta.id)
    return tuple(calls[:MAX_CALLS])


def settle_native(
    calls: Sequence[Native], tools: ToolNames, names: Names, *, cut: bool, taken: Collection[str], prefix: str
) -> tuple[Call | Rejected, ...]:
    """A verdict for each call, in order; `cut`: the reply hit the length limit, so none of its calls can be trusted.

    `taken` are ids already used in the history; `prefix` begins the ids that are made here.
    """
    used = set(taken)
    settled = []
    for number, call in enumerate(calls):
        id = call.id if call.id and call.id not in used else f"{prefix}_{number}"
        used.add(id)
        verdict = _verdict(replace(call, name=names.to_tool(call.name.strip())), tools, cut)
        settled.append(replace(verdict, id=id))
    return tuple(settled)


def _begins_another(held: Native, delta: ToolCallDelta) -> bool:
    return bool(delta.name and held.name and (delta.id != held.id or held.arguments))


def _verdict(call: Native, tools: ToolNames, cut: bool) -> Call | Rejected:
    if not call.name:
        return _rejected(call, "malformed", "the name of the tool is missing")
    value, fixes, problem = _value(call.arguments)
    if cut or problem == "cut":
        return _rejected(call, "cut", "the call ends in the middle")
    if problem and tools.find(call.name) is not None:
        return _rejected(call, "malformed", problem)
    verdict = settle(Written(call.name, value, 0, 0, "native", fixes), tools, NATIVE, "")
    return replace(verdict, text=call.arguments) if isinstance(verdict, Rejected) else verdict


def _value(text: str) -> tuple[Any, tuple[Fix, ...], str]:
    """The arguments as a value, what was repaired, and a problem ("cut", or a sentence)."""
    if text.strip() in ("", "null"):
        return {}, (), ""
    try:
        return json.loads(text), (), ""
    except (ValueError, RecursionError) as error:
        strict = error
    repaired = repair(text)
    if repaired.cut:
        return None, (), "cut"
    if not repaired.found:
        return None, (), f"the arguments are not valid JSON: {_place(strict, text)}"
    return repaired.value, repaired.fixes, ""


def _place(error: Exception, text: str) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "nested too deep"
    return f"{error.msg} at character {error.pos + 1}, near {text[max(0, error.pos - 10) : error.pos + 20]!r}"


def _rejected(call: Native, reason: str, problem: str) -> Rejected:
    return Rejected(reason, call.name, call.arguments, (problem,), dialect="native")
