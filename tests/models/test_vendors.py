"""The table of vendors: whole, without contradictions, and only where nothing is known better."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from react_agent.events import ModelRequest
from react_agent.models.capability import Capabilities
from react_agent.models.clients import endpoint
from react_agent.models.facts import Facts
from react_agent.models.openai import OpenAIModel
from react_agent.models.vendors import UNKNOWN, VENDORS, Vendor, named, owner, vendor_of
from tests.models.asking import REQUEST, Ask, text_of
from tests.support.server import Fail, ScriptedServer, Sse, delta


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
def test_each_vendor_is_whole(vendor: Vendor) -> None:
    parts = urlsplit(vendor.base_url)
    assert parts.scheme == ("http" if parts.port else "https")
    assert vendor.port == (parts.port or 0)
    assert vendor.hosts or vendor.port
    assert bool(vendor.key) == (not vendor.port)
    assert all(quirk.says.endswith(".") and quirk.source for quirk in vendor.quirks)
    assert vendor_of(vendor.base_url) is named(vendor.name) is vendor


def test_nothing_tells_two_vendors() -> None:
    for told in (
        [vendor.name for vendor in VENDORS],
        [host for vendor in VENDORS for host in vendor.hosts],
        [vendor.port for vendor in VENDORS if vendor.port],
        [name for vendor in VENDORS for name in vendor.owned_by],
    ):
        assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("url", "server", "name"),
    [
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", None, "dashscope"),
        ("https://eu.api.openai.com/v1", None, "openai"),
        ("https://notapi.openai.com.example.org/v1", None, ""),
        ("http://10.0.0.5:11434/v1", None, "ollama"),
        ("http://10.0.0.5:8000/v1", "sglang", "sglang"),
        ("https://api.deepseek.com/v1", "vllm", "deepseek"),
        ("http://10.0.0.5/v1", None, ""),
        ("http://10.0.0.5/v1", "gone", ""),
    ],
)
def test_whose_address_it_is(url: str, server: str | None, name: str) -> None:
    assert vendor_of(url, server).name == name


def test_who_owns_the_models() -> None:
    assert [owner(name) for name in ("vllm", "library", "me", None, ["vllm"])] == ["vllm", "ollama", None, None, None]


def test_a_name_stands_for_the_address_and_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai")
    monkeypatch.setenv("DASHSCOPE_API_KEY", "for-dashscope")
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)

    def key(base_url: str, api_key: str | None = None) -> tuple[str, str]:
        found = endpoint(base_url, api_key, timeout=1, headers=None)
        return found.base_url, found.key

    assert key("dashscope") == ("https://dashscope.aliyuncs.com/compatible-mode/v1", "for-dashscope")
    assert key("https://dashscope-intl.aliyuncs.com/compatible-mode/v1")[1] == "for-dashscope"
    assert key("DeepSeek") == ("https://api.deepseek.com/v1", "for-openai")
    assert key("ollama", "given") == ("http://127.0.0.1:11434/v1", "given")


def test_learning_overrules_what_was_assumed(ask: Ask) -> None:
    assumed = Facts(max_stops=1)
    assert named("zhipu").assume == assumed  # type: ignore[union-attr]
    assert Facts(max_stops=3).over(assumed).max_stops == 3
    assert Facts().over(assumed) == assumed


# --- thinking --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thinking", [True, False])
@pytest.mark.parametrize("vendor", [*VENDORS, UNKNOWN], ids=lambda vendor: vendor.name or "unknown")
def test_thinking_is_switched_as_the_vendor_wants_it(ask: Ask, vendor: Vendor, thinking: bool) -> None:
    notes = Capabilities()
    with ScriptedServer(["ok", "ok"]) as server:
        notes.learn(server.base_url, "m", server=vendor.name or None)
        for wish in (thinking, None):
            ask(OpenAIModel("m", base_url=server.base_url, capabilities=notes, thinking=wish))
    switched, left = (request.body for request in server.requests)
    fields = vendor.thinking[not thinking] if vendor.thinking else {}
    assert switched == {**left, **fields}


def test_a_switch_that_is_refused_is_left_out(ask: Ask) -> None:
    refuses = Fail(
        400, {"detail": [{"type": "extra_forbidden", "loc": ["body", "chat_template_kwargs"], "msg": "not permitted"}]}
    )
    with ScriptedServer(lambda body: refuses if "chat_template_kwargs" in body else "ok") as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), thinking=False)
        assert [text_of(ask(model)), text_of(ask(model))] == ["ok", "ok"]
        assert len(server.requests) == 3


def test_fields_of_the_caller_win(ask: Ask) -> None:
    mine = {"chat_template_kwargs": {"mine": 1}}
    with ScriptedServer(["ok"]) as server:
        ask(OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities(), thinking=False, extra_body=mine))
    assert server.requests[0].body["chat_template_kwargs"] == {"mine": 1}


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_where_reasoning_comes_is_learnt_and_it_never_goes_back_unasked(ask: Ask, field: str) -> None:
    notes = Capabilities()
    said = {"role": "assistant", "content": "ok", "reasoning_content": "hm"}
    with ScriptedServer([Sse({"choices": [{"delta": {field: "hm"}}]}, delta("ok", finish="stop")), "ok"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=notes)
        ask(model)
        assert notes.facts(server.base_url, "m").reasoning == field
        ask(model, ModelRequest((*REQUEST.messages, said, *REQUEST.messages)))
        assert server.requests[1].body["messages"][1] == {"role": "assistant", "content": "ok"}
