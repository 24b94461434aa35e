"""What is the dialect of a call, given its opener and the body that was found behind it?

In: the name that the opener stands for, and the name of a body grammar.  Out: the name for `Call.dialect`.  An opener that is
not named here means one dialect, whatever the body.
"""

from __future__ import annotations

BODIES = {
    "list": "a JSON list of calls",
    "keyed_json": "a JSON object keyed by the name of a tool",
    "python": "Python-like calls",
    "parameters": "`<function=` with parameter tags",
    "json_in_tag": "`<function=` with a JSON object",
    "invoke": "`<invoke name=` with parameter tags",
    "function": "`<function name=` with parameter tags",
    "children": "a name and its arguments in tags of their own",
    "dsml": "`<｜DSML｜invoke name=` with parameter tags",
    "steptml": "`<steptml:invoke name=` with parameter tags",
    "pairs": "a name with key and value tags",
    "name": "a name without arguments",
    "named": "a name with a JSON object",
    "named_fence": "a name with a JSON object in a fence",
    "named_marked": "`>>>` and a name with a JSON object",
    "named_args": "a name, `[ARGS]` and a JSON object",
    "named_argument": "a name, `<|tool_call_argument_begin|>` and a JSON object",
    "named_message": "a name, `<|message|>` and a JSON object",
    "named_sep": "a name, DeepSeek's separator and a JSON object",
    "code": "JSON with its code in a tag behind it",
    "braces": "`call:name{`",
}
"""The body grammars by the names that their readers give here."""
BY_BODY: dict[str, dict[str, str]] = {
    "hermes": {
        "list": "granite",
        "keyed_json": "hybrid",
        "python": "hybrid",
        "parameters": "qwen3_coder",
        "json_in_tag": "llama3_func_tag",
        "invoke": "anthropic_xml",
        "function": "minicpm_xml",
        "children": "hybrid",
        "pairs": "glm45",
        "name": "glm45",
        "named": "hybrid",
        "named_fence": "hybrid",
        "code": "qwen_code",
    },
    "minimax_m1": {"list": "jamba", "pairs": "hunyuan", "name": "hunyuan", "named": "hunyuan", "invoke": "anthropic_xml"},
    "mistral_old": {"named": "mistral_v11", "named_args": "mistral_v11", "named_fence": "mistral_v11", "name": "mistral_v11"},
    "deepseek_v3": {"named": "deepseek_v31", "named_sep": "deepseek_v31", "steptml": "step3"},
    "anthropic_xml": {"python": "olmo3", "list": "tools_tag"},
    "tag": {
        "parameters": "qwen3_coder",
        "json_in_tag": "llama3_func_tag",
        "invoke": "anthropic_xml",
        "function": "minicpm_xml",
        "dsml": "deepseek_dsml",
        "steptml": "step3",
    },
    "name_line": {
        "named": "glm4_plain",
        "named_fence": "glm4_plain",
        "named_marked": "functionary",
        "named_args": "mistral_v11",
        "named_argument": "kimi_k2",
        "named_message": "harmony",
        "named_sep": "deepseek_v31",
        "name": "glm4_plain",
        "pairs": "glm45",
    },
    "label": {"python": "react_call", "named": "glm4_plain", "pairs": "glm45", "name": "react_en"},
    "": {
        "python": "pythonic",
        "parameters": "qwen3_coder",
        "json_in_tag": "llama3_func_tag",
        "invoke": "anthropic_xml",
        "function": "minicpm_xml",
        "dsml": "deepseek_dsml",
        "steptml": "step3",
        "code": "qwen_code",
        "pairs": "glm45",
        "name": "glm45",
        "named": "glm4_plain",
        "named_fence": "glm4_plain",
        "braces": "gemma4",
    },
}
"""Opener, then body, to dialect.  "tag", "name_line", "label" and "" are a function tag, a name line, a label and nothing."""
_BY_CLOSER = {("granite", "<|/tool_call|>"): "phi4_tag"}


def told(opener: str, body: str) -> str:
    """The dialect of a body of this grammar behind an opener."""
    return BY_BODY.get(opener, {}).get(body, opener)


def told_by_closer(opener: str, closer: str) -> str:
    """The dialect of an opener whose closing mark tells more than its body."""
    return _BY_CLOSER.get((opener, closer), opener)
