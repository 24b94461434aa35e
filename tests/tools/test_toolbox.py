from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from react_agent.errors import ToolDefinitionError, Transient, UsageError
from react_agent.messages import Call, Outcome, Result, RunResult
from react_agent.tools import RunContext, Tool, Toolbox, as_tool, tool

Runner = Callable[[Toolbox, Call], Result]


def sync_run(box: Toolbox, call: Call) -> Result:
    return box.run(call)


def async_run(box: Toolbox, call: Call) -> Result:
    return asyncio.run(box.arun(call))


def sync_run_in_a_running_loop(box: Toolbox, call: Call) -> Result:
    async def inside() -> Result:
        return box.run(call)

    return asyncio.run(inside())


every_way = pytest.mark.parametrize("run", [sync_run, async_run, sync_run_in_a_running_loop])


def add(a: int, b: int = 1) -> int:
    return a + b


async def add_later(a: int, b: int = 1) -> int:
    await asyncio.sleep(0)
    return a + b


def add_by_promise(a: int) -> Any:
    """Not a coroutine function, and still something to await comes back."""
    return add_later(a)


class Even(pydantic.BaseModel):
    number: int

    @pydantic.field_validator("number")
    @classmethod
    def is_even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("must be even")
        return number


# --- what it holds ---------------------------------------------------------------------------------------------------


def test_specs_come_in_the_order_given() -> None:
    box = Toolbox([add, tool(add, name="plus")])
    assert [spec.name for spec in box.specs] == ["add", "plus"]
    assert [each.name for each in box] == ["add", "plus"]
    assert len(box) == 2
    assert box.get("plus") is not None
    assert box.get("Plus") is None


def test_openai_style_dicts() -> None:
    about = {"name": "sum", "description": "Adds.", "parameters": {"properties": {"a": {"type": "integer"}}}}
    for item in ({"type": "function", "function": about, "run": add}, {**about, "run": add}):
        made = as_tool(item)
        assert (made.name, made.description) == ("sum", "Adds.")
        assert Toolbox([item]).run(Call("sum", {"a": 2})).content == "3"


def test_two_tools_of_one_name() -> None:
    with pytest.raises(UsageError, match='two tools are called "add"'):
        Toolbox([add, tool(add)])


@pytest.mark.parametrize(
    ("item", "part"),
    [
        ([add], r"put \* before"),
        ("add", "str came"),
        ({"name": "x"}, '"run"'),
        ({"type": "function", "function": {"name": "x"}}, '"run"'),
        ({"run": add}, '"name"'),
        ({"name": None, "run": add}, "name"),
    ],
)
def test_what_is_no_tool(item: Any, part: str) -> None:
    with pytest.raises(ToolDefinitionError, match=part):
        Toolbox([item])


def test_the_limit_has_a_least_value() -> None:
    with pytest.raises(UsageError, match="at least 200"):
        Toolbox([], max_output=10)


# --- running ---------------------------------------------------------------------------------------------------------


@every_way
@pytest.mark.parametrize("function", [add, add_later, add_by_promise])
def test_sync_and_async_tools_run_everywhere(run: Runner, function: Callable[..., Any]) -> None:
    result = run(Toolbox([function]), Call(function.__name__, {"a": 2}, id="c1"))
    assert (result.call_id, result.name, result.content, result.status) == ("c1", function.__name__, "3", "ok")
    assert result.seconds > 0


@every_way
def test_the_context_reaches_the_tool(run: Runner) -> None:
    def whoami(context: RunContext) -> Any:
        return context.run_id or "nobody"

    assert run(Toolbox([whoami]), Call("whoami")).content == "nobody"


def test_the_context_of_a_run() -> None:
    def whoami(context: RunContext) -> Any:
        return [context.run_id, context.step, context.deps]

    context = RunContext("r", 2, {"user": "Lin"})
    box = Toolbox([whoami])
    assert box.run(Call("whoami"), context).content == '["r", 2, {"user": "Lin"}]'
    assert asyncio.run(box.arun(Call("whoami"), context)).content == '["r", 2, {"user": "Lin"}]'


@every_way
@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (Call("plus", {}, id="7"), ['no tool "plus"', "add"]),
        (Call("add", {"a": "2"}), ['"a" must be an integer', '"2"']),
        (Call("add", {}), ['"a" is missing']),
        (Call("add", {"a": 1, "c": 2}), ['"c" is not a known name', '"a", "b"']),
    ],
)
def test_nothing_that_is_invalid_runs(run: Runner, call: Call, parts: list[str]) -> None:
    ran = []

    def add(a: int, b: int = 1) -> int:
        ran.append(a)
        return a + b

    result = run(Toolbox([add]), call)
    assert (result.status, result.call_id, ran) == ("error", call.id, [])
    assert result.content.startswith("Error: ")
    assert all(part in result.content for part in parts)


@every_way
@pytest.mark.parametrize("error", [ValueError("no such part"), StopIteration("x"), RecursionError("x"), AssertionError("x")])
def test_what_a_tool_raises_is_told(run: Runner, error: Exception) -> None:
    def fail() -> None:
        raise error

    async def fail_later() -> None:
        raise error

    result = run(Toolbox([fail]), Call("fail"))
    assert (result.content, result.status) == (f"Error: {type(error).__name__}: {error}", "error")
    assert run(Toolbox([fail_later]), Call("fail_later")).status == "error"


@every_way
def test_an_exception_that_is_returned_is_told_like_one_that_is_raised(run: Runner) -> None:
    def look() -> Exception:
        return LookupError("no such part")

    result = run(Toolbox([look]), Call("look"))
    assert (result.status, result.content) == ("error", "Error: LookupError: no such part")


@pytest.mark.parametrize(
    ("end", "status", "content"),
    [
        (RunResult("It is 3.", Outcome.COMPLETED), "ok", "It is 3."),
        (RunResult("Near 3.", Outcome.STEP_LIMIT), "ok", "Near 3."),
        (RunResult(None, Outcome.RATE_LIMITED, error="wait"), "error", "Error: no answer, rate_limited: wait"),
        (RunResult(None, Outcome.LOOP_GUARD), "error", "Error: no answer, loop_guard"),
    ],
)
def test_what_a_run_in_a_tool_gives_is_its_answer(end: RunResult, status: str, content: str) -> None:
    def delegate() -> RunResult:
        return end

    result = Toolbox([delegate]).run(Call("delegate"))
    assert (result.status, result.content) == (status, content)


@pytest.mark.parametrize("run", [sync_run, async_run])
def test_what_a_tool_does_to_its_arguments_stays_with_it(run: Runner) -> None:
    seen = []

    def spoil(**arguments: Any) -> None:
        seen.append(len(arguments["rows"]["all"]))
        arguments["rows"]["all"].clear()
        raise Transient

    @tool(retries=1)
    def spoil_too(rows: dict[str, Any]) -> None:
        rows["all"].clear()

    schema = {"properties": {"rows": {"type": "object"}}}
    box = Toolbox([Tool.from_schema("spoil", "", schema, spoil, retries=1), spoil_too], first_wait=0)
    for name in ("spoil", "spoil_too"):
        call = Call(name, {"rows": {"all": [1, 2]}})
        run(box, call)
        assert call.arguments == {"rows": {"all": [1, 2]}}
    assert seen == [2, 2]


@every_way
def test_arguments_that_fit_the_schema_and_cannot_be_converted(run: Runner) -> None:
    def halve(even: Even) -> Any:
        return even

    result = run(Toolbox([halve]), Call("halve", {"even": {"number": 3}}))
    assert result.content == 'Error: ValueError: "even.number": Value error, must be even'
    made = Tool.from_model(Even, lambda even: even.number)
    assert run(Toolbox([made]), Call("Even", {"number": 3})).content == 'Error: ValueError: "number": Value error, must be even'


@every_way
def test_a_result_whose_own_code_fails_is_told(run: Runner) -> None:
    class Lazy(dict[str, Any]):
        def items(self) -> Any:
            raise OSError("connection lost")

    assert run(Toolbox([tool(lambda: Lazy(), name="get")]), Call("get")).content == "Error: OSError: connection lost"


@every_way
@pytest.mark.parametrize("call", [Call("\ud83d"), Call("add", {"a": "\ud83d"}), Call("fail"), Call("echo")])
def test_every_result_can_be_sent(run: Runner, call: Call) -> None:
    def fail() -> None:
        raise ValueError("half \ud83d")

    def echo() -> str:
        return "half \ud83d"

    assert run(Toolbox([add, fail, echo]), call).content.encode("utf-8")


@every_way
def test_statuses_of_results(run: Runner) -> None:
    def give(what: str) -> Any:
        return {"none": None, "rows": [], "long": "x" * 1_000}[what]

    box = Toolbox([give], max_output=300)
    assert run(box, Call("give", {"what": "none"})).status == "empty"
    assert run(box, Call("give", {"what": "rows"})).status == "empty"
    long = run(box, Call("give", {"what": "long"}))
    assert long.status == "truncated"
    assert len(long.content) <= 300


class Panic(BaseException):
    """As extensions written in other languages raise it: no Exception, and still only this tool's failure."""


async def wait_for_a_cancelled_task() -> None:
    waited = asyncio.ensure_future(asyncio.Event().wait())
    waited.cancel()
    await waited


async def cancel_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.Event().wait()


@every_way
@pytest.mark.parametrize("error", [asyncio.CancelledError(), GeneratorExit(), Panic("index out of bounds")])
def test_what_is_no_exception_is_told_too(run: Runner, error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def fail_later() -> None:
        raise error

    class Lazy(dict[str, Any]):
        def items(self) -> Any:
            raise error

    text = f"Error: {type(error).__name__}: {error}".removesuffix(": ")
    for function in (fail, fail_later, tool(lambda: Lazy(), name="get")):
        result = run(Toolbox([function]), Call(function.__name__ if not isinstance(function, Tool) else "get"))
        assert (result.content, result.status) == (text, "error")


@every_way
@pytest.mark.parametrize("function", [wait_for_a_cancelled_task, cancel_itself])
def test_a_cancellation_inside_a_tool_is_its_own(run: Runner, function: Callable[..., Any]) -> None:
    result = run(Toolbox([function]), Call(function.__name__))
    assert (result.content, result.status) == ("Error: CancelledError", "error")


@pytest.mark.parametrize("run", [sync_run, async_run])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_passes(run: Runner, error: type[BaseException]) -> None:
    def stop() -> None:
        raise error

    async def stop_later() -> None:
        raise error

    for function in (stop, stop_later):
        with pytest.raises(error):
            run(Toolbox([function]), Call(function.__name__))
    assert run(Toolbox([add_later]), Call("add_later", {"a": 1})).content == "2"


def test_cancellation_passes_and_reaches_the_tool() -> None:
    seen = []

    async def main() -> None:
        started = asyncio.Event()

        async def wait() -> None:
            started.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                seen.append("cancelled")
                raise

        task = asyncio.create_task(Toolbox([wait]).arun(Call("wait")))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert seen == ["cancelled"]


def test_a_sync_tool_does_not_block_the_loop() -> None:
    async def main() -> list[str]:
        go_on = threading.Event()

        def block() -> str:
            return str(go_on.wait(timeout=30))

        async def release() -> str:
            go_on.set()
            return "released"

        box = Toolbox([block, release])
        results = await asyncio.gather(box.arun(Call("block")), box.arun(Call("release")))
        return [result.content for result in results]

    assert asyncio.run(main()) == ["True", "released"]


def test_async_tools_of_sync_runs_share_one_loop() -> None:
    loops = set()

    async def look() -> None:
        loops.add(asyncio.get_running_loop())

    box = Toolbox([look])
    box.run(Call("look"))
    thread = threading.Thread(target=box.run, args=(Call("look"),))
    thread.start()
    thread.join()
    box.run(Call("look"))
    assert len(loops) == 1


def test_a_sync_run_inside_an_async_tool_of_a_sync_run() -> None:
    inner = Toolbox([add_later])

    async def outer() -> str:
        return inner.run(Call("add_later", {"a": 1})).content

    assert Toolbox([outer]).run(Call("outer")).content == "2"
