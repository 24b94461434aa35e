"""`react-agent probe`: which mode and dialect does this model do best?  What is found is what `run` and `chat` then use.

Exit code 0 when a way can be recommended, 1 when none has solved anything.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from react_agent.driving.ports import Model as AnyModel
from react_agent.models.local import LocalModel
from react_agent.models.openai import OpenAIModel
from react_agent.probing import TASKS, Attempt, Row, Trial, best, rows
from react_agent.probing import probe as measure

from .connect import connect
from .options import ApiKey, BaseUrl, Json, Local, Model, Target
from .terminal import clean, open_console
from .waiting import Waiting

NOTHING = (
    "No way has solved a task. Nothing is recommended, and nothing is remembered: auto begins as before. The model may be too "
    "small for tools, or its server may cut or garble its replies: `react-agent smoke` and `run --mode text` show what it says."
)
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, max=len(TASKS), help="Tasks to try; fewer say less, and take less time.")
]
Seconds = Annotated[
    float, typer.Option("--max-seconds", metavar="S", min=1, help="Time for all of it; what is known then is what counts.")
]
Forget = Annotated[bool, typer.Option("--no-save", help="Only look: do not remember what is recommended.")]


def probe(
    model: Model = "",
    base_url: BaseUrl = "",
    api_key: ApiKey = "",
    local: Local = "",
    limit: Limit = 4,
    max_seconds: Seconds = 600,
    no_save: Forget = False,
    json_output: Json = False,
) -> None:
    """Measure which mode and dialect a model does best.

    Small tasks in Chinese and English, in every way that the server knows. The best one is remembered: `run` and `chat` use it
    with --mode auto. Exit code 0 when there is one, else 1.

    \b
    react-agent probe --base-url http://localhost:8000/v1 -m qwen3:8b
    react-agent probe --local --limit 2 --max-seconds 300 --no-save
    """
    with connect(Target(model, base_url, api_key, local=local)) as found:
        attempts = _watched(found, limit, max_seconds)
        table, chosen = rows(attempts), best(rows(attempts))
        if chosen is not None and not no_save:
            _remember(found, chosen.trial)
        continues = found.continues() if isinstance(found, (OpenAIModel, LocalModel)) and chosen is not None else None
        said = _as_json(found, attempts, table, chosen, continues) if json_output else None
    if said is not None:
        typer.echo(json.dumps(said, ensure_ascii=False))
    else:
        _show(table, chosen, continues, saved=not no_save)
    raise typer.Exit(0 if chosen else 1)


def _watched(model: AnyModel, limit: int, seconds: float) -> list[Attempt]:
    """The attempts, each told on stderr when it ends; on a terminal a line counts meanwhile."""
    attempts: list[Attempt] = []
    waiting = Waiting(sys.stderr) if sys.stderr.isatty() else None
    made = measure(model, tasks=TASKS[:limit], seconds=seconds)
    while (attempt := _next(made, waiting)) is not None:
        attempts.append(attempt)
        typer.echo(clean(_line(attempt)), err=True)
    return attempts


def _next(made: Iterator[Attempt], waiting: Waiting | None) -> Attempt | None:
    if waiting is None:
        return next(made, None)
    waiting.start("probing")
    try:
        return next(made, None)
    finally:
        waiting.stop()


def _line(attempt: Attempt) -> str:
    verdict = "solved" if attempt.solved else str(attempt.outcome) if attempt.available else "not available"
    return f"{_name(attempt.trial):<28}{attempt.task:<12}{verdict:<16}{attempt.seconds:6.1f} s"


def _name(trial: Trial) -> str:
    return f"{trial.mode} {trial.dialect}".strip()


def _remember(model: AnyModel, trial: Trial) -> None:
    if isinstance(model, (OpenAIModel, LocalModel)):
        model.recommend(trial.mode, trial.dialect)


def _as_json(
    model: AnyModel, attempts: list[Attempt], table: tuple[Row, ...], chosen: Row | None, continues: bool | None
) -> dict[str, object]:
    return {
        "model": model.name,
        "recommended": chosen.trial.to_dict() if chosen else None,
        "assistant_prefix": continues,
        "rows": [{**row.to_dict(), "tokens_per_solved": row.tokens_per_solved} for row in table],
        "attempts": [attempt.to_dict() for attempt in attempts],
    }


def _show(table: tuple[Row, ...], chosen: Row | None, continues: bool | None, *, saved: bool) -> None:
    shown = Table(box=None, pad_edge=False)
    shown.add_column("way")
    for heading in ("solved", "tokens per solved", "seconds per task"):
        shown.add_column(heading, justify="right")
    for row in table:
        cost = f"{row.tokens_per_solved:.0f}" if row.tokens_per_solved else ""
        solved = f"{row.solved} of {row.tried}" if row.available else "not available"
        shown.add_row(_name(row.trial), solved, cost, f"{row.seconds / row.tried:.1f}", style="bold" if row is chosen else "")
    console = open_console(sys.stdout)
    console.print(shown)
    if chosen is None:
        console.print(NOTHING, soft_wrap=True)
    else:
        console.print(f"Recommended: {_name(chosen.trial)}{' (remembered)' if saved else ''}")
    if continues is not None:
        console.print(f"A last message of the assistant is {'continued' if continues else 'not continued'}.")
