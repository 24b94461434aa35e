"""What went wrong with a request, free of the library that reported it.

In: an exception of the openai SDK, of the HTTP library under it, which comes through while an answer is read, or of aiohttp.
Out: a `Fault`.  Classes are told by the names in their family tree, so that no HTTP library has to be imported here.  What a
fault means for the user is for `failures`.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from react_agent.messages import Value

Trouble = Literal[
    "status",  # the server answered with an HTTP error
    "reported",  # an error object inside a 200 or a stream
    "connection",  # no connection, or it ended too early
    "timeout",
    "deadline",  # the time for the whole request is up
    "malformed",  # an answer that is no chat completion
    "thinking_cut",  # stop words may have ended the answer inside its reasoning
    "unsendable",  # the body holds half a surrogate pair, which UTF-8 has no bytes for
]

WORDS = 300  # characters of the server's own words that are kept
_CONNECTING = ("ConnectTimeout", "ConnectionTimeoutError")
DEPTH = 4  # how deep in an error body words are looked for


@dataclass(frozen=True, slots=True)
class Fault(Value):
    """`status` is the HTTP status (0: none), `words` what the server said about it, on one line.

    `code` is the number a server gives in the words of an error without a status, `retry_after` how many seconds it wants to be
    left alone.
    """

    trouble: Trouble
    status: int = 0
    words: str = ""
    code: int = 0
    retry_after: float | None = None


def fault_of(error: Exception) -> Fault:
    """The fault an exception stands for; an exception that is no failure of the world is raised again."""
    family = {kind.__name__ for kind in type(error).__mro__}
    if "APIStatusError" in family:
        return _refusal(error)
    if family & {"APITimeoutError", "TimeoutException", "ServerTimeoutError"}:
        return Fault("connection" if _is_connecting(error) else "timeout")
    if family & {"APIConnectionError", "RequestError"}:
        return Fault("connection", words=words_of(str(error.__cause__ or "")))
    if "ClientError" in family:
        return Fault("connection", words=words_of(str(error)))
    if "APIError" in family:
        return reported(getattr(error, "body", None) or str(error))
    if isinstance(error, UnicodeEncodeError):
        return Fault("unsendable", words=words_of(str(error)))
    if isinstance(error, json.JSONDecodeError):
        return Fault("malformed", words=words_of(str(error)))
    raise error


def reported(body: object) -> Fault:
    """The fault that an error object stands for which came in the place of an answer."""
    inner = body.get("error") if isinstance(body, dict) else None
    codes = [holder.get("code") for holder in (inner, body) if isinstance(holder, dict)]
    return Fault("reported", words=words_of(body), code=next((code for code in codes if isinstance(code, int)), 0))


def _refusal(error: Exception) -> Fault:
    response = getattr(error, "response", None)
    words = words_of(getattr(error, "body", None) or str(error))
    wait = wait_of(getattr(response, "headers", {}), time.time())
    return Fault("status", getattr(error, "status_code", 0), words, retry_after=wait)


def wait_of(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds an answer asks to wait, None when it does not say; `now` in seconds since 1970.

    Retry-After is a number of seconds, or a date, which is compared with the server's own clock when it tells it.
    """
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    said = headers.get("retry-after", "")
    if (seconds := _number(said)) is not None:
        return seconds
    until = _date(said)
    return None if until is None else max(0.0, until - (_date(headers.get("date", "")) or now))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def _is_connecting(error: Exception) -> bool:
    return any(type(one).__name__ in _CONNECTING for one in (error, error.__cause__))


def words_of(body: object) -> str:
    """The sentence in an error body of any shape, with its code, on one line of at most `WORDS` characters."""
    return re.sub(r"\s+", " ", _words(body, DEPTH)).strip()[:WORDS]


def _words(body: object, depth: int) -> str:
    match body:
        case str():
            return _plain(body[: 50 * WORDS])
        case dict() if depth:
            return _words_of_object(body, depth - 1)
        case list() if depth:
            return "; ".join(_words(item, depth - 1) for item in body[:3])
        case _:
            return ""


def _words_of_object(body: dict[str, Any], depth: int) -> str:
    said = next((words for key in ("message", "error", "detail", "msg") if (words := _words(body.get(key), depth))), "")
    place = ".".join(str(step) for step in body["loc"][:DEPTH]) if isinstance(body.get("loc"), list) else ""
    codes = {str(body[key]) for key in ("code", "type", "param") if isinstance(body.get(key), str)} - {said}
    codes |= {f"n_ctx {body['n_ctx']}"} if isinstance(body.get("n_ctx"), int) else set()  # llama.cpp's window
    return (f"{place}: " if place else "") + said + (f" [{', '.join(sorted(codes))}]" if codes else "")


def _plain(text: str) -> str:
    """Text as it is; of an HTML page its title, or what is left without the tags."""
    if not re.match(r"\s*<(?:!doctype|html|head|body)\b", text, re.IGNORECASE):
        return text
    title = re.search(r"<title[^>]*>([^<]*)", text, re.IGNORECASE)
    return "an HTML page: " + (title[1] if title else re.sub(r"<[^>]*>", " ", text))
