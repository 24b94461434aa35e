"""A pseudo-terminal with the command in it, so that Ctrl-C and colours are those of a real terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .command import COMMAND, environment

PATIENCE = 90.0  # seconds without a word after which a test fails
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class Terminal:
    """What is on the screen, and the keyboard."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self.screen = ""
        self._bytes = b""
        self._seen = 0
        self._descriptor = descriptor
        self._process = process

    def wait_for(self, text: str) -> None:
        """Read until `text` is on the screen, behind what was waited for before."""
        while text not in self.screen[self._seen :]:
            assert self._read(), f"{text!r} never came; on the screen: {self.screen!r}"
        self._seen = self.screen.index(text, self._seen) + len(text)

    def press(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def end(self) -> int:
        """Read until the command has ended; its exit code."""
        while self._read():
            pass
        return self._process.wait(PATIENCE)

    def _read(self) -> bool:
        assert select.select([self._descriptor], [], [], PATIENCE)[0], f"silence; on the screen: {self.screen!r}"
        try:
            block = os.read(self._descriptor, 4096)
        except OSError:  # Linux: all programs in the terminal have ended
            return False
        self._bytes += block
        self.screen = self._bytes.decode("utf-8", "ignore")
        return bool(block)


@contextmanager
def in_terminal(folder: Path, *arguments: str, **env: str) -> Iterator[Terminal]:
    """The command, started in a terminal of its own."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", OWN_TERMINAL, COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, **env),
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)
