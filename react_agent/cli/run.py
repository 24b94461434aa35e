"""`react-agent run`: one task, live."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Annotated, TextIO

import typer

from react_agent.errors import UsageError

from .lines import JsonLines
from .options import (
    Allow,
    ApiKey,
    BaseUrl,
    Deny,
    DryRun,
    Files,
    Json,
    Lang,
    Leave,
    Local,
    MaxSteps,
    Mode,
    Model,
    Target,
    Thinking,
    Tools,
    Write,
)
from .show import Report
from .start import started
from .terminal import open_console
from .trace import trace_to
from .watch import Watcher, exit_code, watch

Task = Annotated[str, typer.Argument(metavar="TASK", help="What to do; - reads it from stdin.")]
Trace = Annotated[
    Path | None,
    typer.Option("--trace", metavar="FILE", help="Write what happens to FILE, without keys, for `trace show`."),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Write what goes over the line to FILE, for ReplayModel: without your own keys, but with all that is said.",
    ),
]


def run(
    task: Task,
    model: Model = "",
    base_url: BaseUrl = "",
    api_key: ApiKey = "",
    mode: Mode = "auto",
    thinking: Thinking = None,
    local: Local = "",
    lang: Lang = "auto",
    tools: Tools = None,
    files: Files = None,
    write: Write = False,
    max_steps: MaxSteps = 10,
    allow: Allow = None,
    deny: Deny = None,
    dry_run: DryRun = False,
    json_output: Json = False,
    trace: Trace = None,
    record: Record = None,
) -> None:
    """Do a task with tools, live.

    Thoughts, actions, observations and the answer are shown as they come, in the language of the task.

    \b
    react-agent run "北京和上海今天哪个更热？温差多少度？"
    react-agent run --base-url http://localhost:11434/v1 -m qwen3:8b "What is 12.5% of 840?"
    react-agent run --tools mytools:TOOLS --files notes "Sum up my notes" --trace run.jsonl
    echo "What time is it?" | react-agent run --json - | jq .event

    Exit code: 0 completed, 1 not completed, 2 something to change, 130 cancelled (Ctrl-C).
    """
    words = read_task(task)
    target = Target(model, base_url, api_key, mode, local, record, thinking)
    leave = Leave(tuple(allow or ()), tuple(deny or ()), dry_run)
    with ExitStack() as stack:
        watchers: list[Watcher] = [JsonLines(sys.stdout) if json_output else stack.enter_context(report_on(sys.stdout))]
        agent = stack.enter_context(
            started(target, tools or (), files, write=write, lang=lang, max_steps=max_steps, leave=leave)
        )
        if trace:
            watchers.append(stack.enter_context(trace_to(trace, agent.model)))
        result = watch(agent.stream(words), watchers)
    raise typer.Exit(exit_code(result))


def report_on(stream: TextIO) -> closing[Report]:
    return closing(Report(open_console(stream)))


def read_task(task: str) -> str:
    """The task itself, or what stdin says.

    Raises:
        UsageError: the task is no text, or empty: said before anything is fetched or asked.
    """
    words = sys.stdin.buffer.read().decode("utf-8", "replace") if task == "-" else read_argument(task)
    if not words.strip():
        raise UsageError("the task is empty: say what is to be done")
    return words


def read_argument(argument: str) -> str:
    """An argument as text; in a locale without its characters (`LC_ALL=C`) they came as bytes, which are read as UTF-8."""
    with suppress(UnicodeEncodeError):
        argument.encode("utf-8")
        return argument
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        raise UsageError("the task is no text in UTF-8: set the locale to that of your terminal, or pipe the task in") from None
