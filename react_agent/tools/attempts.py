"""One call of a tool, tried until it gives a value or fails for good, and no longer than its time.

In: the tool, its call and context.  Out: what it gave, or `Failed`.  Never an exception but those that end more than a call.
Failures that may pass (`Transient`, or what the tool lists in `retry_on`) are repeated after waits that double, each drawn
from its upper half so that calls that failed together do not come back together.  The timeout holds for the whole of it, so a
call that ran out of time is not repeated: a sync tool may still be at it.
"""

from __future__ import annotations

import copy
import inspect
import math
import random
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from react_agent.errors import Transient
from react_agent.messages import Call

from .context import RunContext
from .failures import tell
from .running import finish, in_own_thread, in_task, in_thread, within
from .spec import Tool

PASSING = (KeyboardInterrupt, SystemExit)
"""What ends more than a call."""
OUT_OF_TIME = "Error: TimeoutError: no result within"
"""Begins the text of a call that its own time limit has ended."""
LONGEST = 30.0
"""Seconds of the longest wait before a repetition."""


@dataclass(frozen=True, slots=True)
class Failed:
    """In place of a result: the text that tells what went wrong; `transient`: it may work after `after` seconds."""

    text: str
    transient: bool = False
    after: float | None = None


def attempted(tool: Tool, call: Call, context: RunContext, first_wait: float) -> Any:
    """What a call gives, from sync code; a sync tool without a timeout runs in the calling thread."""
    if tool.is_async or tool.timeout is not None:
        return finish(aattempted(tool, call, context, first_wait))
    value, attempt = _here(tool, call, context), 1
    while (wait := _wait(value, attempt, tool.retries, first_wait)) is not None:
        time.sleep(wait)
        value, attempt = _here(tool, call, context), attempt + 1
    return value


async def aattempted(tool: Tool, call: Call, context: RunContext, first_wait: float) -> Any:
    """What a call gives, on the running event loop; a sync tool runs in a thread."""
    if tool.timeout is None:
        return await _repeated(tool, call, context, first_wait)
    try:
        return await within(_repeated(tool, call, context, first_wait), tool.timeout)
    except TimeoutError:
        still = "" if tool.is_async else "; it may still be running"
        return Failed(f"{OUT_OF_TIME} {tool.timeout:g} s{still}")


async def _repeated(tool: Tool, call: Call, context: RunContext, first_wait: float) -> Any:
    import asyncio

    value, attempt = await _beside(tool, call, context), 1
    while (wait := _wait(value, attempt, tool.retries, first_wait)) is not None:
        await asyncio.sleep(wait)
        value, attempt = await _beside(tool, call, context), attempt + 1
    return value


def _here(tool: Tool, call: Call, context: RunContext) -> Any:
    """One attempt in the calling thread."""
    value = _called(tool, call, context)
    return finish(_awaited(value, tool, call)) if inspect.isawaitable(value) else value


async def _beside(tool: Tool, call: Call, context: RunContext) -> Any:
    """One attempt that leaves the event loop free."""
    if tool.is_async:
        value = _called(tool, call, context)
    else:
        beside = in_thread if tool.timeout is None else in_own_thread
        value = await beside(lambda: _called(tool, call, context))
    return await in_task(_awaited(value, tool, call)) if inspect.isawaitable(value) else value


def _called(tool: Tool, call: Call, context: RunContext) -> Any:
    """What the tool gives, or how it failed: never an exception, as a StopIteration cannot leave a thread or a coroutine.

    It gets arguments of its own: what it does to them changes neither the history nor the next attempt.
    """
    try:
        return tool.call(copy.deepcopy(call.arguments), context)
    except PASSING:
        raise
    except BaseException as error:
        return _failed(error, tool, call)


async def _awaited(value: Awaitable[Any], tool: Tool, call: Call) -> Any:
    try:
        return await value
    except PASSING:
        raise
    except BaseException as error:
        return _failed(error, tool, call)


def _failed(error: BaseException, tool: Tool, call: Call) -> Failed:
    after = error.after if isinstance(error, Transient) else None
    return Failed(tell(error, call.arguments), isinstance(error, (Transient, *tool.retry_on)), after)


def _wait(value: Any, attempt: int, retries: int, first: float) -> float | None:
    """Seconds to wait before the call is repeated; None when it is not."""
    if not isinstance(value, Failed) or not value.transient or attempt > retries:
        return None
    if value.after is not None:
        return min(max(value.after, 0.0), LONGEST)
    return random.uniform(0.5, 1) * min(math.ldexp(first, min(attempt - 1, 60)), LONGEST)
