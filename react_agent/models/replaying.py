"""A model that says what a recording says: a run is played again without a server.

In: a file that `Recorder` wrote.  Out: the pieces of each reply.  The steps of `exchange` are run again on what was recorded,
so a replay goes through the same reading of bytes, refusals and repetitions; only waits take no time.  The rule: each request
of the recording is used once, and a request that is not in it is an error of the caller, as the run has become another one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from react_agent.driving.ports import ModeChoice
from react_agent.errors import UsageError
from react_agent.events import ModelFailure, ModelPiece, ModelRequest
from react_agent.messages import Json, Mode

from .asking import Ask
from .capability import Capabilities, Page
from .exchange import exchange
from .facts import checked_mode
from .recording import About, plain_request, reply_of, situation_of

BROKEN_OFF = ModelFailure("broken_stream", "the recording ends here: the run was broken off")


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded completion."""

    request: Json
    body: Json
    about: About
    replies: tuple[Any, ...]


class ReplayModel:
    """Plays the file `path`, written with `OpenAIModel(record=Recorder(path))` or `react-agent run --record FILE`.

        Agent(ReplayModel("run.jsonl"), tools=[…]).run("…")     # the tools, settings and task of the recorded run

    Raises:
        UsageError: the file cannot be read, or is no recording.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._entries = _entries(self._path)
        self._left = list(self._entries)
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return (self._left or self._entries)[0].about.model

    @property
    def mode(self) -> ModeChoice:
        """The mode of that model before the request that comes next."""
        return checked_mode((self._left or self._entries[-1:])[0].about.mode)

    @property
    def constrains(self) -> bool:
        """As of that model."""
        return (self._left or self._entries[-1:])[0].about.constrains

    @property
    def dialect(self) -> str:
        """As of that model."""
        return (self._left or self._entries[-1:])[0].about.dialect

    def learn(self, mode: Mode, *, works: bool, refused: bool = False) -> None:
        """Nothing: what was learnt is in the recording."""

    def stream(self, request: ModelRequest) -> Iterator[ModelPiece]:
        """The pieces of the recorded reply.

        Raises:
            UsageError: the recording holds no such request.
        """
        yield from _played(self._take(request))

    async def astream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """As `stream`, for an event loop."""
        for piece in _played(self._take(request)):
            yield piece

    def _take(self, request: ModelRequest) -> Entry:
        wanted = plain_request(request)
        with self._lock:
            for number, entry in enumerate(self._left):
                if entry.request == wanted:
                    return self._left.pop(number)
            raise UsageError(f"{self._path} holds no such request: {_difference(self._left, wanted)}")


def _played(entry: Entry) -> Iterator[ModelPiece]:
    about = entry.about
    notes = Capabilities()
    page = Page(notes, about.base_url, about.model, about.facts)
    steps = exchange(entry.body, page, situation_of(about), patience=about.patience, max_chars=about.max_chars)
    replies = iter(entry.replies)
    reply: object = None
    try:
        while True:
            step = steps.send(reply)
            reply = None
            if not isinstance(step, Ask):
                yield step
                continue
            try:
                reply = reply_of(next(replies))
            except StopIteration:
                yield BROKEN_OFF
                return
    except StopIteration:
        return


def _entries(path: Path) -> list[Entry]:
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
        entries = [_entry(line) for line in lines]
    except OSError as error:
        raise UsageError(f"cannot read the recording {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path} is no recording: write one with `react-agent run --record FILE`") from None
    if not entries:
        raise UsageError(f"{path} is empty: no request was recorded")
    return entries


def _entry(line: Json) -> Entry:
    return Entry(line["request"], line["body"], About.from_dict(line["about"]), tuple(reply for _, reply in line["steps"]))


def _difference(left: list[Entry], wanted: Json) -> str:
    """Where the run left the recording."""
    if not left:
        return "all its requests have been used"
    held = left[0].request
    names = [name for name in {**held, **wanted} if held.get(name) != wanted.get(name)]
    if names == ["messages"]:
        pairs = enumerate(zip(held["messages"], wanted["messages"], strict=False))
        place = next((at for at, (one, other) in pairs if one != other), min(len(held["messages"]), len(wanted["messages"])))
        return f"its next one differs from messages[{place}] on"
    return f"its next one differs in {', '.join(names)}"
