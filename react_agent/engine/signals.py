"""The one exception that a driver may throw into a flow: end the run now, with everything known so far."""

from __future__ import annotations

from react_agent.messages import Outcome


class StopRun(Exception):  # noqa: N818  a signal, not an error
    """`flow.throw(StopRun(Outcome.CANCELLED))` makes the flow yield `RunFinished` with that outcome and return.

    Never leaves the package: the loop turns it into a result.
    """

    def __init__(self, outcome: Outcome, reason: str = "") -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason
