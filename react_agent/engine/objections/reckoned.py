"""A sum in text mode with a number from nowhere, when a tool has brought numbers already.

A small model works out a part of it in its head: 4760 / 3, where the observation has 1200, 950 and 1610.  To look the value up
again would lead nowhere, so it is told to write the sum with the numbers that are there.
"""

from __future__ import annotations

from react_agent.engine.numbers import is_sum, numbers_of
from react_agent.engine.state import State

from .case import Case, Found
from .ungrounded import ungrounded


def reckoned(state: State, case: Case) -> Found | None:
    """What `ungrounded` finds, where all of it are sums and a result of the run holds a number."""
    call = case.call
    if call is None or not any(map(is_sum, call.arguments.values())) or not _has_numbers(state):
        return None
    found = ungrounded(state, case)
    return found if found and all(is_sum(call.arguments[name]) for name in found.problems) else None


def _has_numbers(state: State) -> bool:
    results = [result for step in state.steps for result in step.results if result.status in ("ok", "truncated")]
    return any(numbers_of(result.content).known for result in results)
