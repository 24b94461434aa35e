"""Which calls of a reply may run, and why the others may not.

In: the state and the reply.  Out: the calls to run, in order, and a slip for each of the others, by the id of the call.  The
judges are asked one after the other; the first that objects is told to the model.

Where a call needs the user's word (`Approve`), it is bound to the exact arguments: an approval that names other ones, or
arguments that have changed since, count as a denial.  A denied call is not asked about again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from react_agent.events import Approve, Flow, ask
from react_agent.messages import Call, Result
from react_agent.parsing.evidence import STRONG
from react_agent.schema import canonical
from react_agent.tools.failures import tell
from react_agent.tools.policy import RULINGS, Ruling

from .guards import Slip, earlier_results, may_run, same_call, used_up
from .objections import to_calls
from .paging import is_own
from .provenance import copied, dictated, of_the_user, recent_texts
from .reply import Reply
from .state import State


@dataclass(slots=True)
class Permission:
    """`allowed` calls are to be run; `refused` says by id why others are not.  `earlier` has by id what the same
    call gave before in this run."""

    earlier: dict[str, tuple[Result, ...]]
    allowed: list[Call] = field(default_factory=list)
    refused: dict[str, Slip] = field(default_factory=dict)

    def refuse(self, call_id: str, slip: Slip) -> None:
        self.refused[call_id] = slip
        self.allowed = [call for call in self.allowed if call.id != call_id]


def permission(state: State, reply: Reply) -> Flow[Permission]:
    """The verdict on the calls of a reply, after the user was asked about those that need it."""
    given = Permission({call.id: earlier_results(state.steps, call) for call in reply.parsed.calls})
    rulings = {call.id: _ruling(state, call) for call in reply.parsed.calls}
    for call in reply.parsed.calls:
        slip = _repeated(state, call, given) or _used_up(state, call, given.allowed)
        slip = slip or _forbidden(state, call, *rulings[call.id])
        if slip is None:
            given.allowed.append(call)
        else:
            given.refused[call.id] = slip
    _without_copies(state, reply, given)
    for call_id, slip in to_calls(state, reply, given.allowed).items():
        given.refuse(call_id, slip)
    for call in tuple(given.allowed):
        why = _needs_word(state, reply, call, rulings[call.id][0], given)
        if why and (reason := (yield from _denied(state, call, why))) is not None:
            given.refuse(call.id, Slip("denied", call.name, problems=(reason,) if reason else ()))
    return given


def digest(call: Call) -> str:
    """The call as one text: same tool and same arguments, same text."""
    return canonical({"name": call.name, "arguments": call.arguments})


# --- judges that decide alone ----------------------------------------------------------------------------------------


def _repeated(state: State, call: Call, given: Permission) -> Slip | None:
    if call.name in state.traits.repeatable:
        return None
    again = any(same_call(call, other) for other in given.allowed)
    return Slip("repeated", call.name) if again or (given.earlier[call.id] and not _may_run(state, call)) else None


def _may_run(state: State, call: Call) -> bool:
    once, command = call.name in state.traits.once, call.name in state.traits.commands
    return may_run(state.steps, call, once=once, limit=state.settings.limits.max_repeats, command=command)


def _used_up(state: State, call: Call, allowed: list[Call]) -> Slip | None:
    limit = state.traits.max_calls.get(call.name)
    if limit is None:
        return None
    now = sum(other.name == call.name for other in allowed)
    return Slip("used_up", call.name) if used_up(state.steps, call.name, limit, now) else None


def _forbidden(state: State, call: Call, ruling: Ruling | None, fault: str) -> Slip | None:
    if ruling == "deny" or (state.denied and digest(call) in state.denied):
        return Slip("denied", call.name, problems=(fault,) if fault else ())
    return None


def _ruling(state: State, call: Call) -> tuple[Ruling | None, str]:
    """What the user's policy says, and what is wrong with the policy: one that fails, or says nothing known, says no."""
    if state.traits.policy is None or is_own(state, call):
        return None, ""
    try:
        said = state.traits.policy(call)
    except Exception as error:  # the user's code: a run must not end in it, nor a call run because of it
        return "deny", f"the policy failed: {tell(error)}"
    if said is None or said in RULINGS:
        return said, ""
    return "deny", f"the policy said {said!r:.40}, which is none of {', '.join(RULINGS)}"


def _without_copies(state: State, reply: Reply, given: Permission) -> None:
    texts = recent_texts(state.history)
    for call in tuple(given.allowed) if texts else ():
        harmless = is_own(state, call) or call.name in state.traits.pure
        written = reply.text[slice(*call.span)] if call.span and not reply.native else ""
        if not harmless and not _made_before(given, call) and copied(call, written, texts, state.tools):
            given.refuse(call.id, Slip("copied", call.name))


def _made_before(given: Permission, call: Call) -> bool:
    """Whether the run made this call already; what its result says of it is no order."""
    return any(result.status != "refused" for result in given.earlier[call.id])


# --- the user's word -------------------------------------------------------------------------------------------------


def _needs_word(state: State, reply: Reply, call: Call, ruling: Ruling | None, given: Permission) -> str:
    """Why the user must be asked about a call; empty when it may run."""
    dangerous, acts = call.name in state.traits.dangerous, call.name in state.traits.acting
    if dangerous and (call.fixes or call.evidence not in STRONG):
        return "unclear"
    if (dangerous or acts) and not _made_before(given, call) and _dictated(state, call):
        return "dictated"
    if acts and reply.leaked and call.evidence not in STRONG and reply.text[slice(*call.span)].strip() in state.task:
        return "quoted"
    if ruling == "ask":
        return "policy"
    return "dangerous" if dangerous and ruling != "allow" else ""


def _dictated(state: State, call: Call) -> bool:
    return dictated(call, of_the_user(state.history), recent_texts(state.history))


def _denied(state: State, call: Call, why: str) -> Flow[str | None]:
    """The reason of a denial, maybe empty; None when the call is approved."""
    wanted = digest(call)
    approval = yield from ask(Approve(call, wanted, why, state.number))
    if approval.allowed and approval.digest == wanted == digest(call):
        return None
    state.denied.add(wanted)
    return approval.reason
