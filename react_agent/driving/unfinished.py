"""Results of calls that a run was ended in the middle of: every call has one, so that the conversation can go on.

In: the calls of a reply, the results there are, in their order, and why there are no more.  Out: a result for each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from react_agent.messages import Call, Result

STOPPED = "Error: no result, as the run was stopped; it may have been done"
NO_TIME = "Error: not run, as the time for the run was up"


@dataclass(slots=True)
class Given:
    """The results so far of `calls`."""

    calls: Sequence[Call]
    results: list[Result] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every call has one."""
        return len(self.results) >= len(self.calls)

    def ended(self, why: str = "") -> tuple[Result, ...]:
        """All of them; `why` there is no real one is the content of the others."""
        rest = self.calls[len(self.results) :] if why else ()
        return (*self.results, *(Result(call.id, call.name, why, "error") for call in rest))
