"""Calls as Python-like code, and Gemma's braces.

    [get_weather(city="Oslo"), list_rooms()]                              pythonic
    <|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>        lfm2
    <|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:2}<tool_call|>  gemma4; FunctionGemma quotes with <escape>

Only literals are read; nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from react_agent.errors import UsageError
from react_agent.messages import Call

from .dialect import Dialect, opening
from .writing import compact, each, python, python_list, quoted_name, without_fences

_QUOTE_TOKEN = re.compile(r"<escape>|<\|\"\|>|<end_function_call>|<tool_call\|>|<\|tool_call>")
_BARE_KEY = re.compile(r"[^\W\d]\w*")


def _braces(quote: str) -> Callable[[Call], str]:
    """`call:f{k:…}` with text between quote tokens.

    Raises:
        UsageError: a text holds such a token, or a key cannot stand without quotes.
    """

    def value(item: Any) -> str:
        if isinstance(item, str):
            if _QUOTE_TOKEN.search(item):
                raise UsageError(f"a text in {quote} cannot hold a token of the format, which has no escape")
            return quote + item + quote
        if isinstance(item, dict):
            return "{" + ",".join(f"{key(name)}:{value(inner)}" for name, inner in item.items()) + "}"
        return "[" + ",".join(map(value, item)) + "]" if isinstance(item, list) else compact(item)

    def key(name: str) -> str:
        if not _BARE_KEY.fullmatch(name):
            raise UsageError(f"{name!r} cannot be a key without quotes: use a dialect that writes JSON")
        return name

    return lambda call: f"call:{quoted_name(call.name)}{value(call.arguments)}"


_escaped, _token = _braces("<escape>"), _braces('<|"|>')

CODE = (
    Dialect(
        "pythonic",
        "Llama 3.2 1B and 3B, Llama 4, ToolACE",
        "model card of Llama 3.2; vLLM, pythonic tool parser",
        "a list of Python calls, or one call on a line of its own",
        opening("pythonic", ("<|python_start|>", "<|python_end|>")),
        python_list,
    ),
    Dialect(
        "olmo3",
        "Olmo 3",
        "chat template; vLLM, Olmo 3 tool parser",
        "`<function_calls>` with Python calls on lines",
        calls=each(python, "<function_calls>\n", "\n</function_calls>"),
    ),
    Dialect(
        "gemma_tool_code",
        "Gemma 2 and 3, prompts in the style of Gemini",
        "Google, function calling with Gemma 3",
        "a fence marked `tool_code`",
        calls=each(lambda call: without_fences(python(call)), "```tool_code\n", "\n```"),
    ),
    Dialect(
        "gorilla",
        "Gorilla OpenFunctions v2",
        "model card of gorilla-openfunctions-v2",
        "`<<function>>`",
        opening("gorilla", ("<<function>>",)),
        each(lambda call: f"<<function>>{python(call)}", between=""),
    ),
    Dialect(
        "lfm2",
        "LFM2, LFM2.5, MiniCPM3",
        "chat template of LFM2",
        "`<|tool_call_start|>`",
        opening("lfm2", ("<|tool_call_start|>", "<|tool_call_end|>")),
        lambda calls, lang: f"<|tool_call_start|>{python_list(calls, lang)}<|tool_call_end|>",
    ),
    Dialect(
        "functiongemma",
        "FunctionGemma 270M",
        "chat template",
        "`<start_function_call>`",
        opening("functiongemma", ("<start_function_call>", "<end_function_call>")),
        each(lambda call: f"<start_function_call>{_escaped(call)}<end_function_call>", between=""),
    ),
    Dialect(
        "gemma4",
        "Gemma 4",
        "chat template",
        "`<|tool_call>` without the second bar, or `call:f{` alone",
        opening("gemma4", ("<|tool_call>", "<tool_call|>")),
        each(lambda call: f"<|tool_call>{_token(call)}<tool_call|>", between=""),
        thought=lambda text, lang: f"<|channel>thought\n{text}\n<channel|>",
    ),
)
