"""Results of calls that a run was ended in the middle of: every call has one, so that the conversation can go on.

In: the calls of a reply, and as they run, that one has begun and what it gave.  Out: a result for each call, in their order.
Of one without a real result it says whether it may have been done: only when it had begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from react_agent.messages import Call, Result

STOPPED = "Error: no result, as the run was stopped; it may have been done"
NOT_BEGUN = "Error: not run, as the run was stopped"
NO_TIME = "Error: not run, as the time for the run was up"


@dataclass(slots=True)
class Given:
    """What `calls` have given so far; other threads may note it."""

    calls: Sequence[Call]
    _begun: set[int] = field(default_factory=set)
    _results: dict[int, Result] = field(default_factory=dict)
    _over: bool = False

    def note(self, at: int, result: Result | None) -> None:
        """A `Note`; it lets no call begin once all have been told as ended."""
        if result is not None:
            self._results[at] = result
            return
        self._begun.add(at)
        if self._over:
            raise KeyboardInterrupt("the run was stopped")

    @property
    def complete(self) -> bool:
        """Whether every call has its result."""
        return len(self._results) >= len(self.calls)

    def ended(self, why: str) -> tuple[Result, ...]:
        """A result for each; `why` is the content of those of calls that never began."""
        self._over = True  # before it is seen which have begun
        return tuple(self._result(at, call, why) for at, call in enumerate(self.calls))

    def _result(self, at: int, call: Call, why: str) -> Result:
        begun = at in self._begun
        return self._results.get(at) or Result(call.id, call.name, STOPPED if begun else why, "error")
