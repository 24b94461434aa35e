"""A run: turn after turn until there is an answer or a guard says that there will be none.

    reply makes calls          → run them, observe, go on (`acting`)
    reply is of no use         → say why, more exactly each time (`correcting`); give up when the budget is spent
    reply is an answer         → send it back once when there is an objection (`objections`), else done
    limit reached, no progress → one closing question without tools, then done

In: a `State`.  Out: events, and at the end a `RunResult` whose outcome says how it ended; an error text is never the
answer.  A driver may end the run at any request by throwing `StopRun`.  No clock, no disk, no random: the same replies give
the same events.
"""

from __future__ import annotations

from react_agent.events import Flow, GuardTripped, ModelFailure, RunFinished, RunStarted, StepStarted
from react_agent.messages import Message, Outcome, Result, RunResult
from react_agent.prompting import closing, may_begin

from .acting import act
from .correcting import correct, give_up_form, kept, record
from .guards import CLOSED_AT_ONCE, ENDS, Slip, bad_arguments, slip_of, spending, spent
from .objections import USABLE, to_answer
from .reply import Reply
from .signals import StopRun
from .state import State
from .turn import turn

_FAILURES = {
    "rate_limited": Outcome.RATE_LIMITED,
    "context_overflow": Outcome.CONTEXT_OVERFLOW,
    "deadline": Outcome.DEADLINE,
    "content_filter": Outcome.CONTENT_FILTER,
}
_FILTERED = 'The server\'s content filter cut the reply (finish_reason "content_filter"): say it in other words.'


def run(state: State) -> Flow[RunResult]:
    """The whole run, from `RunStarted` to `RunFinished`."""
    yield RunStarted(state.task, tuple(spec.name for spec in state.prompt.specs), state.mode, state.prompt.lang)
    if state.recalled:
        state.history.append(Message("user", state.recalled, note=True))
    state.task_at = len(state.history)
    state.history.append(Message("user", state.task))
    try:
        result = yield from _steps(state)
    except StopRun as stop:
        result = state.result(state.best, stop.outcome, stop.reason)
    yield RunFinished(result)
    return result


def _steps(state: State) -> Flow[RunResult]:
    limits = state.settings.limits
    while state.acts < state.settings.max_steps:
        if (over := spending(state.usage, state.last, limits)) is not None:
            return (yield from _ended(state, over.guard, over.detail, question=over.closes))
        yield StepStarted(state.number, state.mode)
        reply = yield from turn(state)
        state.use(reply.usage)
        if reply.failure is not None:
            return _failed(state, reply)
        if reply.mode == "constrained" and not may_begin(state.prompt, reply.text):
            yield from give_up_form(state)
        if reply.filtered:
            return _cut_by_filter(state, reply)
        if reply.native or reply.parsed.calls:
            guard = yield from act(state, reply)
            if (given := _given(state)) is not None:
                return given
        else:
            slip = slip_of(reply, tools=bool(state.prompt.specs)) or to_answer(state, reply)
            if slip is None:
                return _answered(state, reply)
            guard = yield from _slipped(state, reply, slip)
        if guard is not None:
            return (yield from _ended(state, guard))
    return (yield from _ended(state, "max_steps"))


def _given(state: State) -> RunResult | None:
    """The end of a run whose last step ran tools that give the answer themselves: what they gave, whole and in order."""
    results = [result for result in state.steps[-1].results if result.name in state.traits.answering]
    given = [_whole(result) for result in results if result.status in ("ok", "truncated")]
    return state.result("\n\n".join(given), Outcome.COMPLETED) if given else None


def _whole(result: Result) -> str:
    """A result for the user, who is shown also what was left out for the model."""
    if not result.gap:
        return result.content
    begin, end = result.gap
    return result.content[:begin] + result.rest + result.content[end:]


def _failed(state: State, reply: Reply) -> RunResult:
    """The end of a run whose request failed; what a filter has let through of a reply is kept."""
    failure = reply.failure or ModelFailure("server", "")
    best = reply.prose.strip() or state.best if failure.kind == "content_filter" else state.best
    return state.result(best, _FAILURES.get(failure.kind, Outcome.SERVER_ERROR), failure.message)


def _cut_by_filter(state: State, reply: Reply) -> RunResult:
    """The end of a run whose reply was cut by a filter: asking again would not change its mind."""
    record(state, reply)
    state.history.append(Message("assistant", kept(reply), reasoning=reply.reasoning))
    return state.result(_answer(reply) or reply.prose or state.best, Outcome.CONTENT_FILTER, _FILTERED)


def _answered(state: State, reply: Reply) -> RunResult:
    record(state, reply)
    state.history.append(Message("assistant", kept(reply), reasoning=reply.reasoning))
    outcome = Outcome.OUTPUT_LIMIT if reply.cut else Outcome.COMPLETED
    return state.result(_answer(reply), outcome)


def _answer(reply: Reply) -> str | None:
    answer = reply.parsed.answer
    return answer if answer and answer.strip() else None


def _slipped(state: State, reply: Reply, slip: Slip) -> Flow[str | None]:
    """Correct, or say which guard gives up."""
    if slip.reason in USABLE or slip.family == "repetition":
        state.best = _answer(reply) or state.best
    limits = state.settings.limits
    worn = slip.family == "bad_arguments" and bad_arguments(state.steps, slip.name) >= limits.max_bad_arguments
    if not worn and not spent([*state.slips, slip], limits.max_slips):
        yield from correct(state, reply, slip)
        return None
    record(state, reply)
    state.history.append(Message("assistant", kept(reply), reasoning=reply.reasoning))
    return slip.family


def _ended(state: State, guard: str, detail: str = "", *, question: bool = True) -> Flow[RunResult]:
    yield GuardTripped(guard, detail)
    if guard in CLOSED_AT_ONCE or not question:
        return state.result(state.best, ENDS[guard])
    state.history.append(Message("user", closing(state.prompt, state.task), note=True))
    yield StepStarted(state.number, state.mode, closing=True)
    reply = yield from turn(state, closing=True)
    state.use(reply.usage)
    if reply.failure is not None:
        return state.result(state.best, ENDS[guard], reply.failure.message)
    if reply.filtered:
        return _cut_by_filter(state, reply)
    record(state, reply)
    state.history.append(Message("assistant", kept(reply), reasoning=reply.reasoning))
    return state.result(_answer(reply) or state.best, ENDS[guard])
