"""What a fault means, and the one sentence that tells a user what to do.

In: a `Fault` and the `Situation` it happened in.  Out: a `ModelFailure`.  What a server's words mean is told by `wordings`; a
refusal counts only when the request really had what it speaks of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from react_agent.events import FailureKind, ModelFailure
from react_agent.redacting import Redactor

from .capability import place_of
from .faults import Fault
from .windows import prompt_in, window_in
from .wordings import Meaning, means


@dataclass(frozen=True, slots=True)
class Situation:
    """Where and with what a request failed.

    `base_url` is kept as it may be shown: without user name, password, query and fragment.  `sent` are the fields of the body,
    `opened` whether the answer had begun, `held` whether it was to be held to a form, `offers` the models the server has (empty
    when it was not asked or did not say).  `toolless`: the same was taken without tools.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 0.0
    sent: frozenset[str] = frozenset()
    opened: bool = False
    held: bool = False
    offers: tuple[str, ...] = ()
    toolless: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", place_of(self.base_url))


def refuses(fault: Fault, meaning: Meaning, sent: frozenset[str]) -> bool:
    """True when the server will not take a field of the body that was sent."""
    return meaning in sent and fault.trouble in ("status", "reported") and means(fault.words, meaning)


def kind_of(fault: Fault, situation: Situation) -> FailureKind:
    """What the fault is a case of."""
    match fault.trouble:
        case "connection":
            return "broken_stream" if situation.opened else "unreachable"
        case "timeout":
            return "timeout"
        case "deadline":
            return "deadline"
        case "status" | "reported":
            return _BY_STATUS_ALONE.get(fault.status) or _by_words(fault, situation) or _BY_STATUS.get(fault.status, "server")
        case _:
            return "server"


def is_transient(fault: Fault, situation: Situation) -> bool:
    """True when the same request may well succeed a little later."""
    kind = kind_of(fault, situation)
    if kind in ("unreachable", "broken_stream", "timeout"):
        return True
    if means(fault.words, "quota"):
        return False
    status = fault.status or fault.code
    busy = status in _BUSY or (not status and fault.trouble == "reported" and means(fault.words, "busy"))
    return kind == "rate_limited" or (kind == "server" and busy)


def failure_of(fault: Fault, situation: Situation) -> ModelFailure:
    """The failure to report."""
    kind = kind_of(fault, situation)
    window, prompt = (window_in(fault.words), prompt_in(fault.words)) if kind == "context_overflow" else (0, 0)
    return ModelFailure(kind, _sentence(kind, fault, situation), fault.status, window, prompt)


_BY_STATUS_ALONE: dict[int, FailureKind] = {401: "unauthorized", 403: "unauthorized", 429: "rate_limited"}
_BY_STATUS: dict[int, FailureKind] = {404: "unknown_model", 408: "timeout", 413: "context_overflow", 504: "timeout"}
_UNEXPLAINED = {400, 422}  # then the form is the likeliest cause, and the easiest to do without
_BUSY = {409, 425, 429, 500, 502, 503, 529, 520, 521, 522, 523, 524}  # those above 503 come from gateways


def refuses_form(fault: Fault) -> bool:
    """Whether the words say that a way to hold replies to a form is not there, or does not take this one."""
    return means(fault.words, "constraint") or means(fault.words, "response_format")


def _by_words(fault: Fault, situation: Situation) -> FailureKind | None:
    words, sent = fault.words, situation.sent
    if means(words, "context"):
        return "context_overflow"
    if refuses(fault, "tools", sent) or situation.toolless:
        return "tools_refused"
    if situation.held and refuses_form(fault):
        return "constraint_refused"
    if refuses(fault, "stop", sent):
        return "stop_refused"
    if means(words, "quota"):
        return "rate_limited"
    if means(words, "filter"):
        return "content_filter"
    if means(words, "model") or _MISSING_MODEL.search(words):
        return "unknown_model"
    return "constraint_refused" if situation.held and fault.status in _UNEXPLAINED else None


_MISSING_MODEL = re.compile(r"\bmodel\b.{0,100}does not exist", re.IGNORECASE | re.DOTALL)


# --- the sentences ---------------------------------------------------------------------------------------------------

SENTENCES: dict[FailureKind, str] = {
    "unreachable": "No server answers at {url}{said}: is it running (for example `ollama serve`), and is the address right?",
    "unauthorized": "The server at {url} refuses the API key{said}: {key_advice}.",
    "unknown_model": "The server at {url} does not know {model}{said}: {offer_advice}.",
    "tools_refused": 'The server at {url} takes no tools for {model}{said}: use mode="auto" or mode="text".',
    "stop_refused": "The server at {url} takes no stop words for {model}{said}: leave `stop` out.",
    "constraint_refused": 'The server at {url} does not hold {model} to a form{said}: use mode="text".',
    "rate_limited": "The server at {url} limits requests{said}: wait a while, or look at the quota of the account.",
    "context_overflow": "The prompt is too long for {model}{said}: shorten it, or load the model with a longer context.",
    "content_filter": "The content filter of the server at {url} stops this conversation{said}: say it in other words.",
    "deadline": "The time for this request was up before the server at {url} had answered{said}: allow more, or ask for less.",
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
    """The words of the server, or of the network, in brackets, without our key and what looks like another."""
    words = Redactor((key,))(fault.words)
    speaker = "it says: " if fault.trouble in ("status", "reported") else ""
    return f" ({speaker}{words})" if words else ""


def _offer(offers: tuple[str, ...]) -> str:
    if not offers:
        return "check the model's name, and that base_url is the address of an OpenAI-compatible API (most end in /v1)"
    return f"it offers {', '.join(offers[:10])}" + (" …" if len(offers) > 10 else "")
