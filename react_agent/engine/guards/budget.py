"""Tokens and money: may another request begin?

In: what the run has used, what its last request used, the limits.  Out: nothing, or the guard that ends the run, and whether
there is room for a closing question.  The next request is taken to cost as much as the last one; as a history grows it costs a
little more, so a limit may be passed by that little.
"""

from __future__ import annotations

from dataclasses import dataclass

from react_agent.engine.limits import MILLION, Limits, Price
from react_agent.messages import Usage

TOKENS = Price(MILLION, MILLION)
"""What tokens cost, counted in tokens."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A limit that another step and a closing question would pass; `closes`: the question alone would not."""

    guard: str
    detail: str
    closes: bool


def spending(used: Usage, last: Usage, limits: Limits) -> Spent | None:
    """The first limit that leaves no room for a step."""
    for guard, limit, price in (("tokens", limits.max_run_tokens, TOKENS), ("cost", limits.max_cost, limits.price)):
        if limit is not None and price is not None and used.requests:
            spent, next_ = price.of(used), price.of(last)
            if spent + 2 * next_ > limit:
                return Spent(guard, f"{spent:g} of {limit:g}", spent + next_ <= limit)
    return None
