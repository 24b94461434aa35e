"""Objections: what a model is about to do is sent back to it once, with a sentence that says why.

In: the state of a run, and a reply with an answer or with calls.  Out: the slip to tell the model, or none.  A guard counts
what goes wrong and ends runs in the end; an objection looks at one answer or call, doubts it, and ends nothing: a model that
says the same again is taken at its word, as it may know better.  So each kind, answers and calls, is objected to once in a run.

One file per judge, each of the form `case.Judge`, and one line per judge in `TABLE`, which has them in the order in which they
are asked; the first that objects is told, as an event `Corrected`.  The words they look for stand in `engine/words`, the
sentences for the model in `prompts/<language>/correction/<reason>`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from react_agent.engine.guards import Slip
from react_agent.engine.reply import Reply
from react_agent.engine.state import State
from react_agent.messages import Call

from .announced import announced
from .case import Case, Judge
from .claimed import claimed
from .invented import invented
from .passing import passing
from .reckoned import reckoned
from .rethought import rethought
from .unbracketed import unbracketed
from .ungrounded import from_nowhere, ungrounded
from .unreckoned import unreckoned


@dataclass(frozen=True, slots=True)
class Objection:
    """A line of the table.

    `usable`: the answer is no lie, so it is quoted to the model, and given when nothing better comes.
    """

    reason: str
    of: Literal["answer", "call"]
    judge: Judge
    usable: bool = False


TABLE = (
    Objection("announced", "answer", announced, usable=True),
    Objection("invented", "answer", invented),
    Objection("passing", "answer", passing, usable=True),
    Objection("claimed", "answer", claimed, usable=True),
    Objection("unreckoned", "answer", unreckoned, usable=True),
    Objection("unbracketed", "call", unbracketed),
    Objection("reckoned", "call", reckoned),
    Objection("ungrounded", "call", ungrounded),
    Objection("rethought", "call", rethought),
)

USABLE = frozenset(objection.reason for objection in TABLE if objection.usable)
"""Reasons for which an answer that was sent back may still be given."""


def to_answer(state: State, reply: Reply) -> Slip | None:
    """The objection to the answer of a reply."""
    return _asked(state, "answer", (Case(reply),))[0]


def to_calls(state: State, reply: Reply, calls: Sequence[Call]) -> dict[str, Slip]:
    """The objections to calls of a reply, by their ids."""
    slips = _asked(state, "call", [Case(reply, call) for call in calls])
    return {call.id: slip for call, slip in zip(calls, slips, strict=True) if slip is not None}


def _asked(state: State, kind: Literal["answer", "call"], cases: Sequence[Case]) -> list[Slip | None]:
    if kind in state.objected:
        return [None] * len(cases)
    slips = [_first(state, kind, case) for case in cases]
    if any(slips):
        state.objected.add(kind)
        state.doubted.update(case.call.name for case, slip in zip(cases, slips, strict=True) if slip and case.call)
    return slips


def _first(state: State, kind: Literal["answer", "call"], case: Case) -> Slip | None:
    for objection in TABLE:
        if objection.of == kind and (found := objection.judge(state, case)) is not None:
            quote = case.answer if objection.usable else ""
            return Slip(objection.reason, found.name, quote, found.problems)
    return None


__all__ = ["TABLE", "USABLE", "Objection", "from_nowhere", "to_answer", "to_calls"]
