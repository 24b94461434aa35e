"""The tools of a run, and the running of its calls.

In: tools, then calls.  Out: a `Result` for each call, whatever happens.  Rules: a call runs only when its arguments satisfy
the tool's schema, checked here once more; what a tool raises becomes a result of status "error", a cancellation of its own too;
KeyboardInterrupt, SystemExit and a cancellation of the run pass.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from react_agent.errors import ToolDefinitionError, UsageError
from react_agent.events import Note
from react_agent.expected import check, flag, many, number, whole
from react_agent.messages import Call, Result, RunResult, ToolSpec
from react_agent.schema import checker

from .attempts import PASSING, Failed, aattempted, attempted
from .context import RunContext
from .failures import tell
from .remembered import Remembered
from .results import Rendered, render, sendable
from .running import finish, together
from .spec import Tool, tool

MIN_OUTPUT = 200
DRY_RUN = "(A dry run: this was not done. Go on as if it had been.)"
Prepared = tuple[Call, RunContext]
Placed = tuple[int, Prepared]
ToolLike = Tool | Callable[..., Any] | Mapping[str, Any]
_EXPECTED = {
    "tools": many("a list of tools", "put one tool into brackets: tools=[my_tool]"),
    "max_output": whole(MIN_OUTPUT),
    "max_parallel": whole(1),
    "first_wait": number(unit="seconds"),
    "dry_run": flag,
}


class Toolbox:
    """Tools by name, and how to run them.

    `tools` are `Tool`s, functions, or OpenAI-style dicts with the function to run under "run" (see `as_tool`).  `max_output`
    is the greatest length of a result in characters; longer ones keep their beginning and end and get status "truncated".
    `max_parallel` calls run at a time.  `first_wait` is the longest wait in seconds before the first repetition of a call that
    met a failure that may pass; it doubles each time.  A `dry_run` runs pure tools only, and says of the
    others that they were not run.

    Raises:
        UsageError: two tools have one name, or a value is not what `_EXPECTED` says (`max_output`: 200 or more).
        ToolDefinitionError: something is not a tool and cannot be made one.
    """

    def __init__(
        self,
        tools: Iterable[ToolLike] = (),
        *,
        max_output: int = 20_000,
        max_parallel: int = 8,
        first_wait: float = 0.5,
        dry_run: bool = False,
    ) -> None:
        check(_EXPECTED, tools=tools, max_output=max_output, max_parallel=max_parallel, first_wait=first_wait, dry_run=dry_run)
        self._max_output = max_output
        self._max_parallel = max_parallel
        self._first_wait = first_wait
        self._dry_run = dry_run
        self._remembered = Remembered()
        self._tools: dict[str, Tool] = {}
        for item in tools:
            self._add(as_tool(item))

    def _add(self, new: Tool) -> None:
        if new.name in self._tools:
            raise UsageError(f'two tools are called "{new.name}"; give one of them another name: tool(function, name=...)')
        self._tools[new.name] = new

    def __copy__(self) -> Toolbox:
        """The same tools, with nothing remembered."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._tools = dict(self._tools)
        twin._remembered = Remembered()
        return twin

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told, in the order given."""
        return tuple(each.spec for each in self)

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name."""
        return self._tools.get(name)

    def run(self, call: Call, context: RunContext = RunContext()) -> Result:  # noqa: B008 - it is frozen
        """Run one call; an async tool runs on an event loop of its own."""
        begun = time.perf_counter()
        found = self._found(call)
        if not isinstance(found, Tool):
            return found
        return self._result(found, call, attempted(found, call, context, self._first_wait), begun)

    async def arun(self, call: Call, context: RunContext = RunContext()) -> Result:  # noqa: B008 - it is frozen
        """Run one call on the running event loop; a sync tool runs in a thread."""
        begun = time.perf_counter()
        found = self._found(call)
        if not isinstance(found, Tool):
            return found
        return self._result(found, call, await aattempted(found, call, context, self._first_wait), begun)

    def run_all(self, calls: Sequence[Prepared]) -> tuple[Result, ...]:
        """Run calls with their contexts; the results come in the order of the calls.

        Neighbours whose tools allow it (`Flags.parallel`) run at the same time, at most `max_parallel` of them.
        """
        results: dict[int, Result] = {}
        for _ in self.paced(calls, _into(results)):
            pass
        return tuple(results[at] for at in range(len(calls)))

    def paced(self, calls: Sequence[Prepared], note: Note) -> Iterator[None]:
        """As `run_all`, telling `note` of each call by its place: None before it begins, then its result, in whatever thread.

        It pauses where no call is running.
        """
        for overlapping, group in self._groups(calls, in_loop=False):
            if overlapping:
                finish(self._at_once(group, note))
                yield
                continue
            for at, each in group:
                note(at, None)
                note(at, self.run(*each))
                yield

    async def arun_all(self, calls: Sequence[Prepared]) -> tuple[Result, ...]:
        """As `run_all`, on the running event loop."""
        results: dict[int, Result] = {}
        async for _ in self.apaced(calls, _into(results)):
            pass
        return tuple(results[at] for at in range(len(calls)))

    async def apaced(self, calls: Sequence[Prepared], note: Note) -> AsyncGenerator[None, None]:
        """As `paced`, on the running event loop."""
        for overlapping, group in self._groups(calls, in_loop=True):
            if overlapping:
                await self._at_once(group, note)
                yield
                continue
            for at, each in group:
                await self._noted(at, each, note)
                yield

    async def _at_once(self, group: Sequence[Placed], note: Note) -> None:
        await together([functools.partial(self._noted, at, each, note) for at, each in group], self._max_parallel)

    async def _noted(self, at: int, prepared: Prepared, note: Note) -> None:
        note(at, None)
        note(at, await self.arun(*prepared))

    def _groups(self, calls: Sequence[Prepared], *, in_loop: bool) -> Iterator[tuple[bool, list[Placed]]]:
        """Calls with their places: those that may overlap, and those that may not, in order."""
        for overlapping, group in itertools.groupby(enumerate(calls), lambda each: self._may_overlap(each[1][0], in_loop)):
            found = list(group)
            yield overlapping and len(found) > 1, found

    def _may_overlap(self, call: Call, in_loop: bool) -> bool:
        found = self.get(call.name)
        if found is None or found.parallel is not None:
            return found is not None and bool(found.parallel)
        return not found.dangerous and (in_loop or found.is_async or found.pure)

    def _found(self, call: Call) -> Tool | Result:
        """The tool to run, or the result without running one."""
        runnable = self._runnable(call)
        if isinstance(runnable, Failed):
            return Result(call.id, call.name, sendable(runnable.text), "error")
        if self._dry_run and not runnable.pure:
            return Result(call.id, call.name, DRY_RUN)
        return self._remembered.find(runnable, call) or runnable

    def _runnable(self, call: Call) -> Tool | Failed:
        found = self.get(call.name)
        if found is None:
            names = ", ".join(self._tools) or "none"
            return Failed(f'Error: there is no tool "{call.name:.100}"; the tools are: {names}')
        problems = checker(found.parameters).problems(call.arguments)
        if problems:
            return Failed("Error: not run, the arguments are wrong: " + "; ".join(each.say("en") for each in problems))
        return found

    def _result(self, ran: Tool, call: Call, value: Any, begun: float) -> Result:
        shown = _rendered(value, self._max_output)
        seconds = time.perf_counter() - begun
        result = Result(call.id, call.name, shown.content, shown.status, seconds, shown.rest, shown.gap)
        self._remembered.keep(ran, call, result)
        return result


def _into(results: dict[int, Result]) -> Note:
    def note(at: int, result: Result | None) -> None:
        if result is not None:
            results[at] = result

    return note


def _rendered(value: Any, limit: int) -> Rendered:
    if isinstance(value, Failed):
        return Rendered(sendable(value.text), "error")
    if isinstance(value, BaseException):  # returned, as some tools do, instead of raised
        return Rendered(sendable(tell(value)), "error")
    if isinstance(value, RunResult):  # of an agent that the tool has run
        return _of_run(value, limit)
    try:
        return render(value, limit)
    except PASSING:
        raise
    except BaseException as error:  # the returned object's own code, such as a property that raises
        return Rendered(sendable(tell(error)), "error")


def _of_run(result: RunResult, limit: int) -> Rendered:
    """The answer of another agent; how its run ended where there is none."""
    if result.answer is not None:
        return render(result.answer, limit)
    return Rendered(sendable(f"Error: no answer, {result.outcome}: {result.error}".removesuffix(": ")), "error")


def as_tool(item: ToolLike) -> Tool:
    """The tool that `item` is or describes.

    A dict is OpenAI-style, with the function to run added:
    `{"type": "function", "function": {"name": …, "description": …, "parameters": {…}}, "run": add}`, or the same flat.

    Raises:
        ToolDefinitionError: it is none of these.
    """
    if isinstance(item, Tool):
        return item
    if isinstance(item, Mapping):
        return _of_dict(item)
    if callable(item):
        return tool(item)
    hint = "; put * before a list of tools" if isinstance(item, (list, tuple)) else ""
    raise ToolDefinitionError(f"a tool is a Tool, a function or a dict, but {type(item).__name__} came{hint}")


def _of_dict(item: Mapping[str, Any]) -> Tool:
    about = item.get("function", item)
    run = item.get("run")
    if not isinstance(about, Mapping) or "name" not in about or not callable(run):
        raise ToolDefinitionError('a tool given as a dict needs "name", "parameters" and the function to run under "run"')
    return Tool.from_schema(about["name"], about.get("description") or "", about.get("parameters") or {}, run)
