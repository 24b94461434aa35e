"""Records what goes over the line, so that a run can be played again without a server.

In: the steps of completions.  Out: a file of JSON lines, one for each completion:

    {"request": …, "about": {"model": …, "mode": …, "facts": …, …}, "body": …, "steps": [[ask, reply], …]}

`steps` holds what `exchange` asked for and got: bodies, blocks of bytes as they came, faults, waits.  The rules: a line is
written when its completion ends, also when it is broken off; headers are never written, and a key or the value of a header
that turns up anywhere, in the words of a server for example, is written as asterisks.  What looks like another key is taken out
of the words of a refusal, as it is from the sentence for the user.  Requests, and what a model says, stay as they are, since a
replay must be equal to its run.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from react_agent.errors import UsageError
from react_agent.events import ModelPiece, ModelRequest
from react_agent.messages import Json, Value
from react_agent.redacting import Redactor

from .asking import Ask, Exchange
from .capability import place_of
from .facts import Facts
from .failures import Situation, kind_of
from .faults import Fault
from .retrying import Patience
from .windows import prompt_in, window_in
from .wordings import MEANINGS, has_sign, means, mentions, normal

SHORTEST_SECRET = 6  # characters; shorter values of headers are words that stand everywhere


@dataclass(frozen=True, slots=True)
class About(Value):
    """What a completion depends on besides its request and its body; of the key it is only told how long it is."""

    model: str
    mode: str
    constrains: bool
    dialect: str
    base_url: str
    facts: Facts
    timeout: float
    patience: Patience
    max_chars: int
    key_chars: int = 0


class Recorder:
    """Writes completions to `path`, which is emptied first; one recorder may serve many models, threads and event loops.

    Raises:
        UsageError: the file cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        try:
            self._path.write_bytes(b"")
        except OSError as error:
            raise UsageError(f"cannot write the recording {path}: {error.strerror}") from None

    def record(self, steps: Exchange, request: ModelRequest, body: Json, about: About, secrets: Iterable[str]) -> Exchange:
        """The same steps; what they ask for and get is written when they end."""
        taken: list[tuple[Ask, object]] = []
        reply: object = None
        try:
            while (step := _next(steps, reply)) is not None:
                reply = yield step
                if isinstance(step, Ask):
                    taken.append((step, reply))
        finally:
            steps.close()
            self._write(request, body, about, taken, [secret for secret in secrets if len(secret) >= SHORTEST_SECRET])

    def _write(
        self, request: ModelRequest, body: Json, about: About, taken: list[tuple[Ask, object]], secrets: list[str]
    ) -> None:
        entry = {
            "request": plain_request(request),
            "about": replace(about, base_url=place_of(about.base_url)).to_dict(),
            "body": body,
            "steps": [[_plain_ask(ask), plain_reply(reply)] for ask, reply in _masked(taken, secrets)],
        }
        line = json.dumps(entry)
        for secret in secrets:
            line = line.replace(json.dumps(secret)[1:-1], "*" * len(secret))
        with self._lock, self._path.open("a", encoding="ascii") as file:
            file.write(line + "\n")


def plain_request(request: ModelRequest) -> Json:
    """A request as it is compared: the time that is left for it is never the same."""
    plain: Json = json.loads(json.dumps(replace(request, seconds=None).to_dict()))
    return plain


def plain_reply(reply: object) -> Any:
    """A reply as JSON: bytes keep what is no text as lone surrogates."""
    match reply:
        case bytes():
            return {"bytes": reply.decode("utf-8", "surrogateescape")}
        case Fault():
            return {"fault": reply.to_dict()}
        case _:
            return reply


def reply_of(plain: Any) -> Any:
    """The reply written by `plain_reply`."""
    match plain:
        case {"bytes": str(text)}:
            return text.encode("utf-8", "surrogateescape")
        case {"fault": dict(fault)}:
            return Fault.from_dict(fault)
        case _:
            return plain


def _plain_ask(ask: Ask) -> Json:
    return {"ask": type(ask).__name__, **ask.to_dict()}


def _masked(taken: list[tuple[Ask, object]], secrets: list[str]) -> Iterator[tuple[Ask, object]]:
    """The bytes without secrets, also where one goes over the border of two blocks."""
    whole = b"".join(reply for _, reply in taken if isinstance(reply, bytes))
    for secret in secrets:
        whole = re.sub(re.escape(secret.encode()), b"*" * len(secret.encode()), whole)
    at, redact = 0, Redactor(secrets)
    for ask, reply in taken:
        if isinstance(reply, bytes):
            yield ask, whole[at : at + len(reply)]
            at += len(reply)
        else:
            yield ask, _discreet(reply, redact) if isinstance(reply, Fault) else reply


def _discreet(fault: Fault, redact: Redactor) -> Fault:
    """The fault without what looks like a key, if it still means the same to whoever reads its words."""
    discreet = replace(fault, words=redact(fault.words))
    return discreet if _sense(discreet) == _sense(fault) else fault


_EVERYTHING = Situation("", "", sent=frozenset(MEANINGS), held=True)


def _sense(fault: Fault) -> tuple[object, ...]:
    """All that is read in the words of a fault."""
    words = fault.words
    told = ((means(words, meaning), mentions(words, meaning)) for meaning in MEANINGS)
    return (kind_of(fault, _EVERYTHING), window_in(words), prompt_in(words), has_sign(normal(words), "tools"), *told)


def situation_of(about: About) -> Situation:
    """The situation of a completion; its key is what stands for it in the recording."""
    return Situation(about.base_url, about.model, "*" * about.key_chars, about.timeout)


def _next(steps: Exchange, reply: object) -> Ask | ModelPiece | None:
    try:
        return steps.send(reply)
    except StopIteration:
        return None
