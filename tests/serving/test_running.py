"""The proxy as a program: it says where it listens, and ends in good order."""

from __future__ import annotations

import asyncio
import io
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from react_agent.serving.access import MOMENT, Written
from react_agent.serving.running import is_loopback
from tests.support.server import Reply, ScriptedServer, Sse, delta

from .proxying import WEATHER
from .test_relay import body, post

PROGRAM = "from react_agent.cli import main\nif __name__ == '__main__': main()"


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM, "proxy", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def test_a_request_at_work_is_finished_before_the_proxy_ends() -> None:
    gate, port, found = threading.Event(), free_port(), []
    script = [Reply("late", gate=gate)]
    with ScriptedServer(script) as upstream, started("--upstream", upstream.base_url, "--port", str(port)) as process:
        while not listens(port):
            assert process.poll() is None
        url = f"http://127.0.0.1:{port}/v1"
        asking = threading.Thread(target=lambda: found.append(post(url, body(tools=[WEATHER]))))
        asking.start()
        while not upstream.requests:
            asking.join(0.01)
        process.send_signal(signal.SIGTERM)
        while listens(port):
            asking.join(0.01)
        gate.set()
        asking.join(30)
        assert process.wait(30) in (0, -signal.SIGTERM)
    assert found[0][0] == 200


def test_every_request_has_its_line_however_soon_the_proxy_ends() -> None:
    port, count = free_port(), 7
    with ScriptedServer(["hi"] * count) as upstream, started("--upstream", upstream.base_url, "--port", str(port)) as process:
        while not listens(port):
            assert process.poll() is None
        for _ in range(count):
            assert post(f"http://127.0.0.1:{port}/v1", body())[0] == 200
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    lines = re.findall(r"^[\d-]{10} [\d:]{8},\d{3} POST /v1/chat/completions 200 \d+ms$", errors, re.MULTILINE)
    assert len(lines) == count, errors


def test_lines_are_written_together_and_late_ones_too() -> None:
    stream = io.StringIO()

    async def told() -> tuple[str, str]:
        written = Written(stream)
        written("a")
        written("b")
        before = stream.getvalue()
        await asyncio.sleep(2 * MOMENT)
        after = stream.getvalue()
        written("c")
        written.close()
        written("d")
        return before, after

    before, after = asyncio.run(told())
    assert (before, [line[24:] for line in after.splitlines()]) == ("", ["a", "b"])
    assert [line[24:] for line in stream.getvalue().splitlines()] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("more", [{"tools": [WEATHER]}, {}], ids=["with a tool", "passed on"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_what_is_not_done_when_the_drain_is_over_ends_with_one_line_for_all(stream: bool, more: Any, tmp_path: Path) -> None:
    gate, port, count = threading.Event(), free_port(), 5
    found: list[Any] = []
    with ScriptedServer(lambda _: Sse(delta("The weather "), gate) if stream else Reply("late", gate=gate)) as upstream:
        config = tmp_path / "proxy.toml"
        config.write_text(f'[[upstream]]\nbase_url = "{upstream.base_url}"\n[limits]\ndrain = 1\n')
        with started("--config", str(config), "--port", str(port)) as process:
            while not listens(port):
                assert process.poll() is None
            url = f"http://127.0.0.1:{port}/v1"

            def ask() -> None:
                try:
                    found.append(post(url, body(stream=stream, **more))[0])
                except (OSError, HTTPException) as error:  # a stream that has begun can only break off
                    found.append(type(error).__name__)

            asking = [threading.Thread(target=ask) for _ in range(count)]
            for one in asking:
                one.start()
            while len(upstream.requests) < count:
                asking[0].join(0.01)
            asking[0].join(0.5)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=30)
            gate.set()
            for one in asking:
                one.join(30)
    assert "Traceback" not in errors, errors
    assert errors.count("POST /v1/chat/completions") == count, "the lines of the requests that were cut off are there"
    (said,) = [line for line in errors.splitlines() if line.startswith("ERROR")]
    assert f"Cancel {count} running task(s)" in said
    assert found == (["IncompleteRead"] if stream else [503]) * count


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--upstream"),
        (("--upstream", "nonsense"), "base_url"),
        (("--upstream", "http://127.0.0.1:9/v1", "--dialect", "klingon"), "dialect"),
        (("--config", "/there/is/no/such.toml"), "cannot be read"),
    ],
)
def test_what_cannot_work_is_told_in_a_sentence(arguments: tuple[str, ...], said: str) -> None:
    with started(*arguments) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("host", "only_here"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("example.org", False)]
)
def test_where_only_this_machine_reaches(host: str, only_here: bool) -> None:
    assert is_loopback(host) is only_here


def test_garbage_is_not_looked_for_in_what_a_worker_starts_with() -> None:
    program = """
import gc, json, os
from react_agent.serving import running
os.environ[running._SAID] = json.dumps([["http://127.0.0.1:1/v1"], "", "auto", ""])
before, app = gc.get_threshold(), running.app()
print(gc.get_freeze_count() > 10_000, gc.get_threshold() == (running.COLLECT, *before[1:]))
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True", "True"]
