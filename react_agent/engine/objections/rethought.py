"""A step done over on its own result: the same thought, the same tool, and the number that the tool has just given.

Small models that have what they need go on working on it: -6 - 31 gives -37, then -37 - 31, then -68 - 31, and an amount
is exchanged into dollars once more.  No call is a repetition, and every result is new.  The reply leaves no trace, as a model
goes on with what it sees.

Only quantities count, as ids lead from one look-up to the next, and so do numbers of pages; a thought that only names the tool
says nothing.
"""

from __future__ import annotations

import json

from react_agent.engine.numbers import is_sum, numbers_of
from react_agent.engine.state import State
from react_agent.messages import Call, Result, Step

from .case import Case, Found

PAGES = 12
"""Numbers up to this one may count pages, rows or tries."""


def rethought(state: State, case: Case) -> Found | None:
    """The only call of a reply that does with the last result what brought it about; a native call is not judged."""
    call = case.call
    if call is None or case.reply.native or not state.steps or len(case.reply.parsed.calls) != 1:
        return None
    last = state.steps[-1]
    if not _same_thought(last, case, call.name) or not _went_well(last, call.name):
        return None
    return Found(call.name) if _fed_back(state, call, last.calls[0], last.results[0]) else None


def _same_thought(last: Step, case: Case, name: str) -> bool:
    thought = (case.reply.parsed.thought or "").split()
    return bool(thought) and name not in " ".join(thought) and thought == (last.thought or "").split()


def _went_well(last: Step, name: str) -> bool:
    return [made.name for made in last.calls] == [name] and last.results[0].status in ("ok", "truncated")


def _fed_back(state: State, call: Call, before: Call, result: Result) -> bool:
    """Whether a quantity among the arguments is a number of the result, and was none of the call before."""
    quantities = _quantities(state, call) - _quantities(state, before)
    return not quantities.isdisjoint(numbers_of(result.content).known)


def _quantities(state: State, call: Call) -> set[float]:
    """What the call reckons with: parameters declared as numbers that need not be whole, and sums written as text."""
    properties = state.tools.tools[call.name].spec.parameters.get("properties", {})
    values = [value for name, value in call.arguments.items() if is_sum(value) or _measures(properties.get(name))]
    return {number for number in numbers_of(json.dumps(values)).known if number > PAGES}


def _measures(schema: object) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "number"
