"""Where requests go: arguments first, then the environment; no proxy on this machine."""

from __future__ import annotations

import pytest

from react_agent.errors import UsageError
from react_agent.models.clients import DEFAULT_URL, Endpoint
from react_agent.models.openai import OpenAIModel
from tests.models.asking import Ask, text_of
from tests.support.server import ScriptedServer


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_without_settings_it_is_openai() -> None:
    assert OpenAIModel("m").base_url == DEFAULT_URL


def test_the_environment_is_used_for_what_is_left_open(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(["ok", "ok"]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url + "/")
        monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
        assert text_of(ask(OpenAIModel("m"))) == "ok"
        ask(OpenAIModel("m", api_key="from-argument"))
    assert [request.headers["authorization"] for request in server.requests] == [
        "Bearer from-environment",
        "Bearer from-argument",
    ]


def test_a_server_without_keys_needs_none(ask: Ask) -> None:
    with ScriptedServer(["ok"]) as server:
        assert text_of(ask(OpenAIModel("m", base_url=server.base_url))) == "ok"


def test_no_proxy_is_used_for_this_machine(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with ScriptedServer(["ok"]) as server:
        assert text_of(ask(OpenAIModel("m", base_url=server.base_url, max_retries=0))) == "ok"


@pytest.mark.parametrize(
    ("url", "here"),
    [("http://127.0.0.1:1/v1", True), ("http://localhost/v1", True), ("http://[::1]:8080/v1", True),
     ("http://10.0.0.5:8000/v1", False), ("https://example.org/v1", False)],
)  # fmt: skip
def test_loopback(url: str, here: bool) -> None:
    assert Endpoint(url, "", 1.0).is_loopback is here


@pytest.mark.parametrize(
    "url", ["someone:pass-word@host/v1", "ftp://someone:pass-word@host", "http://someone:p@ss-word@host:x/v1"]
)
def test_an_address_that_is_none_is_told_without_its_login(url: str) -> None:
    with pytest.raises(UsageError, match=r"base_url must look like .*@host") as error:
        OpenAIModel("m", base_url=url)
    assert not [word for word in ("someone", "ss-word") if word in str(error.value)]
