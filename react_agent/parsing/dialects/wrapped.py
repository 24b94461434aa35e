"""JSON between two marks: one line of data each.  The marks are special tokens of the models, or tags of their templates.

    <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>

Which of several dialects an opener means is told by the body behind it: see `telling`.
"""

from __future__ import annotations

from .dialect import Dialect, Opener, opening
from .values import keyed_by_name
from .writing import NAME_ARGUMENTS, NAME_PARAMETERS, each, in_json, keyed, listed, pairs

WRAPPED = (
    Dialect(
        "minimax_m1",
        "MiniMax-M1, MiniMax-Text-01",
        "chat template; vLLM, MiniMax tool parser",
        "`<tool_calls>` with objects on lines",
        opening("minimax_m1", ("<tool_calls>", "</tool_calls>")),
        each(in_json(NAME_ARGUMENTS), "<tool_calls>\n", "\n</tool_calls>"),
    ),
    Dialect(
        "jamba",
        "Jamba 1.5 and 1.6, Apriel, Hunyuan-A13B",
        "chat template; vLLM, Jamba tool parser",
        "`<tool_calls>` with a list",
        calls=listed(NAME_ARGUMENTS, "<tool_calls>", "</tool_calls>"),
    ),
    Dialect(
        "hunyuan",
        "HY v3 and v4; Hunyuan-A13B writes as jamba does",
        "SGLang, Hunyuan detector",
        "`<tool_calls>` with blocks of names and pairs, or a suffix in the tags",
        calls=each(pairs("<tool_call>", "</tool_call>"), "<tool_calls>\n", "\n</tool_calls>"),
    ),
    Dialect(
        "granite",
        "Granite 3.0 to 3.3, Granite 20B",
        "chat template; vLLM, Granite tool parser",
        "`<|tool_call|>` with a list and no end mark; `<tool_call>` with a list",
        opening("granite", ("<|tool_call|>", "<|/tool_call|>", "</tool_call>", "<|tool_call|>")),
        listed(NAME_ARGUMENTS, "<|tool_call|>"),
    ),
    Dialect(
        "phi4_tag",
        "Phi-4-mini, Phi-4-multimodal",
        "chat template",
        "`<|tool_call|>` with its end mark; without one it reads as granite",
        calls=listed(NAME_ARGUMENTS, "<|tool_call|>", "<|/tool_call|>"),
    ),
    Dialect(
        "mistral_old",
        "Mistral 7B v0.3, Mixtral, Nemo, Ministral",
        "mistral-common, tokenizer v3",
        "`[TOOL_CALLS]` with a list",
        opening("mistral_old", ("[TOOL_CALLS]",)),
        listed(NAME_ARGUMENTS, "[TOOL_CALLS] "),
    ),
    Dialect(
        "cohere_a",
        "Command-R7B, Command-A, Command 4",
        "chat template",
        "`<|START_ACTION|>`",
        opening("cohere_a", ("<|START_ACTION|>", "<|END_ACTION|>")),
        listed(keyed("tool_name", "parameters"), "<|START_ACTION|>", "<|END_ACTION|>"),
        thought=lambda text, lang: f"<|START_THINKING|>{text}<|END_THINKING|>",
        answer=lambda text, lang: f"<|START_RESPONSE|>{text}<|END_RESPONSE|>",
    ),
    Dialect(
        "functools",
        "Phi-4-mini, Firefunction v2",
        "vLLM, Phi-4-mini tool parser",
        "`functools[`",
        opening("functools", ("functools[",)),
        listed(NAME_ARGUMENTS, "functools"),
    ),
    Dialect(
        "internlm",
        "InternLM 2 to 3, Intern-S1",
        "chat template; lmdeploy",
        "`<|action_start|><|plugin|>`",
        opening(
            "internlm", ("<|action_start|><|plugin|>", "<|action_end|>"), ("<|action_start|> <|plugin|>", "<|action_end|>")
        ),
        each(in_json(NAME_PARAMETERS, "<|action_start|><|plugin|>\n", "<|action_end|>")),
    ),
    Dialect(
        "nemotron",
        "Llama-Nemotron, Nemotron Nano v2",
        "chat template",
        "`<TOOLCALL>` in capitals",
        opening("nemotron", ("<TOOLCALL>", "</TOOLCALL>")),
        listed(NAME_ARGUMENTS, "<TOOLCALL>", "</TOOLCALL>"),
    ),
    Dialect(
        "apertus",
        "Apertus 8B, 70B",
        "chat template",
        "`<|tools_prefix|>`",
        opening("apertus", ("<|tools_prefix|>", "<|tools_suffix|>")),
        listed(keyed_by_name, "<|tools_prefix|>", "<|tools_suffix|>"),
    ),
    Dialect(
        "gigachat",
        "GigaChat 3",
        "chat template; SGLang, GigaChat 3 detector",
        "`function call<|role_sep|>` or `<|function_call|>`",
        opening("gigachat", ("function call<|role_sep|>",), ("<|function_call|>", "<|function_call|>")),
        each(in_json(NAME_ARGUMENTS, "<|function_call|>"), between=""),
    ),
    Dialect(
        "pangu",
        "openPangu",
        "chat template",
        "`[unused11]`",
        opening("pangu", ("[unused11]", "[unused12]")),
        listed(NAME_ARGUMENTS, "[unused11]", "[unused12]"),
        thought=lambda text, lang: f"[unused16]{text}[unused17]",
    ),
    Dialect(
        "tools_tag",
        "Qwen2.5-Coder, OpenHermes, Granite: tags that models make up",
        "ardanlabs/kronk#944, vllm-project/vllm#33083",
        "any other tag with a word such as tools, function, function_call, tool_use, action",
        opening(
            "tools_tag",
            ("<tools>", "</tools>", "</tool>"),
            ("<function>", "</function>"),
            ("<function_call>", "</function_call>"),
            ("<functioncall>", "</functioncall>", "<|endoftext|>"),
            ("<tool>", "</tool>", "</tools>"),
            ("<tool_use>", "</tool_use>"),
            ("<tool_code>", "</tool_code>"),
            ("<call>", "</call>"),
            ("<action>", "</action>"),
        ),
        each(in_json(NAME_ARGUMENTS, "<tools>\n", "\n</tools>")),
    ),
    Dialect(
        "bracket_call",
        "LM Studio's default prompt; Qwen3 and MiniMax after a history in text",
        "LM Studio; raullenchai/Rapid-MLX#1591",
        "`[TOOL_REQUEST]`, `[TOOL_CALL]` or `[Calling tool: `",
        opening(
            "bracket_call",
            ("[Calling tool:", "]"),
            ("[Calling tools:", "]"),
            ("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
            ("[TOOL_CALL]", "[/TOOL_CALL]"),
            ("[tool_call]", "[/tool_call]"),
        ),
        each(in_json(NAME_ARGUMENTS, "[TOOL_REQUEST]\n", "\n[END_TOOL_REQUEST]")),
    ),
    Dialect(
        "inkling",
        "Inkling",
        "vLLM and SGLang, Inkling parsers",
        "`<|content_invoke_tool_json|>`",
        (Opener("<|content_invoke_tool_json|>", "inkling", ("<|end_message|>",)),),
        each(
            lambda call: (
                f"<|message_model|>{call.name}"
                + in_json(keyed("name", "args"), "<|content_invoke_tool_json|>", "<|end_message|>")(call)
            ),
            between="",
        ),
        thought=lambda text, lang: f"<|message_model|><|content_thinking|>{text}<|end_message|>",
        answer=lambda text, lang: f"<|message_model|><|content_text|>{text}<|end_message|>",
    ),
)
