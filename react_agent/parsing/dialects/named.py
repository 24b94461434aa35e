"""Calls that begin with a bare name: arguments as JSON, as pairs of tags, or as code.

get_weather⏎{"city": "Oslo"}                                          GLM-4, DeepSeek, Kimi, Mistral with their tokens
<tool_call>get_weather⏎<arg_key>city</arg_key>⏎<arg_value>Oslo</arg_value>⏎</tool_call>         GLM-4.5 and later
get_weather⏎```python⏎tool_call(city='Oslo')⏎```                      ChatGLM3
<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>     harmony
✿FUNCTION✿: get_weather⏎✿ARGS✿: {"city": "Oslo"}                      Qwen 1.5 and 2
"""

from __future__ import annotations

from dataclasses import replace

from react_agent.messages import Call

from .dialect import Dialect, Opener, opening
from .writing import arguments, compact, each, in_json, pairs, python, quoted_name, without_fences

_json = in_json(arguments)
_glm = pairs("<tool_call>", "</tool_call>")


def _channel(name: str) -> str:
    return f"<|channel|>{name}<|message|>"


def _harmony(call: Call) -> str:
    return f"<|channel|>commentary to=functions.{quoted_name(call.name)} <|constrain|>json<|message|>{_json(call)}<|call|>"


def _deepseek(call: Call) -> str:
    body = f"function<｜tool▁sep｜>{quoted_name(call.name)}\n```json\n{_json(call)}\n```"
    return f"<｜tool▁call▁begin｜>{body}<｜tool▁call▁end｜>"


def _plamo(call: Call) -> str:
    name = f"<|plamo:begin_tool_name:plamo|>{quoted_name(call.name)}<|plamo:end_tool_name:plamo|>"
    given = f"<|plamo:begin_tool_arguments:plamo|>{_json(call)}<|plamo:end_tool_arguments:plamo|>"
    return f"<|plamo:begin_tool_request:plamo|>{name}{given}<|plamo:end_tool_request:plamo|>"


def _chatglm3(call: Call) -> str:
    return f"{call.name}\n```python\n{without_fences(python(replace(call, name='tool_call')))}\n```"


def _dspy(call: Call) -> str:
    return f"[[ ## next_tool_name ## ]]\n{call.name}\n\n[[ ## next_tool_args ## ]]\n{_json(call)}\n\n"


NAMED = (
    Dialect(
        "glm4_plain",
        "GLM-4-9B, ChatGLM4, CodeGeeX4",
        "chat template of GLM-4",
        "a line with the name of a declared tool, then a JSON object",
        calls=each(lambda call: f"{call.name}\n{compact(call.arguments)}"),
    ),
    Dialect(
        "glm45",
        "GLM-4.5 to 4.7, GLM-5, HyperCLOVAX-SEED-Think",
        "chat template of GLM-4.5",
        "`<tool_call>` with a name and `<arg_key>`",
        calls=each(_glm),
    ),
    Dialect(
        "chatglm3",
        "ChatGLM3-6B",
        "ChatGLM3, tool-use demo",
        "a line with the name, then a fence that calls `tool_call`",
        calls=each(_chatglm3),
    ),
    Dialect(
        "iquest",
        "iQuest Coder V2",
        "vLLM, iQuest Coder V2 tool parser",
        "`<iquestcoder_tool_call>`",
        opening("iquest", ("<iquestcoder_tool_call>", "</iquestcoder_tool_call>")),
        each(pairs("<iquestcoder_tool_call>", "</iquestcoder_tool_call>")),
    ),
    Dialect(
        "k2_horizon",
        "K2 Horizon",
        "vLLM, K2 Horizon tool parser",
        "`<ifm|` in every tag",
        opening("k2_horizon", ("<ifm|tool_calls>", "</ifm|tool_calls>"), ("<ifm|tool_call>", "</ifm|tool_call>")),
        each(
            pairs("<ifm|tool_call>", "</ifm|tool_call>", "ifm|", between="", gap=""),
            "<ifm|tool_calls>",
            "</ifm|tool_calls>",
            between="",
        ),
        thought=lambda text, lang: f"<ifm|think>{text}</ifm|think>\n",
    ),
    Dialect(
        "longcat",
        "LongCat-Flash",
        "chat template",
        "`<longcat_tool_call>`",
        opening("longcat", ("<longcat_tool_call>", "</longcat_tool_call>")),
        each(pairs("<longcat_tool_call>", "</longcat_tool_call>", "longcat_")),
        thought=lambda text, lang: f"<longcat_think>\n{text}\n</longcat_think>\n",
    ),
    Dialect(
        "deepseek_v3",
        "DeepSeek V2.5, V3, R1 and models distilled from them",
        "chat template of DeepSeek V3",
        "DeepSeek's tokens, the word function and a fence",
        opening(
            "deepseek_v3",
            ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"),
            ("<｜tool_call_begin｜>", "<｜tool_call_end｜>", "<｜tool_calls_end｜>"),
            ("<|tool▁call▁begin|>", "<|tool▁call▁end|>", "<|tool▁calls▁end|>"),
            ("<｜tool call begin｜>", "<｜tool call end｜>", "<｜tool calls end｜>"),
        ),
        each(_deepseek, "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ),
    Dialect(
        "deepseek_v31",
        "DeepSeek V3.1",
        "chat template of DeepSeek V3.1",
        "DeepSeek's tokens, a name and a JSON object",
        calls=each(
            lambda call: f"<｜tool▁call▁begin｜>{quoted_name(call.name)}<｜tool▁sep｜>{_json(call)}<｜tool▁call▁end｜>",
            "<｜tool▁calls▁begin｜>",
            "<｜tool▁calls▁end｜>",
            between="",
        ),
    ),
    Dialect(
        "kimi_k2",
        "Kimi K2, K2.5",
        "chat template of Kimi K2",
        "`<|tool_call_begin|>`",
        opening("kimi_k2", ("<|tool_call_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>")),
        lambda calls, lang: "".join(
            [
                "<|tool_calls_section_begin|>",
                *(
                    f"<|tool_call_begin|>functions.{quoted_name(call.name)}:{index}"
                    f"<|tool_call_argument_begin|>{_json(call)}<|tool_call_end|>"
                    for index, call in enumerate(calls)
                ),
                "<|tool_calls_section_end|>",
            ]
        ),
    ),
    Dialect(
        "mistral_v11",
        "Mistral Small 3.x, Devstral, Magistral",
        "mistral-common, tokenizer v11",
        "`[TOOL_CALLS]` with a name",
        calls=each(lambda call: f"[TOOL_CALLS]{quoted_name(call.name)}[ARGS]{_json(call)}", between=""),
        thought=lambda text, lang: f"[THINK]{text}[/THINK]",
    ),
    Dialect(
        "functionary",
        "Functionary 2.4 to 3.2",
        "chat template",
        "`>>>` in front of the name",
        calls=each(lambda call: f">>>{quoted_name(call.name)}\n{_json(call)}", between=""),
        answer=lambda text, lang: f">>>all\n{text}",
    ),
    Dialect(
        "harmony",
        "gpt-oss 20B, 120B",
        "OpenAI harmony response format",
        "`to=functions.` in the head of a message",
        calls=each(_harmony, between="<|start|>assistant"),
        thought=lambda text, lang: f"{_channel('analysis')}{text}<|end|><|start|>assistant",
        answer=lambda text, lang: f"{_channel('final')}{text}<|return|>",
    ),
    Dialect(
        "harmony_stripped",
        "gpt-oss behind servers that remove special tokens",
        "Augustas11/macprovider#743",
        "the words of harmony without its tokens",
        calls=each(lambda call: f"assistantcommentary to=functions.{quoted_name(call.name)} json{_json(call)}", between=""),
        thought=lambda text, lang: f"analysis{text}",
        answer=lambda text, lang: f"assistantfinal{text}",
    ),
    Dialect(
        "plamo",
        "PLaMo 3",
        "chat template",
        "`<|plamo:begin_tool_request:plamo|>`",
        opening("plamo", ("<|plamo:begin_tool_request:plamo|>", "<|plamo:end_tool_request:plamo|>")),
        each(_plamo, "<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>", between=""),
    ),
    Dialect(
        "qwen_flower",
        "Qwen1.5 and Qwen2 under Qwen-Agent, DashScope",
        "Qwen-Agent, qwen prompt",
        "`✿FUNCTION✿` and `✿ARGS✿`",
        (Opener("✿FUNCTION✿", "qwen_flower", kind="action"), Opener("✿ARGS✿", "qwen_flower", kind="input")),
        each(lambda call: f"✿FUNCTION✿: {call.name}\n✿ARGS✿: {_json(call)}"),
        answer=lambda text, lang: f"✿RETURN✿: {text}",
    ),
    Dialect(
        "dspy",
        "any model under DSPy's ReAct",
        "DSPy, chat adapter",
        "field marks with `next_tool_name`",
        (
            Opener("[[ ## next_thought ## ]]", "dspy", kind="thought"),
            Opener("[[ ## thought ## ]]", "dspy", kind="thought"),
            Opener("[[ ## reasoning ## ]]", "dspy", kind="thought"),
            Opener("[[ ## next_tool_name ## ]]", "dspy", kind="action"),
            Opener("[[ ## tool_name ## ]]", "dspy", kind="action"),
            Opener("[[ ## next_tool_args ## ]]", "dspy", kind="input"),
            Opener("[[ ## tool_args ## ]]", "dspy", kind="input"),
            Opener("[[ ## observation", "dspy", kind="observe"),
        ),
        each(_dspy, between=""),
        thought=lambda text, lang: f"[[ ## next_thought ## ]]\n{text}\n\n",
        answer=lambda text, lang: f"[[ ## answer ## ]]\n{text}\n\n[[ ## completed ## ]]\n",
    ),
)
