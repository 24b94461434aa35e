"""The bridges between sync and async: an async tool in a sync run, a sync tool in an async run.

`finish` runs an awaitable to its end from sync code, on one event loop of the tools' own that lives in a thread of its own, so
that clients which belong to a loop can be used from call to call, and so that it works inside a running loop too.
`in_task` runs an awaitable apart from the task that waits for it, `within` for some seconds only, `in_thread` a sync function
beside the event loop, and `in_own_thread` one that may have to be given up.
"""

from __future__ import annotations

import atexit
import contextvars
import functools
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

T = TypeVar("T")
GRACE = 1.0
"""Seconds that a cancelled tool has to clean up."""
_starting = threading.Lock()


def finish(awaitable: Awaitable[T]) -> T:
    """What `awaitable` gives, from sync code; an interrupt cancels it."""
    import asyncio

    with _starting:
        loop = _tool_loop(os.getpid())
    if _running_loop() is loop:  # called by sync code that an async tool has called
        return _given(_on_a_new_loop(awaitable))
    future = asyncio.run_coroutine_threadsafe(_carried(awaitable), loop)
    try:
        return _given(future.result())
    except BaseException:
        future.cancel()
        raise


async def in_task(awaitable: Awaitable[T]) -> T:
    """What `awaitable` gives, run in a task of its own, so that one that cancels its task does not cancel the caller.

    Cancelling the caller cancels that task too, and goes on when it has ended.
    """
    import asyncio

    inner = asyncio.ensure_future(_carried(awaitable))
    cancelled: asyncio.CancelledError | None = None
    while not inner.done():
        try:
            await asyncio.wait({inner})
        except asyncio.CancelledError as error:
            cancelled = error
            inner.cancel()
    if cancelled is not None:
        raise cancelled
    return _given(inner.result())


async def within(awaitable: Awaitable[T], seconds: float) -> T:
    """What `awaitable` gives, run in a task of its own; after `seconds` it is cancelled, and after `GRACE` more left alone.

    Raises:
        TimeoutError: it had not ended in time.
    """
    import asyncio

    inner = asyncio.ensure_future(_carried(awaitable))
    try:
        await asyncio.wait({inner}, timeout=seconds)
        if inner.done():
            return _given(inner.result())
        raise TimeoutError
    finally:
        if not inner.done():
            inner.cancel()
            await asyncio.wait({inner}, timeout=GRACE)


async def together(jobs: Sequence[Callable[[], Awaitable[T]]], at_most: int) -> list[T]:
    """What the jobs give, in their order; `at_most` run at a time.  What one raises is raised when all have ended."""
    import asyncio

    gate = asyncio.Semaphore(at_most)

    async def one(job: Callable[[], Awaitable[T]]) -> T:
        async with gate:
            return await job()

    return [_given(carried) for carried in await asyncio.gather(*(_carried(one(job)) for job in jobs))]


async def in_own_thread(function: Callable[[], T]) -> T:
    """As `in_thread`, in a thread of its own: one that never ends holds up neither other calls nor the end of the program."""
    import asyncio

    loop = asyncio.get_running_loop()
    given: asyncio.Future[T | _Raised] = loop.create_future()

    def settle(value: T | _Raised) -> None:
        if not given.done():
            given.set_result(value)

    def work() -> None:
        value = _tried(function)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, value)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="react_agent tool", daemon=True).start()
    return _given(await given)


async def in_thread(function: Callable[[], T]) -> T:
    """What `function` gives, run in a thread; when the waiting task is cancelled, the thread goes on by itself."""
    import asyncio

    return await asyncio.to_thread(function)


def _running_loop() -> AbstractEventLoop | None:
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


@dataclass(frozen=True, slots=True)
class _Raised:
    """What was raised, on its way out of an event loop: KeyboardInterrupt and SystemExit would stop the loop."""

    error: BaseException


async def _carried(awaitable: Awaitable[T]) -> T | _Raised:
    try:
        return await awaitable
    except BaseException as error:
        return _Raised(error)


def _tried(function: Callable[[], T]) -> T | _Raised:
    try:
        return function()
    except BaseException as error:
        return _Raised(error)


def _given(carried: T | _Raised) -> T:
    if isinstance(carried, _Raised):
        raise carried.error
    return carried


@functools.cache
def _tool_loop(_process: int) -> AbstractEventLoop:
    """The loop of the tools: one per process, as a forked process has no thread that runs its parent's."""
    import asyncio

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="react_agent tools", daemon=True)
    thread.start()
    atexit.register(_stop, loop, thread)
    return loop


def _stop(loop: AbstractEventLoop, thread: threading.Thread) -> None:
    if thread.is_alive():
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=5)
    if not loop.is_running():
        loop.close()


def _on_a_new_loop(awaitable: Awaitable[T]) -> T | _Raised:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, _carried(awaitable)).result()
