"""How servers word what they refuse: data, and the search in it.

In: the words of a server.  Out: whether they mean a thing.  Servers word the same refusal in many ways, so the wordings are
tables, each line with where it was seen; a new server's wording is a new line.  A meaning is told by a phrase of `SIGNS`, or by
the name of a field (`FIELDS`) beside a phrase of `REFUSALS`.  What follows from a meaning is for `failures` and `lessons`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

Meaning = Literal[
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "constraint",  # a grammar, or a field that carries one
    "stop",
    "stream",
    "stream_options",
    "response_format",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "thinking",
    "system",  # no system role
    "roles",  # user and assistant must alternate
    "tool_role",  # no tool messages, or not there
    "ids",  # of calls
    "empty_content",  # a message without text
    "reasoning_missing",  # must be sent back
    "reasoning_sent",  # must not be sent back
    "context",
    "filter",  # of content: what was asked or written is not let through
    "model",
    "quota",  # used up: waiting does not help
    "busy",  # said in the words of an error without a status
]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)


class Sign(NamedTuple):
    """`says` is a phrase of an error text, in lower case, without quotes and back-ticks; `source` is who says it, and where."""

    means: Meaning
    says: str
    source: str


class Refusal(NamedTuple):
    """A phrase that, beside the name of a field, says that the field is not taken."""

    says: str
    source: str


SIGNS = (
    Sign("tools", "does not support tools", "Ollama: ollama/ollama issue 6027"),
    Sign("tools", "tool choice requires --enable-auto-tool-choice", "vLLM and NIM: vllm entrypoints/openai/serving_chat.py"),
    Sign("tools", "requires --tool-call-parser", "vLLM, tool_choice required: serving_chat.py"),
    Sign("tools", "tool parser could not locate tool call start/end tokens", "vLLM tool parsers, wrong parser for the model"),
    Sign("tools", "requires --jinja flag", "llama.cpp: common/chat.cpp and server, started without --jinja"),
    Sign("tools", "unsupported tool_call_parser", "SGLang: sgl-project/sglang issue 9102"),
    Sign("tools", "api_server with --tool-call-parser", "LMDeploy: serve/openai/api_server.py"),
    Sign("tools", "no endpoints found that support tool use", "OpenRouter, status 404: evalstate/fast-agent issue 122"),
    Sign("tools", "no endpoints found that support the provided tool_choice", "OpenRouter: zed-industries/zed issue 36094"),
    Sign("tools", "tool calling is not supported with this model", "Groq"),
    Sign("tools", "does not support function calling", "DeepSeek reasoner, Gemini compatibility layers"),
    Sign("tools", "doesn't support tool", "small servers: «this model doesn't support tool calling»"),
    Sign("tools", "tool use is not wired up", "colibri: JustVugg/colibri issue 916"),
    Sign("tools", "model does not support tool", "LM Studio and gateways: «… tool use», «… tool calling»"),
    Sign("constraint", "failed to parse grammar", "llama.cpp, Ollama: tools/server"),
    Sign("constraint", "invalid grammar", "vLLM, SGLang: XGrammar"),
    Sign("constraint", "grammar error", "SGLang"),
    Sign("constraint", "failed to convert the grammar", "vLLM: v1/structured_output"),
    Sign("constraint", "grammar-guided decoding", "SGLang started with --grammar-backend none"),
    Sign("constraint", "does not match the requested response format", "ftllm: it checks replies, and does not hold them"),
    Sign("response_format", "invalid response format schema", "ftllm"),
    Sign("stop", "argument not supported on this model: stop", "xAI: huggingface/smolagents pull 1766"),
    Sign("stop", "stop: array too long", "OpenAI: more than four stop words"),
    Sign("stop", "stop sequences", "Anthropic and Bedrock gateways: «… at most 4 stop sequences»"),
    Sign("parallel_tool_calls", "single tool-calls at once", "llama.cpp templates, Llama 3.1"),
    Sign("stream", "cannot use tools with stream", "llama.cpp before streamed tool calls, status 500: tools/server"),
    Sign("temperature", "invalid temperature", "Moonshot: «invalid temperature: only 1 is allowed for this model»"),
    Sign("temperature", "temperature must be", "vLLM: «temperature must be non-negative», TGI: «strictly positive»"),
    Sign("temperature", "temperature should be", "DashScope: «Temperature should be in [0.0, 2.0)»"),
    Sign("temperature", "range of temperature", "DashScope"),
    Sign("temperature", "temperature 参数", "Zhipu, code 1210"),
    Sign("max_tokens", "max_tokens is too large", "OpenAI"),
    Sign("max_tokens", "range of max_tokens should be", "DashScope: «Range of max_tokens should be [1, 8192]»"),
    Sign("max_tokens", "invalid max_tokens", "DeepSeek: «the valid range of max_tokens is [1, 8192]»"),
    Sign("max_tokens", "max_tokens 参数", "Zhipu, code 1210"),
    Sign("system", "system role not supported", "Gemma 1 and 2 templates in vLLM, llama.cpp and others"),
    Sign("system", "system role is not supported", "templates"),
    Sign("system", "does not support system", "OpenAI o1-mini: «messages[0].role does not support system with this model»"),
    Sign("system", "system messages are not supported", "gateways"),
    Sign("system", "role must be one of user", "gateways that know user and assistant only"),
    Sign("system", "developer instruction is not enabled", "Gemini, for Gemma models"),
    Sign(
        "roles",
        "roles must alternate",
        "Mistral, Llama 2 and Gemma templates: «Conversation roles must alternate …»",
    ),
    Sign("roles", "must alternate between", "Anthropic behind gateways, older"),
    Sign("roles", "expected last role user", "Mistral API"),
    Sign("roles", "with alternating roles", "NVIDIA NIM"),
    Sign("tool_role", "unexpected role user after role tool", "Mistral API"),
    Sign("tool_role", "unexpected role tool", "Mistral API, gateways"),
    Sign("tool_role", "only user and assistant roles are supported", "Mistral 7B and Mixtral templates"),
    Sign("tool_role", "only user, system and assistant roles", "templates without tools"),
    Sign("tool_role", "invalid role: tool", "small servers"),
    Sign("tool_role", "unknown role: tool", "small servers"),
    Sign("tool_role", "role tool is not supported", "small servers"),
    Sign("tool_role", "tool role is not supported", "small servers"),
    Sign("tool_role", "should be system, user or assistant", "pydantic servers that know three roles"),
    Sign("tool_role", "should be user, assistant or system", "the same"),
    Sign("empty_content", "must be non-empty", "Anthropic, Bedrock: «text content blocks must be non-empty»"),
    Sign("empty_content", "must have non-empty content", "Anthropic behind gateways"),
    Sign("empty_content", "must not be empty", "Moonshot: «message at position 2 with role assistant must not be empty»"),
    Sign("empty_content", "content cannot be empty", "gateways"),
    Sign("empty_content", "content is empty", "gateways"),
    Sign("empty_content", "content is required", "gateways, of null"),
    Sign("empty_content", "got null", "OpenAI: «Invalid value for content: expected a string, got null»"),
    Sign("empty_content", "got a null value", "gateways"),
    Sign("ids", "with a length of 9", "Mistral API and mistral-common: vllm-project/vllm issue 9019"),
    Sign("reasoning_missing", "missing reasoning_content", "DeepSeek: deepseek-ai/DeepSeek-V3 issue 1053"),
    Sign(
        "reasoning_missing",
        "reasoning_content is missing",
        "Moonshot: «thinking is enabled but reasoning_content is missing»",
    ),
    Sign(
        "reasoning_missing",
        "must be passed back",
        "DeepSeek V4: «The reasoning_content … must be passed back»",
    ),
    Sign("context", "maximum context length", "OpenAI, vLLM, Mistral: «This model's maximum context length is 8192 tokens»"),
    Sign("context", "context_length_exceeded", "OpenAI error code, taken over by many"),
    Sign("context", "exceeds the available context size", "llama.cpp, type exceed_context_size_error"),
    Sign("context", "exceed_context_size", "llama.cpp"),
    Sign("context", "longer than the model's context length", "SGLang, Together"),
    Sign("context", "when context the overflows", "LM Studio: lmstudio-ai/lmstudio-bug-tracker issue 546"),
    Sign("context", "cannot truncate prompt with n_keep", "LM Studio: anomalyco/opencode issue 11141"),
    Sign("context", "exceeded context length", "Ollama: «prompt too long; exceeded max context length»"),
    Sign("context", "exceeds the context length", "Ollama embeddings and compatible servers"),
    Sign("context", "range of input length should be", "DashScope"),
    Sign("context", "prompt exceeds max length", "Zhipu, code 1261"),
    Sign("context", "exceeded model token limit", "Moonshot"),
    Sign("context", "prompt is too long", "Anthropic behind compatible gateways"),
    Sign("context", "reduce the length of the messages", "OpenAI, Groq"),
    Sign("filter", "content_filter", "OpenAI, Azure and Moonshot, error code"),
    Sign("filter", "content management policy", "Azure: «The response was filtered due to …»"),
    Sign("filter", "content exists risk", "DeepSeek: deepseek-ai/awesome-deepseek-integration issue 13"),
    Sign("filter", "data_inspection_failed", "DashScope, error code"),
    Sign("filter", "datainspectionfailed", "DashScope, error code"),
    Sign("filter", "may contain inappropriate content", "DashScope: langgenius/dify issue 7932"),
    Sign("filter", "considered high risk", "Moonshot"),
    Sign("filter", "不安全或敏感内容", "Zhipu, code 1301"),
    Sign("model", "model_not_found", "OpenAI error code"),
    Sign("model", "try pulling it first", "Ollama: server/routes.go, status 404, in some versions 400"),
    Sign("model", "no models loaded", "LM Studio, status 400 or 404"),
    Sign("model", "model not exist", "DeepSeek, DashScope: «Model Not Exist»"),
    Sign("model", "invalid model name", "LiteLLM proxy"),
    Sign("model", "server is pinned to", "transformers serve, status 400"),
    Sign("quota", "insufficient_quota", "OpenAI error code, taken over by DashScope"),
    Sign("quota", "exceeded your current quota", "OpenAI, Moonshot, Gemini"),
    Sign("quota", "insufficient balance", "DeepSeek, status 402; Moonshot"),
    Sign("quota", "余额不足", "Zhipu, code 1113"),
    Sign("quota", "arrearage", "DashScope"),
    Sign("busy", "overloaded", "Anthropic and gateways, also inside a stream"),
    Sign("busy", "rate limit", "gateways, inside a stream"),
    Sign("busy", "rate_limit", "error codes"),
    Sign("busy", "try again later", "many"),
    Sign("busy", "no healthy upstream", "Envoy"),
)

FIELDS: dict[Meaning, tuple[str, ...]] = {
    "tools": ("tools", "tool_choice", "tool use", "tool calling", "tool call", "function calling", "functions"),
    "tool_choice": ("tool_choice",),
    "parallel_tool_calls": ("parallel_tool_calls",),
    "constraint": ("grammar", "structured_outputs", "guided_grammar", "ebnf"),
    "stop": ("stop",),
    "stream": ("stream", "streaming", "流式"),
    "stream_options": ("stream_options", "include_usage"),
    "response_format": (
        "response_format",
        "response format",
        "json_schema",
        "json_object",
        "structured output",
        "structured outputs",
    ),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens",),
    "max_completion_tokens": ("max_completion_tokens",),
    "thinking": ("enable_thinking", "thinking", "reasoning_effort", "reasoning", "chat_template_kwargs"),
    "tool_role": ("tool_calls", "tool_call_id"),
    "reasoning_sent": ("reasoning_content",),
}
REFUSALS = (
    Refusal("unsupported parameter", "OpenAI, Azure"),
    Refusal("unsupported_parameter", "OpenAI error code"),
    Refusal("unknown parameter", "OpenAI"),
    Refusal("unrecognized request argument", "OpenAI, older"),
    Refusal("extra inputs are not permitted", "pydantic 2: Mistral, vLLM, Anthropic"),
    Refusal("extra fields not permitted", "pydantic 1"),
    Refusal("extra_forbidden", "pydantic 2 error type"),
    Refusal("unexpected keyword", "Python servers that pass the body on"),
    Refusal("unexpected field", "Rust and Node servers"),
    Refusal("unknown field", "Go and Rust servers with strict decoding"),
    Refusal("unrecognized field", "Java servers"),
    Refusal("unknown name", "Gemini: «Unknown name \"parallel_tool_calls\": Cannot find field.»"),
    Refusal("additional properties are not allowed", "servers that check against JSON Schema"),
    Refusal("not supported", "many"),
    Refusal("not allowed", "many"),
    Refusal("does not support", "many"),
    Refusal("doesn't support", "many"),
    Refusal("not implemented", "Go, Rust and C++ servers, also with status 501"),
    Refusal("must be false", "small servers: «stream must be false»"),
    Refusal("unavailable", "DeepSeek: «This response_format type is unavailable now»"),
    Refusal("unsupported", "many"),
    Refusal("不支持", "Chinese servers"),
)  # fmt: skip


def means(words: str, meaning: Meaning) -> bool:
    """Whether the words of a server mean this."""
    text = normal(words)
    named = has_name(text, FIELDS.get(meaning, ()))
    return has_sign(text, meaning) or (named and any(refusal.says in text for refusal in REFUSALS))


def mentions(words: str, meaning: Meaning) -> bool:
    """Whether the words name a field of this, whatever they say of it."""
    return has_name(normal(words), FIELDS.get(meaning, ()))


def has_sign(text: str, meaning: Meaning) -> bool:
    """Whether a phrase that always means this stands in `text`, which is in normal form."""
    return any(sign.says in text for sign in SIGNS if sign.means == meaning)


def normal(words: str) -> str:
    """`words` in lower case, one kind of apostrophe, no other quotes."""
    return re.sub(r"(?<!\w)'|'(?!\w)", "", words.lower().translate(_QUOTES))


_QUOTES = str.maketrans("’", "'", '"`“”«»')


def has_name(text: str, names: Iterable[str]) -> bool:
    """Whether one of these names stands in `text`, which is in normal form, as a whole."""
    return any(_whole(name).search(text) for name in names)


@functools.lru_cache(maxsize=512)
def _whole(name: str) -> re.Pattern[str]:
    """`name` as a whole: `stop` is not meant by «stopped», nor `tool_calls` by «parallel_tool_calls»."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.ASCII)
