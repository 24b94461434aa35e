"""Calls as JSON without a mark, or in a code fence: told by their keys alone, so the gates are strict (`parsing.weak`).

{"name": "get_weather", "arguments": {"city": "Oslo"}}                bare_json; in a fence fenced_json
{"name": "get_weather", "parameters": {"city": "Oslo"}}               llama3_json
[{"name": "get_weather", "arguments": {"city": "Oslo"}}]              xlam
{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}                python_dict
{"tool_calls": [{"type": "function", "function": {"name": …, "arguments": "{…}"}}]}     openai_json
{"get_weather": {"city": "Oslo"}}                                     keyed_json
{"tool": "get_weather", "args": {"city": "Oslo"}}                     generic_keys
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from react_agent.messages import Call, Json

from .dialect import Dialect, opening
from .hermes import prose
from .writing import NAME_ARGUMENTS, NAME_PARAMETERS, compact, each, fenced, in_json, keyed, listed


def _api(call: Call) -> Json:
    return {"type": "function", "function": {"name": call.name, "arguments": compact(call.arguments)}}


def _api_calls(calls: Sequence[Call], lang: str) -> str:
    return compact({"tool_calls": [_api(call) for call in calls]})


def keyed_by_name(call: Call) -> Any:
    return {call.name: call.arguments}


VALUES = (
    Dialect(
        "fenced_json",
        "Qwen2.5-Coder, DeepSeek-Coder, Llama, Gemma",
        "vllm-project/vllm#32926",
        "a code fence with an object of `name` and `arguments`",
        calls=each(lambda call: fenced(NAME_ARGUMENTS(call))),
        thought=prose,
        thinks=False,
    ),
    Dialect(
        "bare_json",
        "Qwen2.5-Coder, Hermes 4, Granite, Llama",
        "nicedreamzapp/claude-code-local#43",
        "the keys `name` and `arguments`, no mark",
        calls=each(in_json(NAME_ARGUMENTS)),
    ),
    Dialect(
        "llama3_json",
        "Llama 3.1 to 3.3, Llama 4, xLAM",
        "chat template of Llama 3.1",
        "the keys `name` and `parameters`, or `<|python_tag|>` in front",
        opening("llama3_json", ("<|python_tag|>", "<|eom_id|>", "<|eot_id|>")),
        each(in_json(NAME_PARAMETERS), between="; "),
    ),
    Dialect(
        "xlam",
        "xLAM, Hammer, ToolACE, watt-tool",
        "model cards of Salesforce xLAM",
        "a list of objects with `name` and `arguments`, no mark; `[]` is no call",
        calls=listed(NAME_ARGUMENTS),
    ),
    Dialect(
        "python_dict",
        "small Llama, Mistral and Qwen models",
        "run-llama/llama_index#10322",
        "the quotes and literals of Python in an object of `name` and `arguments`",
        calls=each(lambda call: repr(NAME_ARGUMENTS(call))),
        fixes=("other_quotes", "python_literal", "bad_escape"),
    ),
    Dialect(
        "openai_json",
        "models that imitate the OpenAI API",
        "OpenAI API, chat completions",
        "the keys `tool_calls` or `function_call`",
        calls=_api_calls,
    ),
    Dialect(
        "keyed_json",
        "small models, LlamaIndex and BAML prompts",
        "prompts of structured-output libraries",
        "the name of a declared tool as the key",
        calls=each(in_json(keyed_by_name)),
    ),
    Dialect(
        "generic_keys",
        "any model under a home-made prompt",
        "langgenius/dify-official-plugins#3703",
        "any other pair of keys for name and arguments",
        calls=each(in_json(keyed("tool", "args"))),
    ),
)
