"""A request that is not served, and why: the one exception of this package, answered by whichever API it came through.

In: a status and a sentence.  Out: the error object in the shape of that API.  A failure of the upstream becomes a refusal here
too; the sentence says what to do, and never holds a key.
"""

from __future__ import annotations

from react_agent.events import FailureKind, ModelFailure
from react_agent.messages import Json

_OF_FAILURE: dict[FailureKind, tuple[int, str]] = {
    "tools_refused": (502, "upstream_refuses_tools"),
    "stop_refused": (502, "upstream_refuses_stop"),
    "constraint_refused": (502, "upstream_refuses_constraint"),
    "unreachable": (502, "upstream_unreachable"),
    "unauthorized": (502, "upstream_unauthorized"),
    "unknown_model": (404, "model_not_found"),
    "rate_limited": (429, "rate_limit_exceeded"),
    "context_overflow": (400, "context_length_exceeded"),
    "content_filter": (400, "content_filter"),
    "timeout": (504, "upstream_timeout"),
    "deadline": (504, "deadline_exceeded"),
    "broken_stream": (502, "upstream_broke_off"),
    "server": (502, "upstream_error"),
}
_FOR_CLIENTS: dict[FailureKind, str] = {
    "unauthorized": "The upstream refuses the key that this proxy has for it; whoever runs the proxy can set another."
}
"""What clients are told where the advice of the failure is for whoever runs the proxy."""
_TYPES = {401: "authentication_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error"}


class Refusal(Exception):  # noqa: N818  an answer, not a fault of the program
    """`status` is the HTTP status, `param` the field it is about, `code` a word for programs."""

    def __init__(self, message: str, *, status: int = 400, param: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.param = param
        self.code = code

    @property
    def kind(self) -> str:
        """The class of error, a word that both APIs have."""
        return _TYPES.get(self.status) or ("invalid_request_error" if self.status < 500 else "api_error")


def refusal_of(failure: ModelFailure) -> Refusal:
    """What a client is told when the upstream failed."""
    status, code = _OF_FAILURE[failure.kind]
    if failure.kind == "server" and 400 <= failure.status < 500:
        status = failure.status
    return Refusal(_FOR_CLIENTS.get(failure.kind, failure.message), status=status, code=code)


def openai_error(refusal: Refusal) -> Json:
    """The body of an error in the shape of OpenAI's API."""
    said = {"message": refusal.message, "type": refusal.kind, "param": refusal.param or None, "code": refusal.code or None}
    return {"error": said}


def anthropic_error(refusal: Refusal) -> Json:
    """The body of an error in the shape of Anthropic's API."""
    return {"type": "error", "error": {"type": refusal.kind, "message": refusal.message}}
