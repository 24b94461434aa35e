"""The guard of `conftest.py` holds."""

from __future__ import annotations

import asyncio
import socket

import pytest


def test_a_connection_to_the_outside_is_refused() -> None:
    with socket.socket() as client, pytest.raises(RuntimeError, match="wants the network"):
        client.connect(("192.0.2.1", 80))


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(RuntimeError, match=r"example\.invalid"):
        socket.getaddrinfo("example.invalid", 80)


def test_asyncio_is_guarded_too() -> None:
    with pytest.raises(RuntimeError, match="wants the network"):
        asyncio.run(asyncio.open_connection("192.0.2.1", 80))


def test_loopback_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
