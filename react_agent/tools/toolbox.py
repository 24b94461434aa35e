"""The tools of a run, and the running of one call.

In: tools, then calls.  Out: a `Result` for each call, whatever happens.  Rules: a call runs only when its arguments satisfy
the tool's schema, checked here once more; what a tool raises becomes a result of status "error", a cancellation of its own too;
KeyboardInterrupt, SystemExit and a cancellation of the run pass.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from react_agent.errors import ToolDefinitionError, UsageError
from react_agent.messages import Call, Result, Status, ToolSpec
from react_agent.schema import checker

from .context import RunContext
from .failures import tell
from .results import render, sendable
from .running import finish, in_task, in_thread
from .spec import Tool, tool

MIN_OUTPUT = 200
PASSING = (KeyboardInterrupt, SystemExit)
"""What ends more than a call."""
ToolLike = Tool | Callable[..., Any] | Mapping[str, Any]


class Toolbox:
    """Tools by name, and how to run them.

    `tools` are `Tool`s, functions, or OpenAI-style dicts with the function to run under "run" (see `as_tool`).  `max_output`
    is the greatest length of a result in characters; longer ones keep their beginning and end and get status "truncated".

    Raises:
        UsageError: two tools have one name, or `max_output` is below 200.
        ToolDefinitionError: something is not a tool and cannot be made one.
    """

    def __init__(self, tools: Iterable[ToolLike] = (), *, max_output: int = 20_000) -> None:
        if max_output < MIN_OUTPUT:
            raise UsageError(f"max_output must be at least {MIN_OUTPUT} characters, but {max_output} came")
        self._max_output = max_output
        self._tools: dict[str, Tool] = {}
        for item in tools:
            self._add(as_tool(item))

    def _add(self, new: Tool) -> None:
        if new.name in self._tools:
            raise UsageError(f'two tools are called "{new.name}"; give one of them another name: tool(function, name=...)')
        self._tools[new.name] = new

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
        runnable = self._runnable(call)
        value = runnable if isinstance(runnable, _Failed) else _attempt(runnable, call, context)
        if inspect.isawaitable(value):
            value = finish(_attempt_await(value, call))
        return self._result(call, value, begun)

    async def arun(self, call: Call, context: RunContext = RunContext()) -> Result:  # noqa: B008 - it is frozen
        """Run one call on the running event loop; a sync tool runs in a thread."""
        begun = time.perf_counter()
        runnable = self._runnable(call)
        if isinstance(runnable, _Failed):
            return self._result(call, runnable, begun)
        if runnable.is_async:
            value = _attempt(runnable, call, context)
        else:
            value = await in_thread(lambda: _attempt(runnable, call, context))
        if inspect.isawaitable(value):
            value = await in_task(_attempt_await(value, call))
        return self._result(call, value, begun)

    def _runnable(self, call: Call) -> Tool | _Failed:
        found = self.get(call.name)
        if found is None:
            names = ", ".join(self._tools) or "none"
            return _Failed(f'Error: there is no tool "{call.name:.100}"; the tools are: {names}')
        problems = checker(found.parameters).problems(call.arguments)
        if problems:
            return _Failed("Error: not run, the arguments are wrong: " + "; ".join(each.say("en") for each in problems))
        return found

    def _result(self, call: Call, value: Any, begun: float) -> Result:
        content, status = _rendered(value, self._max_output)
        return Result(call.id, call.name, content, status, time.perf_counter() - begun)


@dataclass(frozen=True, slots=True)
class _Failed:
    """In place of a result: the text that tells what went wrong."""

    text: str


def _attempt(chosen: Tool, call: Call, context: RunContext) -> Any:
    """What the tool gives, or how it failed: never an exception, as a StopIteration cannot leave a thread or a coroutine."""
    try:
        return chosen.call(call.arguments, context)
    except PASSING:
        raise
    except BaseException as error:
        return _Failed(tell(error, call.arguments))


async def _attempt_await(value: Any, call: Call) -> Any:
    try:
        return await value
    except PASSING:
        raise
    except BaseException as error:
        return _Failed(tell(error, call.arguments))


def _rendered(value: Any, limit: int) -> tuple[str, Status]:
    if isinstance(value, _Failed):
        return sendable(value.text), "error"
    try:
        return render(value, limit)
    except PASSING:
        raise
    except BaseException as error:  # the returned object's own code, such as a property that raises
        return sendable(tell(error)), "error"


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
