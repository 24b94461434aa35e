"""`react-agent parse`: what would be read in a reply, and why.

In: the text of a reply and the tools it was written for.  Out: calls, refusals, answer and thought, each with its reasons.
Nothing is run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from react_agent.errors import UsageError
from react_agent.messages import Call, Parsed, Rejected
from react_agent.parsing import Strictness
from react_agent.parsing import parse as parse_text
from react_agent.parsing.dialects import DIALECTS
from react_agent.parsing.dialects.models import for_model

from .explain import explanation_lines
from .options import Json
from .show import clip, show_arguments
from .terminal import clean, open_console
from .toolset import gather_tools

File = Annotated[str, typer.Argument(metavar="FILE", help="The text of a model's reply; without it, or with -, stdin.")]
Known = Annotated[
    list[str] | None,
    typer.Option("--tools", metavar="MODULE:ATTR|FILE.json", help="The tools the reply may call. Without it, a demo set."),
]
Level = Annotated[
    Strictness,
    typer.Option(
        metavar="strict|normal|loose",
        help="strict: wrapped or labelled calls, valid as written; loose: also calls in long prose or inside a sentence.",
    ),
]
Expected = Annotated[
    str, typer.Option(metavar="NAME", show_default=False, help="A dialect or model to expect: breaks ties among weak forms.")
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Also what each stretch was taken for, which rule decided, what fixes changed.")
]


def parse(
    file: File = "-",
    tools: Known = None,
    strictness: Level = "normal",
    dialect: Expected = "",
    explain: Explain = False,
    json_output: Json = False,
) -> None:
    """Show what would be read in a model's reply.

    Calls with their dialect and fixes, what was refused and why, answer and thought. Nothing is run.

    \b
    echo '<tool_call>{"name": "get_weather", "arguments": {"city": "北京"}}' | react-agent parse
    react-agent parse reply.txt --tools mytools:TOOLS --explain
    react-agent parse reply.txt --tools tools.json     # OpenAI-style tools, or name, description, parameters
    """
    expected = checked_hint(dialect)
    text = read_text(file)
    parsed = parse_text(text, read_tools(tools or ()), strictness, dialect=expected, explain=explain)
    if json_output:
        typer.echo(json.dumps(parsed.to_dict(), ensure_ascii=False))
        return
    console = open_console(sys.stdout)
    for line, style in report(text, parsed):
        console.print(clean(line), style=style or None)


def checked_hint(name: str) -> str:
    """The name of a dialect, or of a model of a known family.  A program may hint at any model; here a slip is told.

    Raises:
        UsageError: it is neither.
    """
    if name and name not in DIALECTS and not for_model(name):
        raise UsageError(
            f"--dialect {name!r:.60} is no dialect, and says of no model what it writes; a model is named as in "
            f"Qwen/Qwen3-8B or llama3.1, the dialects are {', '.join(sorted(DIALECTS))}"
        )
    return name


def report(text: str, parsed: Parsed) -> Iterator[tuple[str, str]]:
    """The lines of the report, each with its style."""
    for line in describe(parsed):
        yield line, ""
    yield from explanation_lines(text, parsed)


def read_text(file: str) -> str:
    """The text of a file, or of stdin; bytes that are no UTF-8 become replacement characters."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None
    return data.decode("utf-8", "replace")


def read_tools(names: Sequence[str]) -> list[Any]:
    """Tools of Python modules, and tool specifications of JSON files."""
    files = [name for name in names if name.endswith(".json")]
    modules = [name for name in names if name not in files]
    specs = [spec for file in files for spec in read_specs(file)]
    return [*specs, *(gather_tools(modules) if modules or not files else [])]


def read_specs(file: str) -> list[Any]:
    text = read_text(file)
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{file} is not JSON: {error}") from None
    return value if isinstance(value, list) else [value]


def describe(parsed: Parsed) -> Iterator[str]:
    """What was read."""
    for call in parsed.calls:
        yield from describe_call(call)
    for rejected in parsed.rejected:
        yield from describe_rejected(rejected)
    if parsed.thought:
        yield f"thought   {parsed.thought}"
    if parsed.answer is not None:
        yield f"answer    {parsed.answer}"
    if parsed.cut:
        yield "cut       the reply ends inside a value"
    if not (parsed.calls or parsed.rejected or parsed.thought or parsed.answer):
        yield "nothing   no call, no answer"


def describe_call(call: Call) -> Iterator[str]:
    yield f"call      {call.name}{show_arguments(call)}"
    yield f"          dialect {call.dialect}, evidence {call.evidence}, characters {'–'.join(map(str, call.span))}"
    for fix in call.fixes:
        yield f"          fix {fix.name} {fix.path} {fix.note}".rstrip()


def describe_rejected(rejected: Rejected) -> Iterator[str]:
    yield f"refused   {rejected.name or clip(rejected.text, 80)}: {rejected.reason}"
    for problem in rejected.problems:
        yield f"          {problem}"
