"""`react-agent chat`: a conversation; every line is a task that knows what was said before."""

from __future__ import annotations

import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import typer

from react_agent.agent import Agent
from react_agent.archive import load_conversation, save_conversation
from react_agent.messages import Conversation

from .options import (
    Allow,
    ApiKey,
    BaseUrl,
    Deny,
    DryRun,
    Files,
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
from .watch import watch

QUIT = "/quit"
COMMANDS = {
    "/help": "lists what can be done here",
    "/tools": "lists the tools",
    "/reset": "forgets the conversation",
    "/quit": "ends; /exit and Ctrl-D do too",
}
GREETING = "Write what is to be done. /help lists the commands, Ctrl-C stops a run."
Keep = Annotated[
    Path | None,
    typer.Option("--keep", metavar="FILE", help="Go on with the conversation in FILE, if it is there, and keep it there."),
]
HELP = "\n".join(f"{name:7} {words}" for name, words in COMMANDS.items())


def chat(
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
    keep: Keep = None,
    allow: Allow = None,
    deny: Deny = None,
    dry_run: DryRun = False,
) -> None:
    """Talk with a model that has tools.

    It remembers the conversation; /help inside lists what can be done.

    \b
    react-agent chat --local
    react-agent chat --base-url http://localhost:11434/v1 -m qwen3:8b --files notes
    """
    target = Target(model, base_url, api_key, mode, local, thinking=thinking)
    leave = Leave(tuple(allow or ()), tuple(deny or ()), dry_run)
    with started(target, tools or (), files, write=write, lang=lang, max_steps=max_steps, leave=leave) as agent:
        converse(agent, keep)


def converse(agent: Agent, keep: Path | None = None) -> None:
    """Read, run, remember, until the end of the input; with `keep`, in that file too.

    Raises:
        UsageError: the file holds no conversation, or cannot be written.
    """
    talk = load_conversation(keep) if keep and keep.exists() else Conversation()
    with suppress(ImportError):  # not on every system
        import readline  # noqa: F401 (importing it gives `input` line editing and a history)
    console = open_console(sys.stdout)
    console.print(GREETING, style="dim")
    while (line := read_line()) not in (QUIT, "/exit"):
        match line:
            case "":
                continue
            case "/reset":
                talk = _kept(Conversation(), keep)
            case "/tools":
                console.print("\n".join(tool.name for tool in agent.toolbox))
            case "/help":
                console.print(HELP, style="dim")
            case _ if _is_command(line):
                console.print(f"There is no {line.split()[0]}.\n{HELP}", style="dim", markup=False)
            case _:
                with closing(Report(console)) as report:
                    result = watch(agent.stream(line, history=talk), [report])
                talk = _kept(result.conversation, keep) if result.messages else talk


def _is_command(line: str) -> bool:
    """A path is none."""
    return line.startswith("/") and "/" not in line.split()[0][1:]


def _kept(talk: Conversation, keep: Path | None) -> Conversation:
    if keep:
        save_conversation(talk, keep)
    return talk


def read_line() -> str:
    """The next line without blanks around it; the end of the input is a `/quit`."""
    try:
        return input("> ").strip()
    except EOFError:
        return QUIT
