"""An answer that comes too early: a call failed in a way that may pass, nobody has tried it again, and nothing was found since.

Whether a failure may pass is told by its own words, as results of tools have no codes.  Only a tool that is known to look is
called again: a payment that timed out may have gone through, a row may have been written.  A call that has used up the time its
tool may take is left alone: it had its chance, and may still be running.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from react_agent.engine.guards import same_call
from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english
from react_agent.messages import Result, Step
from react_agent.tools.attempts import OUT_OF_TIME

from .case import Case, Found

_LOOKED_AT = 2000  # characters of a failure or a task
_REACH = 3  # steps
_MAY_PASS = either(english.MAY_PASS, chinese.MAY_PASS)
_NO_RETRY = either(english.NO_RETRY, chinese.NO_RETRY)


def passing(state: State, case: Case) -> Found | None:
    """The tool whose failure may pass, when its call was made only once and the task does not forbid to repeat it."""
    if not state.steps or _NO_RETRY.search(state.task[:_LOOKED_AT]):
        return None
    for result in _last_failures(state):
        if worth_another(state, result) and _only_try(state.steps, result):
            return Found(result.name)
    return None


def _last_failures(state: State) -> Iterator[Result]:
    """The failures of the last step, and of those before it if only look-ups that found nothing came since."""
    for step in reversed(state.steps[-_REACH:]):
        yield from (result for result in step.results if result.status == "error")
        if not all(result.status == "error" or _found_nothing(state, result) for result in step.results):
            return


def _found_nothing(state: State, result: Result) -> bool:
    return result.name in state.traits.looking and result.status == "empty"


def worth_another(state: State, result: Result) -> bool:
    """Whether a result is a failure that may pass, of a tool that does no harm when it is called again."""
    failed = result.status == "error" and not result.content.startswith(OUT_OF_TIME)
    return failed and result.name in state.traits.looking and may_pass(result.content)


def may_pass(failure: str) -> bool:
    """Whether the words of a failure say that the same call may succeed a little later."""
    return _MAY_PASS.search(failure[:_LOOKED_AT]) is not None


def _only_try(steps: Sequence[Step], result: Result) -> bool:
    call = next((call for step in reversed(steps) for call in step.calls if call.id == result.call_id), None)
    return call is not None and sum(same_call(call, other) for step in steps for other in step.calls) == 1
