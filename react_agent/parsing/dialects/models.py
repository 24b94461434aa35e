"""Which dialects a model is likely to write, by its name: what model cards, chat templates and servers' parsers say of it.

In: a name as servers and hubs spell it (`Qwen/Qwen3-Coder-30B-A3B-Instruct`, `qwen2.5-coder:7b`, a path of a GGUF file).
Out: names of dialects, the likeliest first.  It is a hint for ties and nothing more: every dialect is read from every model.
"""

from __future__ import annotations

import re

FAMILIES: tuple[tuple[str, str], ...] = (
    # the first line that matches wins, so a special model stands before its family
    (r"deepseek-?r1.*(?:distill|qwen)", "deepseek_v3 hermes"),
    (r"(?:open)?hermes", "hermes tools_tag"),
    (r"qwen-?(?:3-coder|3\.[5-9])|coder-next", "qwen3_coder hermes"),
    (r"qwen-?2\.5-coder|qwencoder", "fenced_json tools_tag hermes bare_json"),
    (r"qwen-?(?:1\.5|2)(?![\d.])", "qwen_flower react_en hermes"),
    (r"qwen-?3|qwen|qwq", "hermes"),
    (r"hyperclova", "glm45"),
    (r"chatglm-?3", "chatglm3"),
    (r"glm-?(?:4\.[5-9]|[5-9])", "glm45"),
    (r"glm-?4|codegeex-?4", "glm4_plain"),
    (r"deepseek.*v-?(?:3\.2|[4-9])", "deepseek_dsml deepseek_v31"),
    (r"deepseek.*v-?3\.1", "deepseek_v31 deepseek_v3"),
    (r"deepseek-?coder", "fenced_json deepseek_v3"),
    (r"deepseek", "deepseek_v3 deepseek_v31"),
    (r"kimi-?k-?3", "kimi_k3"),
    (r"kimi-?dev", "hermes"),
    (r"kimi|moonlight", "kimi_k2"),
    (r"k2-?horizon|k2-?think", "k2_horizon hermes"),
    (r"minimax-?m-?3", "minimax_m3"),
    (r"minimax-?m-?2", "minimax_m2 anthropic_xml"),
    (r"minimax|abab", "minimax_m1"),
    (r"devstral|magistral|mistral-?(?:small|medium|large)-?(?:3|25)", "mistral_v11 mistral_old"),
    (r"mistral|mixtral|ministral|codestral|pixtral", "mistral_old mistral_v11"),
    (r"nemotron-?3", "qwen3_coder"),
    (r"nemotron", "nemotron"),
    (r"functionary", "functionary llama3_func_tag"),
    (r"firefunction", "functools"),
    (r"groq.*tool-?use|tool-?use.*groq", "hermes"),
    (r"gorilla", "gorilla pythonic"),
    (r"watt-?tool", "pythonic xlam"),
    (r"toolace|llama-?4", "pythonic llama3_json"),
    (r"xlam|hammer", "xlam fenced_json"),
    (r"llama-?3\.2-?(?:1|3)b", "pythonic llama3_json"),
    (r"llama-?3\.[1-9]", "llama3_json llama3_func_tag pythonic"),
    (r"llama", "llama3_json bare_json fenced_json"),
    (r"gpt-?oss", "harmony"),
    (r"claude", "anthropic_xml"),
    (r"command-?r-?7b|command-?(?:a|[4-9])(?![a-z])", "cohere_a"),
    (r"command-?r|c4ai|aya", "cohere_r"),
    (r"granite-?4", "hermes"),
    (r"granite", "granite"),
    (r"phi-?4", "functools phi4_tag"),
    (r"internlm|intern-?s1", "internlm"),
    (r"apriel", "jamba"),
    (r"jamba", "jamba"),
    (r"hunyuan|hy-?v?[3-9]", "hunyuan"),
    (r"ernie", "ernie hermes"),
    (r"seed-?oss", "seed_oss"),
    (r"step-?3\.[5-9]|mimo", "qwen3_coder"),
    (r"step-?3", "step3"),
    (r"olmo-?3", "olmo3"),
    (r"function-?gemma", "functiongemma"),
    (r"gemma-?4", "gemma4"),
    (r"gemma|gemini", "gemma_tool_code fenced_json"),
    (r"apertus", "apertus"),
    (r"lfm-?2", "lfm2"),
    (r"minicpm-?3", "lfm2"),
    (r"minicpm", "minicpm_xml"),
    (r"longcat", "longcat"),
    (r"gigachat", "gigachat"),
    (r"plamo", "plamo"),
    (r"rwkv", "rwkv"),
    (r"pangu", "pangu"),
    (r"iquest", "iquest glm45"),
    (r"dots-?\.?(?:llm|[1-9])", "dots"),
    (r"inkling", "inkling"),
    (r"smollm-?3|exaone|falcon-?3", "hermes"),
    (r"yi-|baichuan", "react_zh"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(rf"(?<![a-z])(?:{pattern})"), tuple(names.split())) for pattern, names in FAMILIES)
_SEPARATORS = re.compile(r"[\s_:/\\@-]+")
MAX_NAME = 400
"""Characters of a model name that are looked at, from its end."""


def for_model(name: str) -> tuple[str, ...]:
    """The dialects that a model of this name is likely to write, the likeliest first; empty for a name that says nothing.

    >>> for_model("Qwen/Qwen3-Coder-30B-A3B-Instruct")
    ('qwen3_coder', 'hermes')
    """
    written = _SEPARATORS.sub("-", name[-MAX_NAME:].casefold())
    return next((dialects for pattern, dialects in _PATTERNS if pattern.search(written)), ())
