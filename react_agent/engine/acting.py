"""Acts on a reply that makes calls: which may run, their results, what the model is told besides.

In: the state and the reply.  Out: events, one more step in the state, and the name of the guard that wants the run closed, if
any.  Every call of the reply gets exactly one result, in the order of the calls; a call that does not run gets a
refusal that says why.  The calls of one reply are handed out together; the driver decides how to run them.

A reply in text that only repeats itself does not go into the history, only the note on it does: a small model copies what it
sees, so a repetition in its context breeds the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from react_agent.events import CallTools, Flow, ToolFinished, ToolStarted, ask
from react_agent.messages import Call, Message, Rejected, Result, Step
from react_agent.parsing.dialects import render

from .correcting import feedback, give_up_native, kept
from .guards import (
    Slip,
    Streak,
    bad_arguments,
    fruitless,
    is_slip,
    rejected_slip,
    same_call,
    spent,
    streaks,
    that_ran,
)
from .objections.passing import worth_another
from .paging import is_own, page, with_handle
from .permission import Permission, permission
from .reply import Reply
from .several import several
from .state import State

SEVERAL = "several"
"""Reason of the note on a look-up of several things, and that it was made."""
TOO_FEW = 2
"""Steps of a run that is too short for its end to be announced."""


def act(state: State, reply: Reply) -> Flow[str | None]:
    """Run what may run, put everything into the history."""
    if reply.leaked:
        yield from give_up_native(state, f"the reply wrote a call as text ({reply.parsed.calls[0].dialect})")
    message = _said(state, reply)
    may = yield from permission(state, reply)
    results = {result.call_id: result for result in (yield from _run(state, may))}
    ran = tuple(results.values())
    for item in (*reply.native, *reply.parsed.calls):
        if item.id not in results:
            slip = may.refused[item.id] if isinstance(item, Call) else rejected_slip(item)
            results[item.id] = yield from _refusal(state, reply, item, slip, may, results)
    in_order = tuple(results[call.id] for call in message.calls)
    stale = _stale(state, may, in_order)
    state.steps.append(_step(state, reply, in_order))
    rows = _streaks(state)
    guard = _guard(state, reply, ran, rows, anew=not all(may.earlier.values()))
    notes = yield from _notes(state, reply, ran, stale)
    if guard is None:
        notes += yield from _warnings(state, rows)
    if not reply.native and len(stale) == len(in_order):
        notes = [*(result.content for result in in_order if result.status == "refused"), *notes]
    else:
        state.history += [message, *(Message("tool", result=_as_shown(result)) for result in in_order)]
    if notes:
        said = "\n\n".join(notes)
        state.history.append(Message("user", said, note=True))
        state.steps[-1] = replace(state.steps[-1], feedback=said)
    return guard


def _said(state: State, reply: Reply) -> Message:
    """The reply as history: native calls, or text up to where it counts, or a leaked call in the dialect."""
    calls = reply.parsed.calls
    if reply.native:
        native = tuple(_as_call(item) for item in reply.native)
        ids = {call.id for call in native}
        also = tuple(call for call in calls if call.id not in ids)
        return Message("assistant", reply.prose, (*native, *also), reasoning=reply.reasoning, native=True)
    if reply.leaked and state.mode != "native":
        thought = reply.parsed.thought or reply.prose
        content = render(state.prompt.dialect, thought=thought, calls=calls, lang=state.prompt.lang)
    else:
        content = kept(reply)
    return Message("assistant", content, calls, reasoning=reply.reasoning)


def _as_shown(result: Result) -> Result:
    """The result without what was left out of it."""
    return replace(result, rest="", gap=()) if result.rest or result.gap else result


def _as_call(item: Call | Rejected) -> Call:
    """A native call that will not run must stand in the history too: its result needs it."""
    return item if isinstance(item, Call) else Call(item.name, item.arguments or {}, item.id)


def _run(state: State, may: Permission) -> Flow[tuple[Result, ...]]:
    calls = may.allowed
    for call in calls:
        yield ToolStarted(call)
    given = {call.id: page(state, call) for call in calls if is_own(state, call)}
    outside = tuple([call for call in calls if call.id not in given])
    if outside:
        done = tuple([len(that_ran(may.earlier[call.id])) for call in outside])
        for result in (yield from ask(CallTools(outside, state.number, done))):
            given[result.call_id] = with_handle(state, result)
    results = tuple([given[call.id] for call in calls])
    for result in results:
        yield ToolFinished(result)
    return results


def _refusal(
    state: State, reply: Reply, item: Call | Rejected, slip: Slip, may: Permission, results: dict[str, Result]
) -> Flow[Result]:
    level = len(state.slips) + 1
    if isinstance(item, Call) and slip.reason == "repeated":
        slip, level = replace(slip, quote=_known(reply, item, may, results)), 2
    elif slip.reason == "used_up":
        level = state.traits.max_calls[slip.name]
    elif slip.family == "bad_arguments":
        level = bad_arguments(state.steps, slip.name) + 1
    text = yield from feedback(state, reply.mode, slip, level=level)
    result = Result(item.id, item.name, text, "refused")
    yield ToolFinished(result)
    return result


def _known(reply: Reply, call: Call, may: Permission, results: dict[str, Result]) -> str:
    """The result of the same call: of this reply, or the last one of the run."""
    now = [results[made.id] for made in reply.parsed.calls if made.id in results and same_call(made, call)]
    return (*that_ran(may.earlier[call.id]), *now)[-1].content


def _step(state: State, reply: Reply, results: tuple[Result, ...]) -> Step:
    parsed = reply.parsed
    return Step(
        state.number,
        reply.mode,
        reply.text,
        parsed.thought or reply.reasoning or reply.prose or None,
        parsed.calls,
        parsed.rejected,
        results,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
    )


def _notes(state: State, reply: Reply, ran: Sequence[Result], stale: set[str]) -> Flow[list[str]]:
    """What the model is told of the calls beside the results: those in the text that were no good, and repetitions."""
    notes: list[str] = []
    for rejected in reply.parsed.rejected[: 0 if reply.native else 1]:
        if is_slip(rejected):
            level = max(bad_arguments(state.steps, rejected.name), 1)
            notes.append((yield from feedback(state, state.mode, rejected_slip(rejected), level=level)))
    for result in (result for result in ran if result.call_id in stale):
        slip = Slip("repeated_error" if result.status == "error" else "repeated", result.name, quote=result.content)
        notes.append((yield from feedback(state, state.mode, slip, level=1)))
    if (asked := _at_once(state, reply, ran)) is not None:
        state.objected.add(SEVERAL)
        notes.append((yield from feedback(state, state.mode, asked, level=1)))
    return notes


def _at_once(state: State, reply: Reply, ran: Sequence[Result]) -> Slip | None:
    """A look-up that found nothing, and asked for several things at once; told once in a run."""
    if SEVERAL in state.objected or all(result.status != "empty" for result in ran):
        return None
    calls = {call.id: call for call in reply.parsed.calls}
    for result in ran:
        things = several(calls[result.call_id], result, state.traits.looking)
        if things:
            return Slip(SEVERAL, result.name, problems=things)
    return None


def _warnings(state: State, rows: Sequence[Streak]) -> Flow[list[str]]:
    """What the model is told of a run that goes on: that its steps get nowhere, that one more is left.

    A slip leaves as many steps as there were, so nothing is said again.
    """
    notes: list[str] = []
    for row in [row for row in rows if row.news][:1]:
        notes.append((yield from feedback(state, state.mode, Slip(row.reason), level=row.length)))
    if state.acts + 1 == state.settings.max_steps > TOO_FEW and not state.slips:
        notes.append((yield from feedback(state, state.mode, Slip("last_step"), level=1)))
    return notes


def _streaks(state: State) -> tuple[Streak, ...]:
    traits = state.traits
    return streaks(state.steps, state.settings.limits, repeatable=traits.repeatable, writing=traits.writing)


def _stale(state: State, may: Permission, results: tuple[Result, ...]) -> set[str]:
    """Ids of the results that tell nothing new: refused, or just what the same call gave before."""
    return {
        result.call_id
        for result in results
        if result.status == "refused" or _last_content(state, may.earlier[result.call_id], result) == result.content
    }


def _last_content(state: State, earlier: Sequence[Result], result: Result) -> str | None:
    """What the same call gave before; None of a call that may be repeated."""
    if not earlier or result.name in state.traits.repeatable:
        return None
    if result.status == "error":
        second_try = len(earlier) == 1 and worth_another(state, result)  # which the failure of the first was worth
        return earlier[-1].content if earlier[-1].status == "error" and not second_try else None
    before = that_ran(earlier)
    return before[-1].content if before else None


def _guard(state: State, reply: Reply, ran: tuple[Result, ...], rows: Sequence[Streak], *, anew: bool) -> str | None:
    """The guard that wants the run closed; `anew`: the reply makes a call that was not made before, so it repeats nothing."""
    limits = state.settings.limits
    for row in rows:
        if row.over:
            return row.reason
    if not anew and fruitless(state.steps, state.traits.repeatable) >= limits.max_fruitless:
        return "repeated_call"
    if ran or reply.parsed.calls:
        state.acts += 1
        state.slips.clear()
        return None
    slip = next(rejected_slip(item) for item in reply.native if isinstance(item, Rejected))
    state.slips.append(slip)
    worn = slip.family == "bad_arguments" and bad_arguments(state.steps, slip.name) > limits.max_bad_arguments
    return slip.family if worn or spent(state.slips, limits.max_slips) else None
