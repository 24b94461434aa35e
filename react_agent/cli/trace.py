"""`react-agent trace`: what happened in a run, told for people; the figures of many; the file that `run --trace` writes.

A file that can no longer be written ends the trace with a sentence on stderr, and not the run: the answer is worth more than
its record.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from react_agent.driving.ports import Confidential, Model
from react_agent.errors import UsageError
from react_agent.events import Event
from react_agent.messages import Json
from react_agent.redacting import Redactor, secrets_of
from react_agent.tracing import RunTrace, Stats, read, stats

from . import options
from .story import story
from .terminal import clean, open_console
from .watch import Watcher

app = typer.Typer(help="Look at the traces of runs.", no_args_is_help=True, rich_markup_mode=None)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A trace: `run --trace FILE` or Agent(trace=…) writes it.")]
TraceFiles = Annotated[list[Path], typer.Argument(metavar="FILE…", help="Traces.")]
Prompts = Annotated[bool, typer.Option("--prompts", help="Show what the model was sent, message by message.")]
Whole = Annotated[bool, typer.Option("--full", help="Show long texts whole.")]


@app.command()
def show(file: File, prompts: Prompts = False, full: Whole = False) -> None:
    """Tell what happened in the runs of a trace, step by step.

    \b
    react-agent run --trace run.jsonl "北京和上海今天哪个更热？"
    react-agent trace show run.jsonl
    """
    console = open_console(sys.stdout)
    for run in read(file):
        for line, style in story(run, prompts=prompts, full=full):
            console.print(clean(line), style=style or None)


@app.command("stats")
def show_stats(files: TraceFiles, json_output: options.Json = False) -> None:
    """Add up the runs of traces: durations, calls, failures, rounds.

    \b
    react-agent trace stats traces/*.jsonl
    """
    found = stats(run for file in files for run in read(file))
    typer.echo(json.dumps(found.to_dict(), ensure_ascii=False) if json_output else _table(found))


def _table(found: Stats) -> str:
    outcomes = ", ".join(f"{name} {count}" for name, count in found.outcomes.items())
    guards = ", ".join(f"{name} {count}" for name, count in found.guards.items()) or "none"
    rows: Json = {
        "runs": f"{found.runs} ({outcomes})",
        "not completed": f"{found.failure_rate:.1%}",
        "duration": f"{found.seconds:.2f} s a run",
        "rounds": f"{found.rounds:.1f} replies a run",
        "model calls": f"{found.model_calls}, {found.model_seconds:.2f} s each",
        "tool calls": f"{found.tool_calls}, {found.tool_seconds:.2f} s each, {found.tool_failure_rate:.1%} failed",
        "corrections": str(found.corrections),
        "repetitions": str(found.retries),
        "guards": guards,
        "tokens": f"{found.prompt_tokens} read, {found.completion_tokens} written",
    }
    return "\n".join(f"{name:<14} {clean(value)}" for name, value in rows.items())


@contextmanager
def trace_to(path: Path, model: Model) -> Iterator[Watcher]:
    """A watcher that writes to `path`, replacing what was there.

    Raises:
        UsageError: the file cannot be opened.
    """
    try:
        file = path.open("w", encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot write the trace {path}: {error.strerror}") from None
    secrets = model.secrets() if isinstance(model, Confidential) else ()
    try:
        yield _Watched(path, lambda: RunTrace(file, model=model.name, redact=Redactor((*secrets, *secrets_of()))))
    finally:
        with suppress(OSError):  # what could not be written was told
            file.close()


class _Watched:
    """Writes until the file takes no more."""

    def __init__(self, path: Path, begin: Callable[[], RunTrace]) -> None:
        self._path = path
        self._begin: Callable[[], RunTrace] | None = begin
        self._trace: RunTrace | None = None

    def __call__(self, event: Event) -> None:
        if self._begin is None:
            return
        try:
            self._trace = self._trace or self._begin()
            self._trace(event)
        except OSError as error:
            self._begin = None
            typer.echo(f"the trace {self._path} is not complete: {error.strerror}", err=True)
