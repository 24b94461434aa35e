"""Calls that take too long, fail for a while, or run beside one another.  Nothing here measures time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from react_agent.errors import ToolDefinitionError, Transient, UsageError
from react_agent.messages import Call, Result
from react_agent.tools import RunContext, Tool, Toolbox, tool
from react_agent.tools.attempts import LONGEST, Failed, _wait
from react_agent.tools.context import key_of

Runner = Callable[[Toolbox, Call], Result]


def blocking(box: Toolbox, call: Call) -> Result:
    return box.run(call)


def in_loop(box: Toolbox, call: Call) -> Result:
    return asyncio.run(box.arun(call))


every_way = pytest.mark.parametrize("run", [blocking, in_loop])


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Shut until the test is over, so that no thread stays behind."""
    event = threading.Event()
    yield event
    event.set()


# --- timeouts --------------------------------------------------------------------------------------------------------


@every_way
def test_a_sync_tool_that_does_not_end_is_left_alone(run: Runner, gate: threading.Event) -> None:
    def stuck() -> str:
        gate.wait(30)
        return "late"

    result = run(Toolbox([tool(stuck, timeout=0.01)]), Call("stuck", id="c"))
    assert (result.call_id, result.status) == ("c", "error")
    assert result.content == "Error: TimeoutError: no result within 0.01 s; it may still be running"


@every_way
def test_an_async_tool_that_does_not_end_is_cancelled(run: Runner) -> None:
    ended = threading.Event()

    async def stuck() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    result = run(Toolbox([tool(stuck, timeout=0.01)]), Call("stuck"))
    assert result.content == "Error: TimeoutError: no result within 0.01 s"
    assert ended.is_set()


@every_way
def test_a_tool_that_ends_in_time_is_not_touched(run: Runner) -> None:
    async def later() -> str:
        await asyncio.sleep(0)
        return "done"

    def at_once() -> str:
        return "done"

    def fails() -> None:
        raise ValueError("no such part")

    assert run(Toolbox([tool(later, timeout=30)]), Call("later")).content == "done"
    assert run(Toolbox([tool(at_once, timeout=30)]), Call("at_once")).content == "done"
    assert run(Toolbox([tool(fails, timeout=30)]), Call("fails")).content == "Error: ValueError: no such part"


@every_way
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_passes_out_of_a_tool_with_a_timeout(run: Runner, error: type[BaseException]) -> None:
    def stop() -> None:
        raise error

    with pytest.raises(error):
        run(Toolbox([tool(stop, timeout=30)]), Call("stop"))


def test_a_timeout_is_not_repeated(gate: threading.Event) -> None:
    begun = []

    def stuck() -> None:
        begun.append(1)
        gate.wait(30)

    Toolbox([tool(stuck, timeout=0.01, retry_on=(TimeoutError,))], first_wait=0).run(Call("stuck"))
    assert begun == [1]


# --- repetitions -----------------------------------------------------------------------------------------------------


class Shaky:
    """Fails so often with `error`, then works; sync and async."""

    def __init__(self, times: int, error: Exception) -> None:
        self.left, self.error, self.tries = times, error, 0

    def now(self) -> str:
        self.tries += 1
        if self.tries <= self.left:
            raise self.error
        return "fine"

    async def later(self) -> str:
        await asyncio.sleep(0)
        return self.now()


@every_way
@pytest.mark.parametrize("way", ["now", "later"])
@pytest.mark.parametrize(
    ("error", "flags", "tries", "content"),
    [
        (Transient("busy"), {}, 3, "fine"),
        (OSError("reset"), {"retry_on": (OSError,)}, 3, "fine"),
        (ConnectionResetError("reset"), {"retry_on": (OSError,)}, 3, "fine"),
        (OSError("reset"), {}, 1, "Error: OSError: reset"),
        (Transient("busy"), {"retries": 1}, 2, "Error: Transient: busy"),
        (Transient("busy"), {"retries": 0}, 1, "Error: Transient: busy"),
    ],
)
def test_what_may_pass_is_tried_again(run: Runner, way: str, error: Exception, flags: Any, tries: int, content: str) -> None:
    shaky = Shaky(2, error)
    result = run(Toolbox([tool(getattr(shaky, way), **flags)], first_wait=0), Call(way))
    assert (shaky.tries, result.content) == (tries, content)


def test_waits_double_and_are_bounded() -> None:
    waits = [_wait(Failed("x", transient=True), attempt, 2_000, 0.5) for attempt in (1, 2, 3, 1_999)]
    spans = [(0.25, 0.5), (0.5, 1), (1, 2), (LONGEST / 2, LONGEST)]
    assert all(wait is not None and low <= wait <= high for wait, (low, high) in zip(waits, spans, strict=True))
    assert _wait(Failed("x", transient=True, after=3.0), 1, 2, 0.5) == 3.0
    assert _wait(Failed("x", transient=True, after=1e9), 1, 2, 0.5) == LONGEST
    assert _wait(Failed("x", transient=True), 3, 2, 0.5) is None
    assert _wait(Failed("x"), 1, 2, 0.5) is None


@every_way
def test_the_key_stays_the_same_from_one_attempt_to_the_next(run: Runner) -> None:
    keys = []

    def pay(amount: int, context: RunContext) -> str:
        keys.append(context.idempotency_key)
        if len(keys) < 3:
            raise Transient("busy")
        return "paid"

    call = Call("pay", {"amount": 5})
    Toolbox([pay], first_wait=0).run(call, RunContext("r", idempotency_key=key_of("r", call, 0)))
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert keys[0] == key_of("r", Call("pay", {"amount": 5.0}, id="other"), 0)
    assert len({keys[0], key_of("r", call, 1), key_of("s", call, 0), key_of("r", Call("pay", {"amount": 6}), 0)}) == 4


@pytest.mark.parametrize(
    "flags",
    [{"timeout": 0}, {"timeout": float("nan")}, {"retries": -1}, {"max_calls": 0}, {"retry_on": OSError}, {"retry_on": ("x",)}],
)
def test_flags_that_cannot_work(flags: Any) -> None:
    with pytest.raises(ToolDefinitionError, match='tool "look"'):
        tool(lambda: None, name="look", **flags)


# --- at the same time ------------------------------------------------------------------------------------------------


class Meeting:
    """Tools that can only end when so many of them run at once; `most` is how many did."""

    def __init__(self, wanted: int) -> None:
        self.barrier = threading.Barrier(wanted)
        self.now = self.most = 0
        self.threads: set[int] = set()
        self._lock = threading.Lock()

    def meet(self, number: int) -> int:
        self.enter()
        self.barrier.wait(30)
        with self._lock:
            self.now -= 1
        return number

    def alone(self, number: int) -> int:
        self.enter()
        self.now -= 1
        return number

    def enter(self) -> None:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.threads.add(threading.get_ident())


def prepared(name: str, count: int) -> list[tuple[Call, RunContext]]:
    return [(Call(name, {"number": number}, id=f"c{number}"), RunContext()) for number in range(count)]


def all_blocking(box: Toolbox, calls: list[tuple[Call, RunContext]]) -> tuple[Result, ...]:
    return box.run_all(calls)


def all_in_loop(box: Toolbox, calls: list[tuple[Call, RunContext]]) -> tuple[Result, ...]:
    return asyncio.run(box.arun_all(calls))


all_ways = pytest.mark.parametrize("run_all", [all_blocking, all_in_loop])


@all_ways
@pytest.mark.parametrize("flags", [{"parallel": True}, {"pure": True}])
def test_calls_of_one_reply_run_at_the_same_time(run_all: Any, flags: Any) -> None:
    meeting = Meeting(4)
    results = run_all(Toolbox([tool(meeting.meet, **flags)]), prepared("meet", 4))
    assert [(result.call_id, result.content) for result in results] == [(f"c{n}", str(n)) for n in range(4)]
    assert meeting.most == 4


@all_ways
def test_async_tools_run_at_the_same_time(run_all: Any) -> None:
    waiting: list[asyncio.Event] = []

    async def meet(number: int) -> int:
        waiting.append(asyncio.Event())
        if len(waiting) == 3:
            for event in waiting:
                event.set()
        await waiting[-1].wait()
        return number

    assert [result.content for result in run_all(Toolbox([meet]), prepared("meet", 3))] == ["0", "1", "2"]


@all_ways
def test_no_more_than_the_limit_run_at_a_time(run_all: Any) -> None:
    meeting = Meeting(2)
    run_all(Toolbox([tool(meeting.meet, parallel=True)], max_parallel=2), prepared("meet", 6))
    assert meeting.most == 2
    with pytest.raises(UsageError, match="max_parallel"):
        Toolbox([], max_parallel=0)


@all_ways
@pytest.mark.parametrize("flags", [{"parallel": False}, {"dangerous": True}])
def test_some_tools_never_run_beside_others(run_all: Any, flags: Any) -> None:
    meeting = Meeting(1)
    results = run_all(Toolbox([tool(meeting.alone, **flags)]), prepared("alone", 3))
    assert [result.content for result in results] == ["0", "1", "2"]
    assert meeting.most == 1


def test_a_sync_tool_of_a_sync_run_stays_in_the_callers_thread() -> None:
    meeting = Meeting(1)
    Toolbox([meeting.alone]).run_all(prepared("alone", 3))
    assert meeting.threads == {threading.get_ident()}


@all_ways
def test_one_that_fails_takes_no_other_with_it(run_all: Any) -> None:
    @tool(parallel=True)
    def halve(number: int) -> float:
        return 1 / (number - 1)

    results = run_all(Toolbox([halve]), [*prepared("halve", 3), (Call("gone", id="g"), RunContext())])
    assert [result.status for result in results] == ["ok", "error", "ok", "error"]


def test_an_interrupt_in_one_of_several_passes() -> None:
    @tool(parallel=True)
    def stop(number: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Toolbox([stop]).run_all(prepared("stop", 2))


# --- remembered ------------------------------------------------------------------------------------------------------


@every_way
def test_the_result_of_a_pure_tool_is_remembered(run: Runner) -> None:
    asked = []

    @tool(pure=True)
    def square(n: float) -> float:
        asked.append(n)
        return n * n

    box = Toolbox([square])
    first, second = run(box, Call("square", {"n": 2}, id="a")), run(box, Call("square", {"n": 2.0}, id="b"))
    assert (first.content, second.content, second.call_id, asked) == ("4.0", "4.0", "b", [2])
    assert run(box, Call("square", {"n": 3})).content == "9.0"


def _counting(asked: list[int], **flags: Any) -> Tool:
    def look(context: RunContext) -> int:
        asked.append(1)
        return len(asked)

    return tool(look, **flags)


def test_what_is_not_only_a_matter_of_arguments_is_not_remembered() -> None:
    asked: list[int] = []
    box = Toolbox([_counting(asked, pure=True)])
    assert [box.run(Call("look")).content for _ in range(2)] == ["1", "2"]


def test_failures_are_not_remembered() -> None:
    shaky = Shaky(1, ValueError("not now"))
    box = Toolbox([tool(shaky.now, pure=True)])
    assert [box.run(Call("now")).status for _ in range(2)] == ["error", "ok"]


def test_the_store_is_bounded() -> None:
    asked: list[int] = []

    @tool(pure=True)
    def look(n: int) -> int:
        asked.append(n)
        return n

    box = Toolbox([look])
    for number in [*range(300), 0, 299]:
        box.run(Call("look", {"n": number}))
    assert asked == [*range(300), 0]
