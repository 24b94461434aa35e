"""The options that several commands share: their names, help texts and what they are gathered in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from react_agent.driving.ports import ModeChoice
from react_agent.engine.settings import LangChoice
from react_agent.models.weights import catalogue

DEFAULT_LOCAL = "default"
"""What `--local` without a name means."""


@dataclass(frozen=True, slots=True)
class Target:
    """Which model to talk to, as the user said it; empty text means not said."""

    model: str = ""
    base_url: str = ""
    api_key: str = ""
    mode: ModeChoice = "auto"
    local: str = ""
    record: Path | None = None
    thinking: bool | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """What tools may do without asking: names that are allowed and denied, and whether it is all a dry run."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    dry_run: bool = False


class LocalCommand(TyperCommand):
    """A command whose `--local` may stand without a name, also before the task.

    So `--local "What is 2 + 2?"` is a task and `--local model.gguf` is a model.  A word that names no model is a task when one
    is wanted; where it would be one word too many, it is a name after all, and its model is said not to exist.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        spelled = spell_out_local(args, names_weights)
        _, too_many, _ = self.make_parser(ctx).parse_args(list(spelled))
        return super().parse_args(ctx, spell_out_local(args, lambda _: True) if too_many else spelled)


def spell_out_local(arguments: list[str], is_name: Callable[[str], bool]) -> list[str]:
    """`--local` gets the default where no name follows; an option or the end is no name, a word when `is_name` says so."""
    spelled = list(arguments)
    end = spelled.index("--") if "--" in spelled else len(spelled)
    for place in (at for at in range(end) if spelled[at] == "--local"):
        follows = spelled[place + 1 : end]
        if not follows or follows[0].startswith("-") or not is_name(follows[0]):
            spelled[place] = f"--local={DEFAULT_LOCAL}"
    return spelled


def names_weights(word: str) -> bool:
    """True for a name of the catalogue or a .gguf file."""
    return word.endswith(".gguf") or word in {entry.name for entry in catalogue()}


Model = Annotated[str, typer.Option("--model", "-m", metavar="NAME", help="Name of the model at its server.")]
BaseUrl = Annotated[
    str,
    typer.Option(
        "--base-url", metavar="URL", envvar="OPENAI_BASE_URL", help="OpenAI-compatible server, e.g. http://localhost:11434/v1."
    ),
]
ApiKey = Annotated[
    str, typer.Option("--api-key", metavar="KEY", envvar="OPENAI_API_KEY", show_default=False, help="Key for that server.")
]
Mode = Annotated[
    ModeChoice,
    typer.Option(
        metavar="auto|native|constrained|text",
        help="native: the server's function calling; text: tools in the prompt; constrained: text that the server holds to the "
        "form; auto: native, the others where it fails.",
    ),
]
Thinking = Annotated[
    bool | None,
    typer.Option(
        "--thinking/--no-thinking",
        show_default=False,
        help="Switch the reasoning of a model that can do with and without; else the server decides.",
    ),
]
Local = Annotated[
    str,
    typer.Option("--local", metavar="[NAME]", help="Use a model on this machine: a name from `models list` or a .gguf file."),
]
Lang = Annotated[LangChoice, typer.Option(metavar="auto|zh|en", help="Language of the prompts; auto: that of the task.")]
Tools = Annotated[
    list[str] | None,
    typer.Option("--tools", metavar="MODULE:ATTR", help="Tools to offer; may be repeated. Without it, a demo set."),
]
Files = Annotated[
    Path | None,
    typer.Option("--files", metavar="ROOT", help="Add tools that list and read files inside ROOT, nowhere else."),
]
Write = Annotated[bool, typer.Option("--write", help="With --files: also a tool that writes files there.")]
MaxSteps = Annotated[int, typer.Option("--max-steps", metavar="N", min=1, help="Turns of the model before it must answer.")]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="NAME", help="Run this tool without asking; may hold * and be repeated."),
]
Deny = Annotated[
    list[str] | None,
    typer.Option("--deny", metavar="NAME", help="Never run this tool; may hold * and be repeated."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Run only tools that change nothing; say of others that they were not run.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")]
