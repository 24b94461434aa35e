"""Asks whoever may approve a call, and turns what is said into an `Approval`.

In: the user's function, if there is one, and the request.  Out: an approval for exactly the call that was asked about.  The
rule: no without anybody to ask, and no when asking fails.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from react_agent.events import Approve
from react_agent.messages import Approval
from react_agent.tools.running import finish

Approver = Callable[[Approve], bool | Approval | Awaitable[bool | Approval]]
"""Says whether a call may run; `Approval` to give a reason too."""
NOBODY = "nobody could be asked"


def approved(approve: Approver | None, request: Approve) -> Approval:
    """What `approve` says to the request."""
    if approve is None:
        return Approval(False, request.digest, NOBODY)
    try:
        said = approve(request)
        return _bound(finish(said) if inspect.isawaitable(said) else said, request)
    except Exception as error:
        return _failed(error, request)


async def aapproved(approve: Approver | None, request: Approve) -> Approval:
    """As `approved`, on the running event loop; a function that waits for the user should be async."""
    if approve is None:
        return Approval(False, request.digest, NOBODY)
    try:
        said = approve(request)
        return _bound(await said if inspect.isawaitable(said) else said, request)
    except Exception as error:
        return _failed(error, request)


def _bound(said: object, request: Approve) -> Approval:
    return said if isinstance(said, Approval) else Approval(said is True, request.digest)


def _failed(error: Exception, request: Approve) -> Approval:
    return Approval(False, request.digest, f"asking failed: {type(error).__name__}")
