"""What pages of servers tell: the context window, the count of tokens, whose server it is."""

from __future__ import annotations

from typing import Any

import pytest

from react_agent.messages import Json
from react_agent.models.capability import Capabilities
from react_agent.models.openai import OpenAIModel
from react_agent.models.windows import prompt_in, row_of, window_in, window_on
from tests.support.server import ScriptedServer


def listing(**row: Any) -> Json:
    return {"object": "list", "data": [{"id": "other", "max_model_len": 1}, {"id": "m", **row}]}


PAGES: dict[str, tuple[dict[str, Json], int | None, str | None, list[str]]] = {
    "vllm": ({"GET /v1/models": listing(owned_by="vllm", max_model_len=8192)}, 8192, "vllm", []),
    "sglang": ({"GET /v1/models": listing(owned_by="sglang", max_model_len=4096)}, 4096, "sglang", []),
    "openrouter": ({"GET /v1/models": listing(context_length=131072)}, 131072, None, []),
    "llama.cpp": (
        {
            "GET /v1/models": listing(owned_by="llamacpp", meta={"n_ctx_train": 32768}),
            "GET /props": {"default_generation_settings": {"n_ctx": 2048, "params": {"n_predict": -1}}},
        },
        2048, "llamacpp", ["GET /props"],
    ),
    "llama.cpp, closed": (
        {"GET /v1/models": listing(owned_by="llamacpp", meta={"n_ctx_train": 32768})}, 32768, "llamacpp", ["GET /props"],
    ),
    "ollama": (
        {
            "GET /v1/models": listing(owned_by="library"),
            "POST /api/show": {"model_info": {"general.parameter_count": 5, "qwen2.context_length": 40960}},
        },
        40960, "ollama", ["POST /api/show"],
    ),
    "lm studio": (
        {
            "GET /v1/models": listing(owned_by="organization_owner"),
            "GET /api/v0/models": {"data": [{"id": "m", "max_context_length": 131072, "loaded_context_length": 4096}]},
        },
        4096, "lmstudio", ["GET /api/v0/models"],
    ),
    "unknown": (
        {"GET /v1/models": listing(), "GET /props": {"n_ctx": 512}}, 512, None, ["POST /api/show", "GET /props"],
    ),
    "silent": ({"GET /v1/models": listing()}, None, None, ["POST /api/show", "GET /props", "GET /api/v0/models"]),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_the_window_is_found_and_remembered(name: str) -> None:
    pages, window, server_name, asked = PAGES[name]
    notes = Capabilities()
    with ScriptedServer(pages=pages) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=notes)
        assert model.window() == window
        assert server.asked == ["GET /v1/models", *asked]
        facts = notes.facts(server.base_url, "m")
        assert (facts.context, facts.server) == (window, server_name)
        if window:
            assert model.window() == window
            assert len(server.asked) == 1 + len(asked)


def test_a_server_that_is_gone_tells_nothing() -> None:
    with ScriptedServer() as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=Capabilities())
    assert (model.window(), model.count_tokens("hello")) == (None, None)


@pytest.mark.parametrize("answer", [{"count": 2, "max_model_len": 9, "tokens": [5, 6]}, {"tokens": [5, 6]}])
def test_tokens_are_counted_by_the_server(answer: Json) -> None:
    notes = Capabilities()
    with ScriptedServer(pages={"POST /tokenize": answer}) as server:
        assert OpenAIModel("m", base_url=server.base_url, capabilities=notes).count_tokens("hello") == 2
        assert notes.facts(server.base_url, "m").tokenize is True


def test_a_server_that_does_not_count_is_asked_once() -> None:
    notes = Capabilities()
    with ScriptedServer(pages={"POST /tokenize": {"odd": True}}) as server:
        model = OpenAIModel("m", base_url=server.base_url, capabilities=notes)
        assert (model.count_tokens("a"), model.count_tokens("b")) == (None, None)
        assert server.asked == ["POST /tokenize"]


@pytest.mark.parametrize(
    ("words", "window", "prompt"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9048 tokens (7000 in the messages, 2048 "
         "in the completion).", 8192, 7000),
        ("'max_tokens' is too large: 2048. This model's maximum context length is 4096 tokens and your request has 3000 input "
         "tokens (2048 > 4096 - 3000).", 4096, 3000),
        ("Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5048 "
         "tokens: 3000 tokens from the input messages and 2048 tokens for the completion.", 4096, 3000),
        ("the request exceeds the available context size. try increasing it [exceed_context_size_error, n_ctx 4096]", 4096, 0),
        ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096, 5000),
        ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000),
        ("The model is loaded with context length of only 4096 tokens, which is not enough", 4096, 0),
        ("Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)", 8192, 0),
        ("Range of input length should be [1, 98304]", 98304, 0),
        ("prompt is too long: 210,000 tokens > 200,000 maximum", 200_000, 210_000),
        ("This model's maximum context length is 4097 tokens. However, your messages resulted in 4,500 tokens.", 4097, 4500),
        ("too long [exceed_context_size_error, n_prompt_tokens 5170, n_ctx 4096]", 4096, 5170),
        ("no numbers", 0, 0),
    ],
)  # fmt: skip
def test_numbers_in_errors(words: str, window: int, prompt: int) -> None:
    assert (window_in(words), prompt_in(words)) == (window, prompt)


@pytest.mark.parametrize(
    "page",
    [None, 5, [], {}, {"n_ctx": "many"}, {"n_ctx": True}, {"n_ctx": -1}, {"a": {"b": {"c": {"d": {"n_ctx": 5}}}}}, {5: 6}],
)
def test_pages_that_tell_nothing(page: object) -> None:
    assert window_on(page) == 0


@pytest.mark.parametrize("page", [None, 5, [], {}, {"data": 5}, {"data": [5, None, {}]}, {"data": [{"id": "x"}]}])
def test_lists_without_the_model(page: object) -> None:
    assert row_of(page, "m") is None
