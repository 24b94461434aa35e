"""Tokens and money: may another request begin?

In: what the run has used, what its last request used, the limits.  Out: nothing, or the guard that ends the run, and whether
there is room for a closing question.  The next request is taken to cost as much as the last one; as a history grows it costs a
little more, so a limit may be passed by that little.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from react_agent.engine.limits import Limits, Price
from react_agent.messages import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """A limit that another step and a closing question would pass; `closes`: the question alone would not."""

    guard: str
    detail: str
    closes: bool


def spending(used: Usage, last: Usage, limits: Limits) -> Spent | None:
    """The first limit that leaves no room for a step."""
    for guard, limit, measured in _measures(limits):
        if limit is not None and measured(used) + 2 * measured(last) > limit and used.requests:
            return Spent(guard, f"{measured(used):g} of {limit:g}", measured(used) + measured(last) <= limit)
    return None


def _measures(limits: Limits) -> tuple[tuple[str, float | None, Callable[[Usage], float]], ...]:
    price = limits.price or Price(0, 0)
    return (("tokens", limits.max_run_tokens, lambda usage: usage.total_tokens), ("cost", limits.max_cost, price.of))
