"""The commands in one table, and the one place where an error becomes a sentence and an exit code.

Exit codes: 0 done, 1 the run did not complete, 2 the user has to change something, 130 cancelled.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from react_agent.errors import ReactAgentError

from . import capabilities, models, trace
from .chat import chat
from .options import LocalCommand
from .parse import parse
from .probe import probe
from .proxy import proxy
from .run import run
from .smoke import smoke
from .terminal import clean, never_fail_on_characters


class Commands(TyperGroup):
    """Runs a command; what it raises for the user to read is printed without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        never_fail_on_characters()
        try:
            return super().invoke(ctx)
        except ReactAgentError as error:
            typer.echo(clean(str(error)), err=True)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"react-agent {version('react-agent')}")
        raise typer.Exit


@app.callback(
    epilog="Set OPENAI_BASE_URL and OPENAI_API_KEY to say once which server to use. NO_COLOR switches colours off.",
)
def main(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Let any language model use tools, also one without function calling.

    \b
    react-agent run "北京和上海今天哪个更热？"
    react-agent run --base-url http://localhost:11434/v1 -m qwen3 "What is 12.5% of 840?"
    react-agent parse reply.txt
    """


app.command(cls=LocalCommand)(run)
app.command(cls=LocalCommand)(chat)
app.command()(parse)
app.command()(proxy)
app.add_typer(models.app, name="models")
app.command(cls=LocalCommand)(smoke)
app.command(cls=LocalCommand)(probe)
app.add_typer(capabilities.app, name="capabilities")
app.add_typer(trace.app, name="trace")
