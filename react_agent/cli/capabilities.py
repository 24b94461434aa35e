"""`react-agent capabilities`: what was learnt of the servers that were used, and forgetting it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from react_agent.models.capability import SHARED

from .options import Json
from .terminal import clean

app = typer.Typer(rich_markup_mode=None, invoke_without_command=True)

Url = Annotated[str, typer.Option("--base-url", metavar="URL", help="Forget only what is known of this server.")]


@app.callback()
def show(ctx: typer.Context, json_output: Json = False) -> None:
    """Show what was learnt of servers and models, the newest first, and how long ago.

    Facts come from real answers, are good for 14 days, and keep refusals from being met again.
    `capabilities clear --base-url URL` forgets one server, for example one that is gone.
    """
    if ctx.invoked_subcommand is not None:
        return
    ages = SHARED.ages()
    known = sorted(((key, facts) for key, facts in SHARED.known().items() if key in ages), key=lambda item: ages[item[0]])
    if json_output:
        rows = [
            {"base_url": url, "model": model, "age": round(ages[url, model]), "facts": facts.known()}
            for (url, model), facts in known
        ]
        typer.echo(json.dumps(rows, ensure_ascii=False))
    for (url, model), facts in known if not json_output else ():
        said = ", ".join(f"{name} {_word(value)}" for name, value in facts.known().items())
        typer.echo(clean(f"{url}  {model}  ({_ago(ages[url, model])})\n    {said}"))
    if not known and not json_output:
        typer.echo("Nothing is known yet.")


@app.command()
def clear(base_url: Url = "") -> None:
    """Forget it, so that it is learnt again."""
    gone = SHARED.clear(base_url)
    for url, model in gone:
        typer.echo(clean(f"Forgot {url}  {model}"))
    if not gone:
        typer.echo(clean(f"Nothing was known{f' of {base_url}' if base_url else ''}."))


def _ago(seconds: float) -> str:
    """In the largest unit of which there is one."""
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if (count := int(seconds // length)) > 0:
            return f"{count} {unit}{'s' * (count > 1)} ago"
    return "just now"


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
