"""`react-agent models`: the models that run on this machine."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from react_agent.errors import ReactAgentError, WeightsError
from react_agent.models import weights

from .fetch import ready
from .options import Json
from .terminal import clean

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="List, fetch and find models for this machine.")

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="A name from `models list`; without it, REACT_AGENT_MODEL, else the default."),
]


@app.command("list")
def list_models(json_output: Json = False) -> None:
    """Show the models that can be fetched.

    What is wrong with REACT_AGENT_MODEL is said on stderr.
    """
    for entry in weights.catalogue():
        path = weights.find(entry)
        if json_output:
            typer.echo(json.dumps({**entry.to_dict(), "path": str(path) if path else None}, ensure_ascii=False))
        else:
            state = str(path) if path else "not here"
            mark = "default" if entry.name == weights.DEFAULT else ""
            typer.echo(f"{entry.name:<22}{entry.size / 1e9:5.1f} GB  {entry.licence:<12}{mark:<9}{state}")
    try:
        weights.find()
    except ReactAgentError as error:
        typer.echo(f"REACT_AGENT_MODEL: {clean(str(error))}", err=True)


@app.command("pull")
def pull_model(name: Name = None) -> None:
    """Fetch a model and write its path.

    An interrupted fetch goes on where it stopped.
    """
    typer.echo(ready(name))


@app.command("path")
def model_path(name: Name = None) -> None:
    """Write the path of a model that is here.

    Exit code 1 when it is not.
    """
    try:
        typer.echo(weights.locate(name))
    except WeightsError as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None
