"""What a fault means, and the one sentence that tells a user what to do.

In: a `Fault` and the `Situation` it happened in.  Out: a `ModelFailure`.  Servers word the same refusal in many ways, so the
wordings are data: `SIGNS`, each with where it was seen.  A sign counts only when the request really had what it speaks of.  A
new server's wording is a new line in that table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from react_agent.events import FailureKind, ModelFailure

from .faults import Fault

Meaning = Literal["tools", "stop", "stream_options", "context", "model"]


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
    Sign("stop", "argument not supported on this model: stop", "xAI: huggingface/smolagents pull 1766"),
    Sign("stop", "stop: array too long", "OpenAI: more than four stop words"),
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
    Sign("model", "model_not_found", "OpenAI error code"),
    Sign("model", "try pulling it first", "Ollama: server/routes.go, status 404, in some versions 400"),
    Sign("model", "no models loaded", "LM Studio, status 400 or 404"),
    Sign("model", "model not exist", "DeepSeek, DashScope: «Model Not Exist»"),
    Sign("model", "invalid model name", "LiteLLM proxy"),
)

# A refused field is also told by its name beside one of these phrases.
FIELDS: dict[Meaning, tuple[str, ...]] = {
    "tools": ("tools", "tool_choice", "tool use", "tool calling", "tool call", "function calling", "functions"),
    "stop": ("stop",),
    "stream_options": ("stream_options", "include_usage"),
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
    Refusal("unknown field", "Go and Rust servers with strict decoding"),
    Refusal("additional properties are not allowed", "servers that check against JSON Schema"),
    Refusal("not supported", "many"),
    Refusal("does not support", "many"),
    Refusal("unsupported", "many"),
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Where and with what a request failed.

    `sent` are the fields of the body, `opened` whether the answer had begun, `offers` the models the server has (empty when it
    was not asked or did not say).
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 0.0
    sent: frozenset[str] = frozenset()
    opened: bool = False
    offers: tuple[str, ...] = ()


def refuses(fault: Fault, field: Meaning, sent: frozenset[str]) -> bool:
    """True when the server will not take a field of the body that was sent."""
    text = _normal(fault.words)
    if field not in sent or fault.trouble not in ("status", "reported"):
        return False
    named = any(name in text for name in FIELDS[field])
    return _signs(text, field) or (named and any(refusal.says in text for refusal in REFUSALS))


def kind_of(fault: Fault, situation: Situation) -> FailureKind:
    """What the fault is a case of."""
    match fault.trouble:
        case "connection":
            return "broken_stream" if situation.opened else "unreachable"
        case "timeout":
            return "timeout"
        case "status" | "reported":
            return (
                _BY_STATUS_ALONE.get(fault.status) or _by_words(fault, situation.sent) or _BY_STATUS.get(fault.status, "server")
            )
        case _:
            return "server"


def failure_of(fault: Fault, situation: Situation) -> ModelFailure:
    """The failure to report."""
    kind = kind_of(fault, situation)
    return ModelFailure(kind, _sentence(kind, fault, situation), fault.status)


_BY_STATUS_ALONE: dict[int, FailureKind] = {401: "unauthorized", 403: "unauthorized", 429: "rate_limited"}
_BY_STATUS: dict[int, FailureKind] = {404: "unknown_model", 408: "timeout", 413: "context_overflow", 504: "timeout"}


def _by_words(fault: Fault, sent: frozenset[str]) -> FailureKind | None:
    text = _normal(fault.words)
    if _signs(text, "context"):
        return "context_overflow"
    if refuses(fault, "tools", sent):
        return "tools_refused"
    if refuses(fault, "stop", sent):
        return "stop_refused"
    return "unknown_model" if _signs(text, "model") or ("model" in text and "does not exist" in text) else None


def _signs(text: str, meaning: Meaning) -> bool:
    return any(sign.says in text for sign in SIGNS if sign.means == meaning)


def _normal(words: str) -> str:
    return words.lower().translate(str.maketrans("’", "'", '"`'))


# --- the sentences ---------------------------------------------------------------------------------------------------

SENTENCES: dict[FailureKind, str] = {
    "unreachable": "No server answers at {url}{said}: is it running (for example `ollama serve`), and is the address right?",
    "unauthorized": "The server at {url} refuses the API key{said}: {key_advice}.",
    "unknown_model": "The server at {url} does not know {model}{said}: {offer_advice}.",
    "tools_refused": 'The server at {url} takes no tools for {model}{said}: use mode="auto" or mode="text".',
    "stop_refused": "The server at {url} takes no stop words for {model}{said}: leave `stop` out.",
    "rate_limited": "The server at {url} limits requests{said}: wait a while, or look at the quota of the account.",
    "context_overflow": "The prompt is too long for {model}{said}: shorten it, or load the model with a longer context.",
    "timeout": "The server at {url} was silent for {timeout:g} s{said}: give a longer timeout, or use a smaller model.",
    "broken_stream": "The connection to {url} broke in the middle of a reply{said}: try again, or look into the server's log.",
    "server": "The server at {url} {did}{said}: look into its log; base_url must be an OpenAI-compatible address.",
}


def _sentence(kind: FailureKind, fault: Fault, situation: Situation) -> str:
    return SENTENCES[kind].format(
        url=situation.base_url,
        model=situation.model or "the model",
        timeout=situation.timeout,
        said=_said(fault, situation.key),
        did=_did(fault),
        key_advice="check api_key or OPENAI_API_KEY" if situation.key else "pass api_key or set OPENAI_API_KEY",
        offer_advice=_offer(situation.offers),
    )


def _did(fault: Fault) -> str:
    if fault.status:
        return f"answered with status {fault.status}"
    return "reported an error" if fault.trouble == "reported" else "sent no chat completion"


def _said(fault: Fault, key: str) -> str:
    """The words of the server, or of the network, in brackets; the key is never repeated."""
    words = fault.words.replace(key, "***") if key else fault.words
    speaker = "it says: " if fault.trouble in ("status", "reported") else ""
    return f" ({speaker}{words})" if words else ""


def _offer(offers: tuple[str, ...]) -> str:
    if not offers:
        return "check the model's name, and that base_url is the address of an OpenAI-compatible API (most end in /v1)"
    return f"it offers {', '.join(offers[:10])}" + (" …" if len(offers) > 10 else "")
