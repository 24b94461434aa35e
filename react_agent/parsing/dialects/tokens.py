"""Marks that no dialect owns: reasoning, results, answers, ends of turns, and tokens that mean nothing.

One line each.  Sources: the chat templates of the models that have them as special tokens.
"""

from __future__ import annotations

from .dialect import Opener, opening

TEXT_MARK = "text_tag"
REASONING = opening(
    "think_wrap",
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>", "</think>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("<ifm|think>", "</ifm|think>"),
    ("<ifm|think_fast>", "</ifm|think_fast>"),
    ("<ifm|think_faster>", "</ifm|think_faster>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("◁think▷", "◁/think▷"),
    ("[unused16]", "[unused17]"),
    ("<|channel|>analysis<|message|>", "<|end|>", "<|start|>", "<|channel|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|content_thinking|>", "<|end_message|>"),
    ("<|think|>", "<|/think|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    kind="think",
)

OBSERVED = opening(
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
    ("<|message_tool|>",),
    kind="observe",
)

ANSWERS = opening(
    "answer_tag",
    ("<answer>", "</answer>"),
    ("<final_answer>", "</final_answer>"),
    ("<|channel|>final<|message|>", "<|end|>", "<|return|>", "<|start|>"),
    ("<|content_text|>", "<|end_message|>"),
    ("✿RETURN✿",),
    ("[[ ## answer ## ]]", "[[ ## completed ## ]]"),
    kind="answer",
)

TEXTS = opening(
    TEXT_MARK,
    ("<response>", "</response>"),
    ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ("<|START_TEXT|>", "<|END_TEXT|>"),
    ("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
    kind="answer",
)
"""Marks of all text for the user: of the answer, and of a remark where calls follow it."""

ENDS = opening(
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
    ("<|content_model_end_sampling|>",),
    kind="end",
)

NOISE = opening(
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
    ("</answer>",),
    ("</response>",),
    ("</final_answer>",),
    ("<|END_RESPONSE|>",),
    ("<|END_TEXT|>",),
    ("[[ ## completed ## ]]",),
    ("<|call|>",),
    ("<|message_model|>",),
    ("<|end_message|>",),
    kind="noise",
)

TOKENS: tuple[Opener, ...] = (*REASONING, *OBSERVED, *ANSWERS, *TEXTS, *ENDS, *NOISE)
