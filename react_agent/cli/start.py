"""An agent as the user set it up: the model, the tools, the language and the limits that `run` and `chat` share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from react_agent.agent import Agent
from react_agent.engine.settings import LangChoice
from react_agent.errors import UsageError
from react_agent.tools import Rules, Tool

from .asking import ask
from .connect import connect
from .options import Leave, Target
from .toolset import gather_tools


@contextmanager
def started(
    target: Target, tools: Sequence[str], files: Path | None, *, write: bool, lang: LangChoice, max_steps: int, leave: Leave
) -> Iterator[Agent]:
    """The agent, whose model is open as long as the `with` block.

    Raises:
        UsageError: --allow or --deny names no tool, which may be a slip that lets the wrong ones run.
        UsageError, WeightsError: as `gather_tools` and `connect` do.
    """
    offered = gather_tools(tools, files, write=write)
    _check("--allow", leave.allow, offered)
    _check("--deny", leave.deny, offered)
    with connect(target) as model:
        yield Agent(
            model,
            tools=offered,
            lang=lang,
            max_steps=max_steps,
            policy=Rules(allow=leave.allow, deny=leave.deny),
            approve=ask,
            dry_run=leave.dry_run,
        )


def _check(option: str, patterns: Sequence[str], tools: Sequence[Tool]) -> None:
    names = [tool.name for tool in tools]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UsageError(f"{option} {pattern} fits no tool; there are: {', '.join(names)}")
