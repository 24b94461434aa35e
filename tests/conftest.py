"""Rules for all tests: no network but loopback, unless a test is marked `real`; no state of an earlier test.

An audit hook sees every connection and every name look-up of this process, whichever library makes it.  Generated examples
are the same in every run, and no clock decides whether a test passes.
"""

from __future__ import annotations

import atexit
import ipaddress
import itertools
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# a runner in the background ignores these, and every program that a test starts would inherit that: Ctrl-C must work in tests
for _ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    if signal.getsignal(_ignored) is signal.SIG_IGN:
        signal.signal(_ignored, signal.default_int_handler if _ignored is signal.SIGINT else signal.SIG_DFL)

settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("steady"), max_examples=2000)
settings.load_profile("steady")

_guarded = False


def pytest_configure() -> None:
    sys.addaudithook(_refuse_network)


@pytest.fixture(autouse=True)
def _network(request: pytest.FixtureRequest) -> Iterator[None]:
    global _guarded
    _guarded = request.node.get_closest_marker("real") is None
    yield
    _guarded = False


_folder = Path(tempfile.mkdtemp(prefix="react-agent-tests-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
_numbers = itertools.count()


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learnt of servers goes into a folder of its own; it is made when something is learnt."""
    monkeypatch.setenv("XDG_STATE_HOME", str(_folder / str(next(_numbers))))


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if not _guarded or event not in ("socket.connect", "socket.getaddrinfo"):
        return
    address = arguments[1] if event == "socket.connect" else arguments[0]
    host = address[0] if isinstance(address, tuple) else address
    if event == "socket.connect" and not isinstance(address, tuple):
        return  # a Unix socket
    if not _is_loopback(host):
        raise RuntimeError(f"a test wants the network ({host!r}): use the server of tests/support, or mark the test `real`")


def _is_loopback(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False
