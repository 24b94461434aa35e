"""Runs one client in a Python that need not know this project: `python -m tests.clients.program NAME MODEL URL …`.

Out: for each address, whole and streamed, a line that begins with `TOLD`: JSON with the answer and the tools that ran, or the
error; exit code 3 when the client is not installed.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

from .task import made

NOT_INSTALLED = 3
TOLD = "told: "
"""Begins our lines, as clients print their own, some without an end."""


def main(name: str, model: str, *urls: str) -> int:
    try:
        client = import_module(f"tests.clients.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tests"):
            raise
        print(f"{name} wants {error.name}, which is not installed", file=sys.stderr)
        return NOT_INSTALLED
    for url in urls:
        for stream in (False, True):
            print("\n" + TOLD + json.dumps(_said(client, url, model, stream)), flush=True)
    return 0


def _said(client: Any, url: str, model: str, stream: bool) -> dict[str, Any]:
    made.clear()
    try:
        return {"answer": client.answer(url, model, stream), "made": made}
    except Exception as error:  # whatever a client raises is what the table tells
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
