"""When a run that gets nowhere is stopped: the limits of the guards, and what tokens cost.

Each limit, its default and its event stand in docs/guards.md.  How many steps and seconds a run may take are settings of their
own.
"""

from __future__ import annotations

from dataclasses import dataclass

from react_agent.errors import UsageError
from react_agent.expected import check, instance, number, or_none, whole
from react_agent.messages import Usage, Value

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price(Value):
    """What a million tokens cost, in a currency of your choice: those sent (`prompt`) and those written (`completion`).

    Raises:
        UsageError: a price is no number of at least 0.
    """

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        check({"prompt": number(), "completion": number()}, prompt=self.prompt, completion=self.completion)

    def of(self, usage: Usage) -> float:
        """What this use costs."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / MILLION


@dataclass(frozen=True, slots=True)
class Limits(Value):
    """The limits of the guards.

    Replies of no use, in a row.  `max_slips`: without an action or answer, cut off, or repeating themselves; each kind counts
    by itself, and silence and unknown tools get one correction less.  `max_bad_arguments`: calls of one tool with wrong
    arguments, since it last ran.

    Steps that get nowhere.  `max_repeats`: runs of one identical call with equal results.  `max_fruitless`: steps that only
    repeat earlier calls and bring nothing new.  `max_circling`: steps that go on in a circle of up to four steps, with results
    that differ in numbers and times at most.  `max_unchanged`: steps in a row with the same result for other calls.
    `max_same_errors`: steps in a row that fail alike; `max_errors`: that fail at all.
    Calls of tools that may be repeated count for errors alone.

    `max_repetition`: characters at the end of one reply that only repeat what stands before them; the reply is cut there.
    Arguments of native calls are not looked at.  None lets a model repeat itself, and so does `stop_early=False`, which reads
    every reply to its end.

    `max_run_tokens`: of all requests of a run with their replies; `max_cost`: of these, by `price`.  No request begins that
    would pass them if it cost as much as the one before.  None sets no limit.

    Raises:
        UsageError: a value is not what its entry in `_EXPECTED` says, or there is a `max_cost` without a `price`.
    """

    max_slips: int = 3
    max_bad_arguments: int = 3
    max_repeats: int = 2
    max_fruitless: int = 2
    max_circling: int = 4
    max_unchanged: int = 4
    max_same_errors: int = 3
    max_errors: int = 3
    max_repetition: int | None = 4_000
    max_run_tokens: int | None = None
    max_cost: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        check(_EXPECTED, **{name: getattr(self, name) for name in _EXPECTED})
        if self.max_cost is not None and self.price is None:
            raise UsageError("max_cost needs a price: Limits(max_cost=0.1, price=Price(prompt=0.5, completion=1.5))")


_EXPECTED = {
    "max_slips": whole(1),
    "max_bad_arguments": whole(1),
    "max_repeats": whole(1),
    "max_fruitless": whole(1),
    "max_circling": whole(1),
    "max_unchanged": whole(1),
    "max_same_errors": whole(1),
    "max_errors": whole(1),
    "max_repetition": or_none(whole(100)),
    "max_run_tokens": or_none(whole(1)),
    "max_cost": or_none(number(above=0)),
    "price": or_none(instance(Price, "a Price", "Price(prompt=0.5, completion=1.5), for a million tokens each")),
}
LIMITS = Limits()
"""The limits of a run that is given none."""
