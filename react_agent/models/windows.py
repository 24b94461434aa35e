"""How large is the context window?  Servers tell it in errors and on pages, each in its own way.

In: the words of an error, or a page (parsed JSON).  Out: a number of tokens, 0 when it does not say.  Which page a server has
stands in `vendors`; asking for it is for `lookups`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER = r"(\d[\d,]{0,11})"
_WINDOWS = tuple(
    re.compile(pattern.replace("#", _NUMBER), re.IGNORECASE)
    for pattern in (
        r"maximum context length (?:is|of) #",  # OpenAI, vLLM, Mistral
        r"available context size \(# tokens\)",  # llama.cpp
        r"\bn_ctx\W{1,4}#",  # llama.cpp, in the error object
        r"context length \(#",  # SGLang, Together
        r"context length of only #",  # LM Studio
        r"context (?:window|length|size) (?:is|of) #",
        r"model token limit: #",  # Moonshot
        r"input length should be \[\d{1,9}, ?#\]",  # DashScope
        r"maximum prompt length is #",  # xAI
        r"#(?: tokens)? maximum\b",  # Anthropic: «210000 tokens > 200000 maximum»
    )
)
_PROMPTS = tuple(
    re.compile(pattern.replace("#", _NUMBER), re.IGNORECASE)
    for pattern in (
        r"\(# in the messages",  # OpenAI, vLLM: «(6952 in the messages, 2048 in the completion)»
        r"messages resulted in # tokens",  # OpenAI
        r"\b(?:request|input|prompt) \(# tokens\)",  # llama.cpp, SGLang
        r"\bn_prompt_tokens\W{1,4}#",  # llama.cpp, in the error object
        r"# tokens > [\d,]{1,12} maximum",  # Anthropic
        r"# (?:text )?tokens? from the input messages",  # SGLang
        r"request has # input tokens",  # newer vLLM
        r"prompt contains (?:at least )?# input tokens",  # newest vLLM
    )
)
_TOLD_BY = (
    "max_model_len",  # vLLM and SGLang, /v1/models
    "loaded_context_length",  # LM Studio, /api/v0/models
    "n_ctx",  # llama.cpp, /props, under default_generation_settings, and newer /v1/models
    "context_length",  # OpenRouter, Together, Moonshot, /v1/models
    "context_window",  # Groq
    "max_context_length",  # Mistral; LM Studio when the model is not loaded
    "max_req_input_len",  # SGLang, /get_server_info
    "n_ctx_train",  # llama.cpp, /v1/models: what the model was made for, so only when nothing else is said
)
DEPTH = 4


def window_in(words: str) -> int:
    """The window that an error tells."""
    return _first(_WINDOWS, words)


def prompt_in(words: str) -> int:
    """The length of the prompt that an error tells, in tokens."""
    return _first(_PROMPTS, words)


def window_on(page: object) -> int:
    """The window that a page tells of one model."""
    found = dict(reversed([*_numbers(page, DEPTH)]))
    told = next((found[name] for name in _TOLD_BY if found.get(name)), 0)
    return told or next((value for name, value in found.items() if name.endswith(".context_length")), 0)  # Ollama, /api/show


def row_of(listing: object, model: str) -> object:
    """What a list of models says of one, None when it is not there."""
    lists = (listing.get(key) for key in ("data", "models")) if isinstance(listing, dict) else ()
    rows: list[object] = next((rows for rows in lists if isinstance(rows, list)), [])
    return next((row for row in rows if isinstance(row, dict) and model in map(row.get, ("id", "key", "name"))), None)


def _numbers(page: object, depth: int) -> Iterator[tuple[str, int]]:
    if isinstance(page, dict) and depth:
        for name, value in page.items():
            if type(value) is int and value > 0:
                yield str(name), value
            else:
                yield from _numbers(value, depth - 1)


def _first(patterns: tuple[re.Pattern[str], ...], words: str) -> int:
    found: Iterator[re.Match[str] | None] = (pattern.search(words) for pattern in patterns)
    return next((int(match[1].replace(",", "")) for match in found if match), 0)
