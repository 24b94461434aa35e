"""Native tool calls as servers really send them: pieces to calls, calls to verdicts.

In: `ToolCallDelta`s in order of arrival.  Out: a `Call` or `Rejected` for each call, with ids that are unique in the history.
Servers send empty and doubled ids, one index for all parallel calls, an id for each piece, names in pieces, null arguments,
Python literals and JSON cut by the length limit; the same name gate, repair and validation as for text apply.  A cut call is
never completed, and none is lost: the arguments of parallel calls that a gateway has written behind one another are calls
again.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from react_agent.events import ToolCallDelta
from react_agent.messages import Call, Fix, Rejected
from react_agent.parsing.evidence import NATIVE
from react_agent.parsing.names import ToolNames
from react_agent.parsing.settle import Written, settle
from react_agent.prompting.wire_tools import Names
from react_agent.repair import repair
from react_agent.schema import canonical

MAX_CALLS = 64
"""Calls of one reply that are made, and objects in the arguments of one call that are read."""
MAX_NOTE = 80  # characters of what is reported as left out

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Native:
    """One call put together from its pieces; `arguments` is the text as sent."""

    name: str
    arguments: str
    id: str = ""


def assemble(deltas: Iterable[ToolCallDelta], names: Collection[str] = ()) -> tuple[Native, ...]:
    """The calls of one reply; a new id with a new name under a used index is a new call.  `names` are those of the tools."""
    calls: list[Native] = []
    place: dict[int, int] = {}
    for delta in deltas:
        at = place.get(delta.index)
        if at is None or _begins_another(calls[at], delta, names):
            place[delta.index] = len(calls)
            calls.append(Native(delta.name, delta.arguments, delta.id))
        else:
            held = calls[at]
            calls[at] = Native(held.name + delta.name, held.arguments + delta.arguments, held.id or delta.id)
    return tuple(part for call in _rejoined(calls) for part in _parted(call))


def _rejoined(calls: Iterable[Native]) -> Iterator[Native]:
    """One call of neighbours of one name whose arguments are JSON only together: each piece had an id of its own."""
    for _, neighbours in itertools.groupby(calls, key=lambda call: call.name):
        group = list(neighbours)
        broken = [place for place, call in enumerate(group) if not _is_whole(call.arguments)]
        first, behind = (broken[0], broken[-1] + 1) if broken else (0, 0)
        together = "".join(call.arguments for call in group[first:behind])
        yield from group[:first]
        yield from [replace(group[first], arguments=together)] if _objects(together) else group[first:behind]
        yield from group[behind:]


def _is_whole(arguments: str) -> bool:
    """Whether a call can be made of these alone."""
    return _is_empty(arguments) or bool(_objects(arguments))


def _is_empty(arguments: str) -> bool:
    return arguments.strip() in ("", "null")


def _parted(call: Native) -> Iterator[Native]:
    """A call for each of several objects in a row; empty ones beside real ones, and repetitions, are slips of the server."""
    objects = _objects(call.arguments)
    if len(objects) < 2:
        yield call
        return
    filled = [text for text in objects if json.loads(text)] or objects[:1]
    for number, text in enumerate(text for text, _ in itertools.groupby(filled, key=_canonical)):
        yield replace(call, arguments=text, id="" if number else call.id)


def _canonical(text: str) -> str:
    return canonical(json.loads(text))


def _objects(text: str) -> list[str]:
    """The JSON objects that `text` consists of; [] when there is anything else in it."""
    found: list[str] = []
    text, at = text.strip(), 0
    while at < len(text) and len(found) <= MAX_CALLS:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        found.append(text[at:end])
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def settle_native(
    calls: Sequence[Native], tools: ToolNames, names: Names, *, cut: bool, taken: Collection[str], prefix: str
) -> tuple[Call | Rejected, ...]:
    """A verdict for each call, in order; `cut`: the reply hit the length limit, so none of its calls can be trusted.

    Of more than `MAX_CALLS` the next one is rejected, for all that follow, so that the model hears of it.  `taken` are ids
    already used in the history; `prefix` begins the ids that are made here.
    """
    used = set(taken)
    settled = []
    for number, call in enumerate(calls[: MAX_CALLS + 1]):
        id = call.id if call.id and call.id not in used else f"{prefix}_{number}"
        used.add(id)
        call = replace(call, name=names.to_tool(call.name.strip()))
        verdict = _verdict(call, tools, cut) if number < MAX_CALLS else _too_many(call, len(calls))
        settled.append(replace(verdict, id=id))
    return tuple(settled)


def _begins_another(held: Native, delta: ToolCallDelta, names: Collection[str]) -> bool:
    if not delta.name or not held.name:
        return False
    goes_on = delta.id == held.id if delta.id else any(name.startswith(held.name + delta.name) for name in names)
    return bool(held.arguments) or not goes_on


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


def _too_many(call: Native, came: int) -> Rejected:
    return Rejected("too_many", call.name, problems=(f"expected at most {MAX_CALLS} calls in one reply, got {came}",))


def _value(text: str) -> tuple[Any, tuple[Fix, ...], str]:
    """The arguments as a value, what was repaired, and a problem ("cut", or a sentence)."""
    if _is_empty(text):
        return {}, (), ""
    try:
        return json.loads(text), (), ""
    except (ValueError, RecursionError) as error:
        strict = error
    if (whole := _surrounded(text)) is not None:
        return whole
    repaired = repair(text)
    if repaired.cut:
        return None, (), "cut"
    if not repaired.found:
        return None, (), f"the arguments are not valid JSON: {_place(strict, text)}"
    return repaired.value, repaired.fixes, ""


def _surrounded(text: str) -> tuple[Any, tuple[Fix, ...], str] | None:
    """A whole object with something around it: a fence, special tokens, a closing brace too many, a remark."""
    start = text.find("{")
    try:
        value, end = _DECODER.raw_decode(text, start) if start >= 0 else (None, 0)
    except (ValueError, RecursionError):
        return None
    around = f"{text[:start]} {text[end:]}".strip()[:MAX_NOTE]
    return (value, (Fix("text_around", note=around),), "") if isinstance(value, dict) else None


def _place(error: Exception, text: str) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "nested too deep"
    return f"{error.msg} at character {error.pos + 1}, near {text[max(0, error.pos - 10) : error.pos + 20]!r}"


def _rejected(call: Native, reason: str, problem: str) -> Rejected:
    return Rejected(reason, call.name, call.arguments, (problem,), dialect="native")
