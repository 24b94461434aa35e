"""Calls as tags: a tag that names the tool, tags that name the arguments, raw text between them.

    <tool_call>                                     qwen3_coder; its neighbours differ in the outer tag
    <function=get_weather>
    <parameter=city>
    Oslo
    </parameter>
    </function>
    </tool_call>

    <minimax:tool_call>                             minimax_m2; its neighbours differ in the outer tag
    <invoke name="get_weather">
    <parameter name="city">Oslo</parameter>
    </invoke>
    </minimax:tool_call>

Raw text has no escapes: a string that holds such a tag cannot be written, and is refused with a `UsageError`.  The schema
decides what a value is, so a text such as `null` is a text only for a parameter that is declared as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from react_agent.messages import Call

from .dialect import Dialect, Opener, opening
from .writing import arguments, each, in_json, quoted_name, raw, tag_name, tagged

_function = tagged("<function={}>", "<parameter={}>", "</parameter>", "</function>", lines=True)
_invoke = tagged('<invoke name="{}">', '<parameter name="{}">', "</parameter>", "</invoke>")
_steptml = tagged(
    '<steptml:invoke name="{}">', '<steptml:parameter name="{}">', "</steptml:parameter>", "</steptml:invoke>", between=""
)
_param = tagged('<function name="{}">', '<param name="{}">', "</param>", "</function>", between="")
_json_in_function = in_json(arguments)


def _typed(call: Call) -> str:
    """DSML says of each value whether it is text."""
    parts = [f'<｜DSML｜invoke name="{quoted_name(call.name)}">']
    for key, value in call.arguments.items():
        is_text = str(isinstance(value, str)).lower()
        head = f'<｜DSML｜parameter name="{quoted_name(key)}" string="{is_text}">'
        parts.append(f"{head}{raw(value)}</｜DSML｜parameter>")
    return "\n".join([*parts, "</｜DSML｜invoke>"])


_MARKER = "]<]minimax[>["
_MARKED = re.compile(re.escape(_MARKER))


def _named_after_keys(call: Call) -> str:
    """MiniMax-M3: tags named after the keys, nested for objects, `item` for lists, a token before every tag."""
    inner = "".join(_nested(key, value) for key, value in call.arguments.items())
    return f'{_MARKER}<invoke name="{quoted_name(call.name)}">{inner}{_MARKER}</invoke>'


def _nested(key: str, value: Any) -> str:
    name = tag_name(key)
    if isinstance(value, dict) and value:
        inner = "".join(_nested(*item) for item in value.items())
    elif isinstance(value, list) and value:
        inner = "".join(_nested("item", item) for item in value)
    else:
        inner = raw(value, refused=_MARKED)
    return f"{_MARKER}<{name}>{inner}{_MARKER}</{name}>"


def _own_tags(call: Call) -> str:
    """Cline: the names of the tool and of its parameters are the tags."""
    closing = re.compile("|".join(f"</?{re.escape(name)}>" for name in (call.name, *call.arguments)), re.IGNORECASE)
    keys = [f"<{tag_name(key)}>{raw(value, refused=closing)}</{key}>" for key, value in call.arguments.items()]
    return "\n".join([f"<{tag_name(call.name)}>", *keys, f"</{call.name}>"])


_KIMI = re.compile(r"<\|(?:open|close|sep)\|>")
_ENTITIES = {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;"}


def _entities(text: str) -> str:
    return "".join(_ENTITIES.get(char, char) for char in text)


def _xtml(call: Call, index: int) -> str:
    """Kimi K3: elements between control tokens, each value with its type."""
    parts = [f'<|open|>call tool="{_entities(call.name)}" index="{index}"<|sep|>']
    for key, value in call.arguments.items():
        head = f'<|open|>argument key="{_entities(key)}" type="{_type(value)}"<|sep|>'
        parts.append(f"{head}{raw(value, refused=_KIMI)}<|close|>argument<|sep|>")
    return "".join([*parts, "<|close|>call<|sep|>"])


def _type(value: Any) -> str:
    names: dict[type, str] = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    return names.get(type(value), "null")


def _element(name: str) -> Callable[[str, str], str]:
    return lambda text, lang: f"<|open|>{name}<|sep|>{text}<|close|>{name}<|sep|>"


_DSML = ("<｜DSML｜", "<｜｜DSML｜｜", "<‖DSML‖", "<|DSML|")
"""The marker as the model has it and as servers and copies spell it."""

TAGS = (
    Dialect(
        "qwen3_coder",
        "Qwen3-Coder, Qwen3.5 and later, Nemotron 3, MiMo, Step-3.5",
        "chat template of Qwen3-Coder",
        "`<tool_call>` or nothing, then `<function=` and `<parameter=`",
        calls=each(lambda call: f"<tool_call>\n{_function(call)}\n</tool_call>"),
    ),
    Dialect(
        "seed_oss",
        "Seed-OSS-36B",
        "chat template",
        "`<seed:tool_call>`",
        opening("seed_oss", ("<seed:tool_call>", "</seed:tool_call>")),
        each(lambda call: f"<seed:tool_call>\n{_function(call)}\n</seed:tool_call>"),
        thought=lambda text, lang: f"<seed:think>{text}</seed:think>",
    ),
    Dialect(
        "llama3_func_tag",
        "Llama 3.1 with custom tools, Functionary 3.1",
        "Llama 3.1 prompt format for custom tools",
        "`<function=` with a JSON object",
        calls=each(lambda call: f"<function={quoted_name(call.name)}>{_json_in_function(call)}</function>"),
    ),
    Dialect(
        "anthropic_xml",
        "Claude-style prompts and models distilled from them",
        "Anthropic, tool-use prompt of 2023",
        "`<function_calls>` or nothing, then `<invoke name=`",
        opening("anthropic_xml", ("<function_calls>", "</function_calls>")),
        each(_invoke, "<function_calls>\n", "\n</function_calls>"),
    ),
    Dialect(
        "minimax_m2",
        "MiniMax-M2, M2.1, M2.5",
        "chat template",
        "`<minimax:tool_call>`",
        opening("minimax_m2", ("<minimax:tool_call>", "</minimax:tool_call>")),
        each(_invoke, "<minimax:tool_call>\n", "\n</minimax:tool_call>"),
    ),
    Dialect(
        "minimax_m3",
        "MiniMax-M3",
        "chat template",
        "the token `]<]minimax[>[` before every tag",
        opening(
            "minimax_m3",
            (f"{_MARKER}<tool_call>", f"{_MARKER}</tool_call>"),
            (f"{_MARKER}<invoke", f"{_MARKER}</invoke>"),
        ),
        each(_named_after_keys, f"{_MARKER}<tool_call>\n", f"\n{_MARKER}</tool_call>"),
    ),
    Dialect(
        "dots",
        "dots.llm",
        "vLLM and SGLang, dots parsers",
        "`<dots_function_call>`",
        opening("dots", ("<dots_function_call>", "</dots_function_call>")),
        each(_invoke, "<dots_function_call>\n", "\n</dots_function_call>"),
    ),
    Dialect(
        "deepseek_dsml",
        "DeepSeek V3.2, V4",
        "encoding script of DeepSeek V3.2",
        "the token `｜DSML｜` in every tag",
        tuple(
            Opener(f"{mark}{name}>", "deepseek_dsml", (f"</{mark[1:]}{name}>",))
            for mark in _DSML
            for name in ("function_calls", "tool_calls")
        ),
        each(_typed, "<｜DSML｜function_calls>\n", "\n</｜DSML｜function_calls>"),
    ),
    Dialect(
        "step3",
        "Step3",
        "chat template; vLLM, Step3 tool parser",
        "DeepSeek's tokens with plain underscores, then `<steptml:invoke`",
        calls=each(
            lambda call: f"<｜tool_call_begin｜>function<｜tool_sep｜>{_steptml(call)}<｜tool_call_end｜>",
            "<｜tool_calls_begin｜>",
            "<｜tool_calls_end｜>",
            between="",
        ),
    ),
    Dialect(
        "minicpm_xml",
        "MiniCPM4, MiniCPM5",
        "SGLang, MiniCPM5 detector",
        "`<function name=` and `<param name=`",
        calls=each(_param),
    ),
    Dialect(
        "cline_xml",
        "any coder model under the prompts of Cline, Roo and Kilo",
        "system prompt of Cline",
        "the name of a declared tool is the tag",
        calls=each(_own_tags),
    ),
    Dialect(
        "kimi_k3",
        "Kimi K3",
        "SGLang, Kimi K3 detector",
        "`<|open|>tools<|sep|>`",
        opening("kimi_k3", ("<|open|>tools<|sep|>", "<|close|>tools<|sep|>")),
        lambda calls, lang: "".join(
            ["<|open|>tools<|sep|>", *(_xtml(call, index) for index, call in enumerate(calls, 1)), "<|close|>tools<|sep|>"]
        ),
        thought=_element("think"),
        answer=_element("response"),
    ),
)
