"""`react-agent smoke`: does it work with this endpoint?  Exit code 0 when a tool task is solved, else 1."""

from __future__ import annotations

import json
import sys

import typer

from .connect import connect
from .findings import Finding, findings
from .options import ApiKey, BaseUrl, Json, Local, Mode, Model, Target
from .show import clip
from .terminal import clean, open_console

MARKS = {True: ("yes", "green"), False: ("no", "yellow"), None: ("note", "dim")}


def smoke(
    model: Model = "",
    base_url: BaseUrl = "",
    api_key: ApiKey = "",
    mode: Mode = "auto",
    local: Local = "",
    json_output: Json = False,
) -> None:
    """Try an endpoint: what can it do?

    Is it there, does it stream, does it have native tools, does it solve a tool task? Exit code 0 when it does, else 1.

    \b
    react-agent smoke --base-url http://localhost:8000/v1
    react-agent smoke --local
    """
    seen: list[Finding] = []
    with connect(Target(model, base_url, api_key, mode, local)) as found:
        for finding in findings(found):
            seen.append(finding)
            if not json_output:
                show(finding)
    passed = bool(seen[-1].works)
    if json_output:
        typer.echo(json.dumps({"passed": passed, "findings": [each.to_dict() for each in seen]}, ensure_ascii=False))
    raise typer.Exit(0 if passed else 1)


def show(finding: Finding) -> None:
    word, style = MARKS[finding.works]
    console = open_console(sys.stdout)
    console.print(f"{finding.name:<14}", end="")
    console.print(f"{word:<6}", style=style, end="")
    console.print(clean(clip(finding.detail, 300)))
