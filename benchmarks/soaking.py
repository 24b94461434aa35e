"""Five hundred streams at once through the proxy for a minute: whether anything is lost, and whether its memory grows.

Each client asks with a tool and gets a text of its own, a piece every few seconds, again and again until the time is up.
`python -m benchmarks soaking [STREAMS] [SECONDS]`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from .proxying import HEAD, MODEL, PROXY, TOOL, free_port, running, wait_for
from .row import Row

PIECES = 10
TICK = 2.0  # seconds between two pieces of a stream
GROWTH = 10.0  # % of memory
USUAL = ("500", "60")


def measure(arguments: Sequence[str] = ()) -> Iterable[Row]:
    streams, seconds = (int(argument) for argument in (*arguments, *USUAL[len(arguments) :]))
    upstream, proxy = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder, running("-m", "benchmarks.soaking", str(upstream), folder=folder):
        there = f"http://127.0.0.1:{upstream}/v1"
        # clients come back before their last request is quite over, so the limit must be above their number
        config = Path(folder) / "proxy.toml"
        config.write_text(f"[limits]\nrequests = {2 * streams}\n[[upstream]]\nbase_url = '{there}'\n")
        started = "-c", PROXY, "proxy", "--config", str(config), "--port", str(proxy), "--mode", "text"
        with running(*started, folder=folder) as process:
            wait_for(upstream)
            wait_for(proxy)
            url = f"http://127.0.0.1:{proxy}/v1/chat/completions"
            answers, lost, growth = asyncio.run(soaked(url, process.pid, streams, seconds))
    yield Row(f"answers that are not what was asked, of {answers} in {streams} streams", float(lost), 0.0, "")
    yield Row("growth of memory, second half against first", growth, GROWTH, "%")


async def soaked(url: str, pid: int, streams: int, seconds: float) -> tuple[int, int, float]:
    """Answers, those that were wrong, and by how many percent the memory grew."""
    end = time.perf_counter() + seconds
    memory: list[int] = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        clients = [asyncio.create_task(client(session, url, f"m{number}", end)) for number in range(streams)]
        while time.perf_counter() < end:
            await asyncio.sleep(1)
            memory.append(resident(pid))
        right = [answer for each in await asyncio.gather(*clients) for answer in each]
    half = memory[len(memory) // 4 : len(memory) // 2], memory[len(memory) // 2 :]
    return len(right), right.count(False), 100 * (max(half[1]) / max(half[0]) - 1)


async def client(session: aiohttp.ClientSession, url: str, mark: str, end: float) -> list[bool]:
    found: list[bool] = []
    while time.perf_counter() < end:
        messages = [{"role": "user", "content": mark}]
        body = {"model": MODEL, "messages": messages, "tools": [TOOL], "stream": True}
        async with session.post(url, json=body) as response:
            lines = (await response.text()).splitlines()
        events = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
        said = "".join(event["choices"][0]["delta"].get("content") or "" for event in events if event.get("choices"))
        found.append(said == text(mark) and "data: [DONE]" in lines)
    return found


def text(mark: str) -> str:
    return f"Rain in {mark}" * PIECES


def resident(pid: int) -> int:
    """The memory of a process in bytes (Linux)."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


# --- the upstream ----------------------------------------------------------------------------------------------------


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests on a connection, one after the other."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            lengths = [line.partition(b":")[2] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            body = json.loads(await reader.readexactly(int(lengths[0]))) if lengths else {}
            await stream(writer, body["messages"][-1]["content"])
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def stream(writer: asyncio.StreamWriter, mark: str) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in range(PIECES):
        chunk(writer, event({"content": f"Rain in {mark}"}))
        await asyncio.sleep(TICK)
    chunk(writer, event({}, "stop") + b"data: [DONE]\n\n")
    chunk(writer, b"")
    await writer.drain()


def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: %b\n\n" % json.dumps({**HEAD, "choices": [choice]}).encode()


def chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(b"%x\r\n%b\r\n" % (len(data), data))


async def serve(port: int) -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
