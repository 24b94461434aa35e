"""Wrappers that differ only in their literals: one line each.

The body behind an opener is told by its first characters, so no line says how it is written.  Sources: the chat templates
and parsers of the models named beside each group.
"""

from __future__ import annotations

from .dialect import Dialect, Opener


def _call(dialect: str, *pairs: tuple[str, ...]) -> tuple[Opener, ...]:
    return tuple(Opener(pair[0], dialect, pair[1:]) for pair in pairs)


def _kind(kind: str, dialect: str, *pairs: tuple[str, ...]) -> tuple[Opener, ...]:
    return tuple(Opener(pair[0], dialect, pair[1:], kind) for pair in pairs)  # type: ignore[arg-type]  # checked by a test


CALLS = (
    # MiniMax-M1, Jamba, Hunyuan: JSON lines, a list, or blocks
    *_call("tool_calls_tag", ("<tool_calls>", "</tool_calls>")),
    # Granite, Phi-4
    *_call("granite", ("<|tool_call|>", "<|/tool_call|>", "</tool_call>", "<|tool_call|>")),
    # DeepSeek V2.5 to V3.1, with the spellings that servers and models make of the tokens
    *_call(
        "deepseek_v3",
        ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"),
        ("<｜tool_call_begin｜>", "<｜tool_call_end｜>", "<｜tool_calls_end｜>"),
        ("<|tool▁call▁begin|>", "<|tool▁call▁end|>", "<|tool▁calls▁end|>"),
        ("<｜tool call begin｜>", "<｜tool call end｜>", "<｜tool calls end｜>"),
    ),
    # Kimi K2
    *_call("kimi_k2", ("<|tool_call_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>")),
    # Kimi K3
    *_call("kimi_k3", ("<|open|>tools<|sep|>", "<|close|>tools<|sep|>")),
    # MiniMax-M2, M3
    *_call("minimax_m2", ("<minimax:tool_call>", "</minimax:tool_call>")),
    *_call("minimax_m3", ("]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>")),
    # Mistral
    *_call("mistral", ("[TOOL_CALLS]",)),
    # Llama 3 and 4
    *_call("llama3_json", ("<|python_tag|>", "<|eom_id|>", "<|eot_id|>")),
    *_call("pythonic", ("<|python_start|>", "<|python_end|>")),
    # Claude-style prompts, DeepSeek DSML, Olmo 3
    *_call("anthropic_xml", ("<function_calls>", "</function_calls>"), ("<function_calls>", "</function_calls>")),
    *_call(
        "deepseek_dsml",
        ("<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),
        ("<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"),
        ("<｜｜DSML｜｜function_calls>", "</｜｜DSML｜｜function_calls>"),
        ("<｜｜DSML｜｜tool_calls>", "</｜｜DSML｜｜tool_calls>"),
        ("<‖DSML‖function_calls>", "</‖DSML‖function_calls>"),
        ("<|DSML|function_calls>", "</|DSML|function_calls>"),
        ("<|DSML|tool_calls>", "</|DSML|tool_calls>"),
    ),
    # Cohere
    *_call("cohere_a", ("<|START_ACTION|>", "<|END_ACTION|>")),
    # Functionary, Firefunction, Phi-4-mini
    *_call("functools", ("functools[",)),
    # Gorilla OpenFunctions: code behind the mark, once for each call
    *_call("gorilla", ("<<function>>",)),
    # InternLM
    *_call("internlm", ("<|action_start|><|plugin|>", "<|action_end|>"), ("<|action_start|> <|plugin|>", "<|action_end|>")),
    # Nemotron
    *_call("nemotron", ("<TOOLCALL>", "</TOOLCALL>")),
    # ByteDance Seed
    *_call("seed_oss", ("<seed:tool_call>", "</seed:tool_call>")),
    # Gemma
    *_call("functiongemma", ("<start_function_call>", "<end_function_call>")),
    *_call("gemma4", ("<|tool_call>", "<tool_call|>")),
    # LFM2, Apertus, LongCat, GigaChat, PLaMo, Pangu
    *_call("lfm2", ("<|tool_call_start|>", "<|tool_call_end|>")),
    *_call("apertus", ("<|tools_prefix|>", "<|tools_suffix|>")),
    *_call("longcat", ("<longcat_tool_call>", "</longcat_tool_call>")),
    *_call("gigachat", ("function call<|role_sep|>",), ("<|function_call|>", "<|function_call|>")),
    *_call("plamo", ("<|plamo:begin_tool_request:plamo|>", "<|plamo:end_tool_request:plamo|>")),
    *_call("pangu", ("[unused11]", "[unused12]")),
    # tags that models make up
    *_call(
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
    *_call(
        "bracket_call",
        ("[Calling tool:", "]"),
        ("[Calling tools:", "]"),
        ("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
        ("[TOOL_CALL]", "[/TOOL_CALL]"),
        ("[tool_call]", "[/tool_call]"),
    ),
)  # fmt: skip

REASONING = _kind(
    "think",
    "think_wrap",
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>", "</think>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("◁think▷", "◁/think▷"),
    ("[unused16]", "[unused17]"),
    ("<|channel|>analysis<|message|>", "<|end|>", "<|start|>", "<|channel|>"),
    ("<|think|>", "<|/think|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
)

OBSERVED = _kind(
    "observe",
    "observation",
    ("<tool_response>",),
    ("<tool_result>",),
    ("<function_results>",),
    ("<function_response>",),
    ("<observation>",),
    ("<|observation|>",),
    ("<|tool_response|>",),
    ("<start_function_response>",),
    ("✿RESULT✿",),
    ("<｜tool▁outputs▁begin｜>",),
    ("<｜tool▁output▁begin｜>",),
    ("[TOOL_RESULTS]",),
    ("<|ipython|>",),
    ("<|tool_response>",),
)

ANSWERS = _kind(
    "answer",
    "answer_tag",
    ("<answer>", "</answer>"),
    ("<response>", "</response>"),
    ("<final_answer>", "</final_answer>"),
    ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ("<|START_TEXT|>", "<|END_TEXT|>"),
    ("<|channel|>final<|message|>", "<|end|>", "<|return|>", "<|start|>"),
    ("✿RETURN✿",),
    ("[[ ## answer ## ]]", "[[ ## completed ## ]]"),
    ("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
)

FLOWER = (
    Opener("✿FUNCTION✿", "qwen_flower", kind="action"),
    Opener("✿ARGS✿", "qwen_flower", kind="input"),
    Opener("[[ ## next_thought ## ]]", "dspy", kind="thought"),
    Opener("[[ ## thought ## ]]", "dspy", kind="thought"),
    Opener("[[ ## reasoning ## ]]", "dspy", kind="thought"),
    Opener("[[ ## next_tool_name ## ]]", "dspy", kind="action"),
    Opener("[[ ## tool_name ## ]]", "dspy", kind="action"),
    Opener("[[ ## next_tool_args ## ]]", "dspy", kind="input"),
    Opener("[[ ## tool_args ## ]]", "dspy", kind="input"),
    Opener("[[ ## observation", "dspy", kind="observe"),
)

ENDS = _kind(
    "end",
    "turn",
    ("<|im_end|>",),
    ("<|im_start|>",),
    ("<|eot_id|>",),
    ("<|eom_id|>",),
    ("<|end_of_text|>",),
    ("<|endoftext|>",),
    ("<|user|>",),
    ("<|system|>",),
    ("<｜end▁of▁sentence｜>",),
    ("<|return|>",),
    ("<end_of_turn>",),
    ("</s>",),
    ("[INST]",),
)

NOISE = _kind(
    "noise",
    "token",
    ("<｜tool▁calls▁begin｜>",),
    ("<｜tool▁calls▁end｜>",),
    ("<|tool_calls_section_begin|>",),
    ("<|tool_calls_section_end|>",),
    ("<|plamo:begin_tool_requests:plamo|>",),
    ("<|plamo:end_tool_requests:plamo|>",),
    ("<|assistant|>",),
    ("<|start_header_id|>assistant<|end_header_id|>",),
    ("<|start_header_id|>",),
    ("<|end_header_id|>",),
    ("<｜tool_calls_begin｜>",),
    ("<｜tool_calls_end｜>",),
    (">>>all\n",),
    ("<|tool▁calls▁begin|>",),
    ("<|tool▁calls▁end|>",),
    ("<start_of_turn>model",),
    ("</tool_call>",),
    ("</tool_calls>",),
    ("[[ ## completed ## ]]",),
    ("<|call|>",),
)

DIALECT = Dialect("wrappers", openers=(*CALLS, *REASONING, *OBSERVED, *ANSWERS, *FLOWER, *ENDS, *NOISE))
