"""`react-agent proxy`: function calling for every client, in front of any server."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from react_agent.errors import MissingExtraError

from .options import Mode

NEEDED = ("aiohttp", "prometheus_client", "starlette", "uvicorn")

Upstreams = Annotated[
    list[str] | None,
    typer.Option(
        "--upstream", metavar="URL", help="OpenAI-compatible server to stand before; more of them stand in when it is down."
    ),
]
File = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="TOML file with upstreams, models, limits, keys.")]
Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen; other than this machine only with care.")]
Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on.")]
Workers = Annotated[int, typer.Option(metavar="N", min=1, max=256, help="Processes.")]
Dialect = Annotated[str, typer.Option(metavar="NAME", help="How a model in text mode is told to write its calls.")]
NewKey = Annotated[bool, typer.Option("--new-key", help="Draw a key for a client, show it with its digest, and end.")]


def proxy(
    upstream: Upstreams = None,
    config: File = None,
    host: Host = "127.0.0.1",
    port: Port = 8100,
    workers: Workers = 1,
    mode: Mode = "auto",
    dialect: Dialect = "",
    new_key: NewKey = False,
) -> None:
    """Give any model function calling, for OpenAI clients in any language.

    Point a client's base_url at it: requests with tools come back with sound tool calls, everything else is passed through.

    \b
    react-agent proxy --upstream http://localhost:11434/v1
    react-agent proxy --config proxy.toml --workers 4
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtraError("The proxy", "server")
    if new_key:
        from react_agent.serving.keys import new_key as drawn

        key, digest = drawn()
        typer.echo(f"key, for the client:       {key}\ndigest, for keys = [...]:  {digest}")
        return
    from react_agent.serving.running import Start, run

    start = Start(tuple(upstream or ()), str(config) if config else "", mode, dialect)
    start.read()
    typer.echo(f"react-agent proxy: base_url for clients is http://{host}:{port}/v1", err=True)
    run(start, host, port, workers)
