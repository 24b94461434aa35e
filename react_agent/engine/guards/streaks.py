"""Steps in a row that get nowhere, although no call is simply repeated: circles, unchanged results, errors.

In: the steps.  Out: how long each streak is by now.  Each is told to the model once, when it has reached its limit, and ends
the run when it goes on.  Only the end of the run is looked at, and a step is compared with another only as far as they are
alike, so a run that gets on costs next to nothing.

Two results are alike when they differ in numbers, times and ids at most: a clock in a result is no progress.  Steps that only
call tools which may be called again (a clock, the status of a job) count for errors alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple

from react_agent.engine.limits import Limits
from react_agent.messages import Result, Step

from .repeats import only_of, same_call

PERIODS = range(2, 5)
"""Steps of a circle; one call over and over is judged before it runs (`may_run`)."""
GRACE = 2
"""Steps that a circle may go on when the model was told."""
TELLING = 80
"""Characters from which on a result is more than «ok»."""
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")


class Streak(NamedTuple):
    """A streak of `length` steps, which was one of `before` steps before the last one.

    It is told at `limit` steps, and `over` at `end`.  `reason` names the words for it and the guard.
    """

    reason: str
    length: int
    before: int
    limit: int
    end: int

    @property
    def news(self) -> bool:
        """It has just reached its limit."""
        return self.before < self.limit <= self.length

    @property
    def over(self) -> bool:
        return self.length >= self.end


def streaks(
    steps: Sequence[Step], limits: Limits, *, repeatable: Container[str] = (), writing: Container[str] = ()
) -> tuple[Streak, ...]:
    """The streaks at the end of a run; what says more comes first.

    `repeatable` tools may be called over and over, `writing` ones do something new although they say the same each time.
    """
    same, most_errors = limits.max_same_errors, limits.max_errors
    circle, still = limits.max_circling, limits.max_unchanged
    most = max(2 * same, 2 * most_errors, circle + GRACE, 2 * still) + PERIODS.stop
    acted = tuple(itertools.islice((step for step in reversed(steps) if step.results), most))
    found: list[Streak] = []
    if acted and _failed(acted[0]):
        found += _measured("same_error", same_failures, acted, same, same + 1)
        found += _measured("same_error", same_errors, acted, same, 2 * same)
        found += _measured("errors", errors, acted, most_errors, 2 * most_errors)
    if repeatable:
        if steps and only_of(steps[-1], repeatable):  # says nothing on the others, which were judged before
            return tuple(found)
        looked = (step for step in reversed(steps) if step.results and not only_of(step, repeatable))
        acted = tuple(itertools.islice(looked, most))
    found += _measured("circling", circling, acted, circle, circle + GRACE)
    found += _measured("unchanged", lambda steps: unchanged(steps, writing), acted, still, 2 * still)
    return tuple(found)


Steps = Sequence[Step]
"""Steps that made calls, the newest first."""


def _measured(reason: str, count: Callable[[Steps], int], newest: Steps, limit: int, end: int) -> tuple[Streak, ...]:
    """The streak that `count` finds, if any."""
    length = count(newest)
    return (Streak(reason, length, count(newest[1:]) if length >= limit else 0, limit, end),) if length else ()


def circling(steps: Steps) -> int:
    """How many of the last steps did what had been done a few steps before, with a like result."""
    return max(_echoes(steps, period) for period in PERIODS) if len(steps) > PERIODS.start else 0


def _echoes(steps: Steps, period: int) -> int:
    return _count(map(_echoed, steps, steps[period:]))


def _echoed(now: Step, then: Step) -> bool:
    return _same_calls(now, then) and _alike(now, then)


def unchanged(steps: Steps, writing: Container[str] = ()) -> int:
    """How many of the last steps gave one and the same result, although each made other calls than the one before.

    That each of ten rows was inserted is the best that `writing` tools can say.
    """
    if not steps or not all(_telling(result) and result.name not in writing for result in steps[0].results):
        return 0
    return 1 + _count(map(_stayed, steps, steps[1:]))


def _stayed(now: Step, then: Step) -> bool:
    return _shown(now) == _shown(then) and not _same_calls(now, then)


def same_failures(steps: Steps) -> int:
    """How many of the last steps made the same calls and failed alike."""
    if not steps or not _failed(steps[0]):
        return 0
    alike = steps[: same_errors(steps)]
    return _count(_same_calls(step, steps[0]) for step in alike)


def same_errors(steps: Steps) -> int:
    """How many of the last steps failed alike."""
    if not steps or not _failed(steps[0]):
        return 0
    return _count(_failed(step) and _plain(step.results[0].content) == _plain(steps[0].results[0].content) for step in steps)


def errors(steps: Steps) -> int:
    """How many of the last steps failed in all their calls."""
    return _count(map(_failed, steps))


def _count(holds: Iterable[bool]) -> int:
    """How many hold, up to the first that does not."""
    count = 0
    for held in holds:
        if not held:
            break
        count += 1
    return count


def _failed(step: Step) -> bool:
    return all(result.status == "error" for result in step.results)


def _telling(result: Result) -> bool:
    """Whether a result that stays the same says that nothing happens: «ok» and «true» may come for anything."""
    return result.status == "empty" or (result.status in ("ok", "truncated") and len(result.content) >= TELLING)


def _same_calls(one: Step, other: Step) -> bool:
    return len(one.calls) == len(other.calls) and all(map(same_call, one.calls, other.calls))


def _shown(step: Step) -> list[tuple[str, str]]:
    return [(result.name, result.content) for result in step.results]


def _alike(one: Step, other: Step) -> bool:
    return len(one.results) == len(other.results) and all(
        first.name == second.name and (first.content == second.content or _plain(first.content) == _plain(second.content))
        for first, second in zip(one.results, other.results, strict=True)
    )


def _plain(content: str) -> str:
    """A text without its numbers, and words with digits in them."""
    return _WORD.sub(lambda word: "#" if _DIGIT.search(word[0]) else word[0], content)
