"""How long a request takes through the proxy, beside the same request straight to the upstream.

The upstream answers at once with a fixed answer: a tool call written as text, whole or as a stream of 8 deltas.  Upstream,
proxy (one worker) and clients are three processes; on few cores they take time from each other, so the CPU time of the proxy
process says more than the rest.  Three ways: straight to the upstream; through the proxy without tools (bytes are passed on);
with a tool (prompt, parser, repair, validation, another shape of answer).

`python -m benchmarks proxying [CLIENTS …] [LITELLM]`; by default 1, 16 and 64 clients.  LITELLM is the program of LiteLLM's
proxy, which then runs beside and is asked the same; it passes tools on and reads no calls in texts, so it has less to do.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from .row import Row

SECONDS = 3.0
MODEL = "bench"
CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
HEAD = {"id": "x", "created": 1, "model": MODEL}
ADDED_P50 = 2.0  # ms


def measure(arguments: Sequence[str] = ()) -> Iterable[Row]:
    clients = [int(argument) for argument in arguments if argument.isdecimal()] or [1, 16, 64]
    others = [argument for argument in arguments if not argument.isdecimal()][:1]
    upstream, proxy = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder, running("-m", "benchmarks.proxying", str(upstream), folder=folder):
        there = f"http://127.0.0.1:{upstream}/v1"
        started = "-c", PROXY, "proxy", "--upstream", there, "--port", str(proxy), "--mode", "text"
        with running(*started, folder=folder) as process, ExitStack() as stack:
            wait_for(upstream)
            wait_for(proxy)
            beside = [stack.enter_context(litellm(program, there, folder)) for program in others]
            yield from asyncio.run(rows(there, f"http://127.0.0.1:{proxy}/v1", process.pid, clients, beside))


PROXY = "from react_agent.cli import main\nif __name__ == '__main__': main()"


@contextmanager
def litellm(program: str, upstream: str, folder: str) -> Iterator[tuple[str, int]]:
    """The address and the process of LiteLLM's proxy with one worker."""
    port = free_port()
    model = {"model": f"openai/{MODEL}", "api_base": upstream, "api_key": "any"}
    config = Path(folder) / "litellm.yaml"
    config.write_text(json.dumps({"model_list": [{"model_name": MODEL, "litellm_params": model}]}))  # JSON is YAML
    command = [program, "--config", str(config), "--port", str(port), "--num_workers", "1"]
    told = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=told)
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/v1", process.pid
    finally:
        process.terminate()
        process.wait()


async def rows(
    upstream: str, proxy: str, pid: int, clients: Sequence[int], beside: Sequence[tuple[str, int]] = ()
) -> list[Row]:
    found = []
    for count, stream, tools in itertools.product(clients, (False, True), (False, True)):
        straight = await load(upstream, count, tools=tools, stream=stream)
        through, cpu = await costs(proxy, pid, count, tools=tools, stream=stream)
        what = f"{count:>2} clients, {'stream' if stream else 'whole '}, {'with a tool' if tools else 'passed on'}"
        print(f"{what}: {through} (straight {straight}), {cpu:.2f} ms CPU in the proxy", flush=True)
        for url, process in beside:
            other, cpu = await costs(url, process, count, tools=tools, stream=stream)
            faster = through.rate / other.rate
            print(f"{'LiteLLM':>{len(what)}}: {other}, {cpu:.2f} ms CPU; {faster:.1f} times its throughput", flush=True)
        if count == 1:
            found.append(Row(f"added p50, {what}", through.p50 - straight.p50, ADDED_P50, "ms"))
    return found


@dataclass(frozen=True)
class Load:
    """`p50` in ms, `rate` in requests per second; `requests` counts also those that warmed up."""

    p50: float
    rate: float
    requests: int

    def __str__(self) -> str:
        return f"p50 {self.p50:.2f} ms, {self.rate:.0f}/s"


async def costs(url: str, pid: int, count: int, *, tools: bool, stream: bool) -> tuple[Load, float]:
    """The load through a process, and its milliseconds of CPU per request."""
    before = cpu_seconds(pid)
    found = await load(url, count, tools=tools, stream=stream)
    return found, 1000 * (cpu_seconds(pid) - before) / found.requests


async def load(url: str, clients: int, *, tools: bool, stream: bool) -> Load:
    """Ask as often as the clients can."""
    body: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "Weather in Oslo?"}], "stream": stream}
    data = json.dumps({**body, "tools": [TOOL]} if tools else body).encode()
    warm: list[float] = []
    times: list[float] = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(ask(session, url, data, 0.5, warm) for _ in range(clients)))
        start = time.perf_counter()
        await asyncio.gather(*(ask(session, url, data, SECONDS, times) for _ in range(clients)))
        spent = time.perf_counter() - start
    return Load(1000 * statistics.median(times), len(times) / spent, len(warm) + len(times))


async def ask(session: aiohttp.ClientSession, url: str, data: bytes, seconds: float, times: list[float]) -> None:
    end = time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        async with session.post(f"{url}/chat/completions", data=data) as response:
            assert response.status == 200, await response.text()
            await response.read()
        times.append(time.perf_counter() - start)


# --- the upstream ----------------------------------------------------------------------------------------------------


def answers() -> tuple[bytes, bytes]:
    """The whole answer and the streamed one, with their HTTP heads."""
    message = {"role": "assistant", "content": CALL}
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    whole = json.dumps({**HEAD, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
    size = len(CALL) // 8 + 1
    deltas = [{"content": CALL[at : at + size]} for at in range(0, len(CALL), size)]
    chunks = [{**HEAD, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**HEAD, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage})
    events = b"".join(b"data: %b\n\n" % json.dumps(chunk).encode() for chunk in chunks) + b"data: [DONE]\n\n"
    return framed("application/json", whole), framed("text/event-stream", events)


def framed(kind: str, body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (kind.encode(), len(body), body)


class Upstream(asyncio.Protocol):
    """Answers every request on a connection, as soon as it has come."""

    WHOLE, STREAM = answers()

    def __init__(self) -> None:
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        head, found, body = self._held.partition(b"\r\n\r\n")
        length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
        if found and len(body) >= int(length.partition(b":")[2]):
            self._held = b""
            self._transport.write(self.STREAM if b'"stream":true' in body.replace(b" ", b"") else self.WHOLE)


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", port)
    await server.serve_forever()


# --- processes -------------------------------------------------------------------------------------------------------


@contextmanager
def running(*arguments: str, folder: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "XDG_STATE_HOME": folder}
    process = subprocess.Popen([sys.executable, *arguments], stderr=subprocess.DEVNULL, env=environment)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(pid: int) -> float:
    """The CPU time a process has taken (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(3000):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0 and client.getsockname() != client.getpeername():
                return  # a socket that asks a free port again and again may come to be connected to itself
        time.sleep(0.1)
    raise SystemExit(f"nothing listens on port {port}")


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
