"""Pure judges: is this reply of use, may this call run again, has this error come too often?

In: what was read and what has happened.  Out: a verdict; nothing is changed here.  The loop asks them and acts.  What ends a
run and with which outcome stands in one table, `ENDS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from react_agent.messages import Call, Json, Outcome, Rejected, Result, Step
from react_agent.schema import canonical

from .announcing import announces
from .reply import Reply

Family = Literal["format", "empty", "bad_call", "output"]

_FAMILIES: dict[str, Family] = {
    "empty": "empty",
    "cut": "output",
    "unknown_tool": "bad_call",
    "invalid_arguments": "bad_call",
}
ENDS: dict[str, Outcome] = {
    "format": Outcome.FORMAT_FAILED,
    "empty": Outcome.EMPTY_REPLY,
    "output": Outcome.OUTPUT_LIMIT,
    "bad_call": Outcome.LOOP_GUARD,
    "repeated_call": Outcome.LOOP_GUARD,
    "same_error": Outcome.LOOP_GUARD,
    "max_steps": Outcome.STEP_LIMIT,
}
"""Guard → outcome of a run that it ended."""

MAX_POLLS = 5
"""How often one call may run in a row while its results differ: a clock gives a new result each time."""

_NO_CALL = {"example", "quoted"}  # rejected as documentation: not a slip


@dataclass(frozen=True, slots=True)
class Slip:
    """Why a reply was of no use, with the facts for the correction."""

    reason: str
    name: str = ""
    quote: str = ""
    problems: tuple[str, ...] = ()
    arguments: Json | None = None

    @property
    def family(self) -> Family:
        """The budget it counts against."""
        return _FAMILIES.get(self.reason, "format")


def slip_of(reply: Reply, *, tools: bool, nudged: bool) -> Slip | None:
    """What is wrong with a reply that makes no call; None when it is an answer.

    `tools`: whether there are any.  `nudged`: an announcement was already answered in this run.
    """
    parsed = reply.parsed
    meant = next(filter(is_slip, parsed.rejected), None)
    if meant is not None and tools and (parsed.answer is None or not parsed.answer.strip()):
        return rejected_slip(meant)
    if parsed.answer is not None and parsed.answer.strip():
        if tools and not nudged and announces(parsed.answer):
            return Slip("announced", quote=parsed.answer)
        return None
    if reply.cut:
        return Slip("cut")
    quote = reply.text.strip()
    return Slip("format", quote=quote) if quote else Slip("empty")


def is_slip(rejected: Rejected) -> bool:
    """A call that was meant; an example or a quotation is prose."""
    return rejected.reason not in _NO_CALL


def rejected_slip(rejected: Rejected) -> Slip:
    """The slip that a rejected call is."""
    return Slip(rejected.reason, rejected.name, rejected.text, rejected.problems, rejected.arguments)


def spent(slips: Sequence[Slip], limit: int) -> bool:
    """Whether the slips in a row use up the budget.

    Form and length get `limit` corrections, the last of which is the plain question; silence and calls that cannot be
    run are given up one earlier.
    """
    allowed = limit if slips[-1].family in ("format", "output") else limit - 1
    return len(slips) > allowed


def same_call(one: Call, other: Call) -> bool:
    """Same tool and same arguments, however they were written."""
    if one.name != other.name or one.arguments != other.arguments:  # the cheap test first: nearly all calls differ
        return False
    return canonical(one.arguments) == canonical(other.arguments)  # tells 1 from true


def earlier_results(steps: Iterable[Step], call: Call) -> tuple[Result, ...]:
    """What the same call gave before in this run, oldest first; failures do not count, they may be tried again."""
    return tuple(result for made, result in _runs(steps) if same_call(made, call))


def earlier_error(steps: Sequence[Step], call: Call) -> str | None:
    """How the same call failed when it was last made, None when it did not fail."""
    last = next(reversed([*_results_of(steps, call)]), None)
    return last.content if last is not None and last.status == "error" else None


def may_run(steps: Sequence[Step], call: Call, *, once: bool, limit: int) -> bool:
    """Whether a call may run, given what has happened.

    A call may repeat while its results differ (polling, `MAX_POLLS` times), and after anything new came from elsewhere (a
    file may be read again after it was written).  A tool that acts on the world (`once`) never repeats.
    """
    earlier = earlier_results(steps, call)
    if not earlier or once:
        return not earlier
    if len(earlier) < limit or _news_since(steps, call):
        return True
    recent = {result.content for result in earlier[-limit:]}
    return len(recent) > 1 and len(earlier) < MAX_POLLS


def used_up(steps: Iterable[Step], name: str, limit: int | None, now: int) -> bool:
    """Whether a tool has run as often as it may, `now` calls of the same reply counted in."""
    if limit is None:
        return False
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
        for result in step.results:
            if result.status in ("ok", "empty", "truncated") and result.call_id in by_id:
                yield by_id[result.call_id], result


def fruitless(steps: Iterable[Step]) -> int:
    """How many steps since the last news only repeated themselves, whatever the number of calls they went round in.

    News is a result that no call of the tool gave before.  An old error on new arguments is neither news nor a repetition:
    something else was tried.
    """
    count = 0
    seen: set[tuple[str, str]] = set()
    made: list[Call] = []
    for step in steps:
        shown = {(result.name, result.content) for result in step.results if result.status != "refused"}
        if shown - seen:
            count = 0
        elif step.calls and all(any(same_call(call, other) for other in made) for call in step.calls):
            count += 1
        seen |= shown
        made += step.calls
    return count


def _results_of(steps: Iterable[Step], call: Call) -> Iterator[Result]:
    for step in steps:
        same = {made.id for made in step.calls if same_call(made, call)}
        yield from (result for result in step.results if result.call_id in same)


def same_errors(steps: Sequence[Step]) -> int:
    """How many equal tool errors came last, in a row."""
    count = 0
    last = ""
    for result in (result for step in reversed(steps) for result in reversed(step.results)):
        if result.status != "error" or (count and result.content != last):
            break
        last = result.content
        count += 1
    return count
