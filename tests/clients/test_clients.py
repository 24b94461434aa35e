"""The clients that come with the tools of development solve the task over models that cannot be given tools."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.serving.proxying import proxy
from tests.support.server import ScriptedServer

from .task import made, solved
from .upstreams import leaking, refusing


@pytest.fixture(scope="module", params=[refusing, leaking], ids=["refusing", "leaking"])
def url(request: Any) -> Iterator[str]:
    with ScriptedServer(request.param) as upstream, proxy(upstream.base_url) as found:
        yield found


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic_messages"])
def test_a_client_solves_the_task(url: str, name: str, stream: bool) -> None:
    made.clear()
    answer = import_module(f"tests.clients.{name}").answer(url, "scripted", stream)
    assert solved(answer, made)
