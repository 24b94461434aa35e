"""Every client of others on the task, straight to an upstream and through the proxy: a table of what gets solved.

    python -m tests.clients [NAME …] [--upstream scripted | URL] [--model M] [--python PATH] … [--npm FOLDER]

`scripted` is two servers whose model cannot be given tools (`upstreams`); a URL is a real one, ending in /v1.  Clients in
Python run under the first `--python` that has them, by default this one; those in JavaScript need a folder in which their
packages are installed.  A client that is not installed is skipped, and the table says so.  Exit code 1: one fails through
the proxy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.serving.proxying import proxy
from tests.support.server import ScriptedServer

from .program import NOT_INSTALLED, TOLD
from .task import TASK, solved
from .upstreams import leaking, refusing

HERE = Path(__file__).parent
NAMES = (
    "openai_chat", "openai_responses", "anthropic_messages", "langchain_agent", "llama_index_agent", "pydantic_ai_agent",
    "openai_agents_chat", "openai_agents_responses", "smolagents_agent", "litellm_completion", "npm_openai", "npm_ai_sdk",
)  # fmt: skip
MISSING = "not installed"
SOLVED = "solved"
PATIENCE = 900.0
WIDE = 26

Said = dict[str, Any]
Runner = Callable[[str, Sequence[str]], "list[Said] | None"]


def main(arguments: Sequence[str]) -> int:
    asked = _arguments(arguments)
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="react-agent-clients-")
    failed = False
    with _upstreams(asked.upstream) as upstreams:
        print("client".ljust(32), *(f"{name}, {way}".ljust(WIDE) for name in upstreams for way in ("straight", "proxy")))
        urls = [url for pair in upstreams.values() for url in pair]
        for name in asked.names or NAMES:
            runner = _javascript(name, asked.npm) if name.startswith("npm_") else _python(name, asked.python)
            found = runner(asked.model, urls)
            for at, manner in enumerate(("whole", "stream")):
                said = [MISSING] * len(urls) if found is None else [outcome(one) for one in found[at::2]]
                failed = failed or any(one not in (SOLVED, MISSING) for one in said[1::2])
                print(f"{name}, {manner}".ljust(32), *(one[: WIDE - 1].ljust(WIDE) for one in said), flush=True)
    return 1 if failed else 0


def outcome(said: Said) -> str:
    """What became of the task: solved, an error, or what was said instead."""
    if "error" in said:
        return str(said["error"])
    if solved(str(said["answer"]), said["made"]):
        return SOLVED
    return f"no: {said['answer']!r}"


def _python(name: str, pythons: Sequence[str]) -> Runner:
    def run(model: str, urls: Sequence[str]) -> list[Said] | None:
        for python in pythons:
            command = [python, "-m", "tests.clients.program", name, model, *urls]
            ran = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, timeout=PATIENCE, check=False)
            if ran.returncode != NOT_INSTALLED:
                return _read(ran, urls)
        return None

    return run


def _javascript(name: str, folder: str) -> Runner:
    def run(model: str, urls: Sequence[str]) -> list[Said] | None:
        if not (Path(folder) / "node_modules").is_dir():
            return None
        ran = subprocess.run(
            ["node", "--input-type=module"],  # read from standard input, so that packages are looked for in the folder
            input=(HERE / f"{name}.mjs").read_text(encoding="utf-8"), cwd=folder,
            env={**os.environ, "URLS": " ".join(urls), "MODEL": model, "TASK": TASK},
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        return _read(ran, urls)

    return run


def _read(ran: subprocess.CompletedProcess[str], urls: Sequence[str]) -> list[Said]:
    told = [json.loads(line.removeprefix(TOLD)) for line in ran.stdout.splitlines() if line.startswith(TOLD)]
    missing = 2 * len(urls) - len(told)
    return [*told, *({"error": ran.stderr.strip()[-200:] or "it told nothing"} for _ in range(missing))]


@contextmanager
def _upstreams(which: str) -> Iterator[dict[str, tuple[str, str]]]:
    """By name: the address, and that of a proxy before it."""
    with ExitStack() as stack:
        if which == "scripted":
            scripts = {"refusing": refusing, "leaking": leaking}
            addresses = {name: stack.enter_context(ScriptedServer(script)).base_url for name, script in scripts.items()}
        else:
            addresses = {"real": which}
        yield {name: (url, stack.enter_context(proxy(url))) for name, url in addresses.items()}


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.clients")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--upstream", default="scripted")
    parser.add_argument("--model", default="scripted")
    parser.add_argument("--python", action="append")
    parser.add_argument("--npm", default="")
    asked = parser.parse_args(arguments)
    asked.python = asked.python or [sys.executable]
    return asked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
