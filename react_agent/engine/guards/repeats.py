"""Calls that were made before: may they run again, and does the run still bring anything new?"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from react_agent.messages import Call, Result, Step
from react_agent.schema import canonical

MAX_POLLS = 5
"""How often one call may run in a row while its results differ: a clock gives a new result each time."""


def same_call(one: Call, other: Call) -> bool:
    """Same tool and same arguments, however they were written."""
    if one.name != other.name or one.arguments != other.arguments:  # the cheap test first: nearly all calls differ
        return False
    return canonical(one.arguments) == canonical(other.arguments)  # tells 1 from true


def earlier_results(steps: Iterable[Step], call: Call) -> tuple[Result, ...]:
    """What the same call gave before in this run, oldest first, failures and refusals too."""
    made = [(step, other.id) for step in steps for other in step.calls if same_call(other, call)]
    return tuple([result for step, id in made for result in step.results if result.call_id == id])


def that_ran(results: Iterable[Result]) -> tuple[Result, ...]:
    """Without failures, as these may be tried again, and refusals."""
    return tuple([result for result in results if result.status in ("ok", "empty", "truncated")])


def may_run(steps: Sequence[Step], call: Call, *, once: bool, limit: int, command: bool = False) -> bool:
    """Whether a call may run, given what has happened.

    A call may repeat while its results differ (polling, `MAX_POLLS` times), and after anything new came from elsewhere (a
    file may be read again after it was written).  A tool that acts on the world (`once`) never repeats, one that runs a
    `command` does after another call.
    """
    earlier = that_ran(earlier_results(steps, call))
    if not earlier:
        return True
    if once:
        *_, (last, _result) = _runs(steps)
        return command and not same_call(last, call)
    if len(earlier) < limit or _news_since(steps, call):
        return True
    recent = {result.content for result in earlier[-limit:]}
    return len(recent) > 1 and len(earlier) < MAX_POLLS


def used_up(steps: Iterable[Step], name: str, limit: int, now: int) -> bool:
    """Whether a tool has run as often as it may, `now` calls of the same reply counted in."""
    return now + sum(result.name == name and result.status != "refused" for step in steps for result in step.results) >= limit


def _news_since(steps: Iterable[Step], call: Call) -> bool:
    """Whether a result came after the last run of `call` that had not been seen before."""
    seen: set[tuple[str, str]] = set()
    news = False
    for made, result in _runs(steps):
        shown = (result.name, result.content)
        news = (news or shown not in seen) and not same_call(made, call)
        seen.add(shown)
    return news


def _runs(steps: Iterable[Step]) -> Iterator[tuple[Call, Result]]:
    """The calls that ran without failure, in order, with their results."""
    for step in steps:
        by_id = {call.id: call for call in step.calls}
        for result in that_ran(step.results):
            if result.call_id in by_id:
                yield by_id[result.call_id], result


def only_of(step: Step, names: Container[str]) -> bool:
    """Whether a step made calls, and only of these tools."""
    return bool(step.results) and all(result.name in names for result in step.results)


def fruitless(steps: Iterable[Step], repeatable: Container[str] = ()) -> int:
    """How many steps since the last news only repeated themselves, whatever the number of calls they went round in.

    News is a result that no call of the tool gave before.  An old error on new arguments is neither news nor a repetition:
    something else was tried.  A step that only calls `repeatable` tools may repeat itself.
    """
    count = 0
    seen: set[tuple[str, str]] = set()
    made: list[Call] = []
    for step in steps:
        shown = {(result.name, result.content) for result in step.results if result.status != "refused"}
        if shown - seen:
            count = 0
        elif (
            step.calls
            and not only_of(step, repeatable)
            and all(any(same_call(call, other) for other in made) for call in step.calls)
        ):
            count += 1
        seen |= shown
        made += step.calls
    return count
