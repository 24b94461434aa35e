"""A real engine for constrained decoding, fed byte by byte."""

from __future__ import annotations

import functools

import llguidance


@functools.cache
def _bytes() -> llguidance.LLTokenizer:
    return llguidance.LLTokenizer("byte")


@functools.lru_cache(maxsize=64)
def _compiled(grammar: str) -> str:
    return llguidance.grammar_from("gbnf", grammar)


def accepts(grammar: str, text: str) -> bool:
    """Whether a model that is held to `grammar` (GBNF) may write `text` and stop there."""
    matcher = llguidance.LLMatcher(_bytes(), _compiled(grammar))
    if matcher.is_error():
        raise AssertionError(matcher.get_error())
    written = list(text.encode())
    return bool(matcher.try_consume_tokens(written) == len(written) and matcher.is_accepting())
