"""The trace of a run: JSON lines, each with the seconds since the start (`t`), the run's id and the event's name.

In: the events of a run.  Out: lines, flushed at once, so that a run that is killed leaves what had happened.

    {"t": 0.0, "run": "9f2c…", "event": "TraceStarted", "version": 1, "at": "2026-11-30T07:10:00+00:00", "model": "qwen3:8b"}
    {"t": 0.001, "run": "9f2c…", "event": "AskModel", "same": 2, "request": {"messages": [the new ones], …}, "number": 2}
    {"t": 1.3, "run": "9f2c…", "event": "ReplyFinished", "text": "…", "parsed": {…}, "first": 0.2, "seconds": 1.29, …}

The rules: what is told elsewhere is left out: the pieces of a reply, the messages that a request shares with the one before
(`same` of them), the steps in the result.  Each text, and the file, have a bound.  Secrets are taken out of every line.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Any, TextIO

from react_agent.errors import UsageError
from react_agent.events import (
    AnswerDelta,
    ArgumentsDelta,
    AskModel,
    CallFinished,
    CallRejected,
    CallStarted,
    CallTools,
    Event,
    MoreFromModel,
    ReplyFinished,
    RunFinished,
    StopModel,
    TextDelta,
    ThoughtDelta,
)
from react_agent.messages import Json, View
from react_agent.redacting import Redactor, secrets_of

VERSION = 1
MAX_TEXT = 20_000
"""Characters of one text."""
MAX_FILE = 50_000_000
"""Characters of the trace of one run."""
TOLD_ELSEWHERE = frozenset(
    (
        TextDelta,
        ThoughtDelta,
        AnswerDelta,
        CallStarted,
        ArgumentsDelta,
        CallFinished,
        CallRejected,
        CallTools,
        MoreFromModel,
        StopModel,
    )
)
_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)


class Tracer:
    """Makes the traces of runs.

    Args:
        where: a folder, in which each run gets a file of its own, or a file ending in .jsonl, to which all are added.
        secrets: values that must not be written, besides those of the environment and what looks like one.

    Raises:
        UsageError: the folder cannot be made.
    """

    def __init__(self, where: str | PathLike[str], secrets: Iterable[str] = ()) -> None:
        self._where = Path(where)
        self._redact = Redactor((*secrets, *secrets_of()))
        folder = self._where.parent if self._where.suffix == ".jsonl" else self._where
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {folder} for traces: {error.strerror}") from None

    def start(self, run: str, model: str) -> RunTrace:
        """The trace of a run that begins now.

        Raises:
            OSError: its file cannot be opened.
        """
        path = self._where
        if path.suffix != ".jsonl":
            path = path / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{run[:8]}.jsonl"
        return RunTrace(path.open("a", encoding="utf-8", errors="replace"), run, model, self._redact)


class RunTrace:
    """Writes the events of one run to `file`; call it with each, and close it."""

    def __init__(self, file: TextIO, run: str = "", model: str = "", redact: Redactor | None = None) -> None:
        self._file = file
        self._run = run or uuid.uuid4().hex
        self._redact = redact or Redactor(secrets_of())
        self._start = time.monotonic()
        self._asked = self._first = self._start
        self._awaited = False
        self._messages: tuple[Json, ...] = ()
        self._tools: tuple[Json, ...] = ()
        self._left = MAX_FILE
        at = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self._write(self._start, {"event": "TraceStarted", "version": VERSION, "at": at, "model": model})

    def __call__(self, event: Event) -> None:
        """Write one event.

        Raises:
            OSError: the file takes no more.
        """
        now = time.monotonic()
        if self._awaited:
            self._first, self._awaited = now, False
        if type(event) in TOLD_ELSEWHERE:
            return
        self._write(now, self._plain(event, now))

    def close(self) -> None:
        """Nothing more comes."""
        self._file.close()

    def _plain(self, event: Event, now: float) -> Json:
        match event:
            case AskModel():
                self._asked, self._awaited = now, True
                return self._asking(event)
            case ReplyFinished():
                spent = {"first": round(self._first - self._asked, 4), "seconds": round(now - self._asked, 4)}
                return {**event.to_dict(), **spent}
            case RunFinished(result):
                ended = replace(result, steps=(), messages=(), view=View()).to_dict()
                return {"event": "RunFinished", "result": ended, "steps": len(result.steps)}
            case _:
                return event.to_dict()

    def _asking(self, event: AskModel) -> Json:
        request = event.request
        same = _shared(self._messages, request.messages)
        self._messages = request.messages
        limits = {"stop": request.stop, "temperature": request.temperature, "max_tokens": request.max_tokens}
        plain: Json = {"messages": request.messages[same:], **limits}
        if request.tools:
            plain["tools"] = "same" if request.tools == self._tools else request.tools
        self._tools = request.tools
        return {"event": "AskModel", "number": event.number, "purpose": event.purpose, "same": same, "request": plain}

    def _write(self, now: float, plain: Json) -> None:
        if self._left <= 0:
            return
        head = {"t": round(now - self._start, 4), "run": self._run}
        line = self._redact(_encoded({**head, **plain}))
        self._left -= len(line)
        if self._left <= 0:
            line = _ENCODER.encode({**head, "event": "TraceFull"})
        self._file.write(line + "\n")
        self._file.flush()


def _shared(before: tuple[Json, ...], now: tuple[Json, ...]) -> int:
    """How many messages two requests begin with alike."""
    pairs = zip(before, now, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(before), len(now)))


def _encoded(plain: Json) -> str:
    """A line of JSON in which no text is longer than `MAX_TEXT`; one that is shorter itself holds none."""
    line = _ENCODER.encode(plain)
    return line if len(line) <= MAX_TEXT else _ENCODER.encode(bounded(plain))


def bounded(value: Any) -> Any:
    """`value` with long texts cut in their middle."""
    if isinstance(value, str):
        return value if len(value) <= MAX_TEXT else _cut(value)
    if isinstance(value, dict):
        return {key: bounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [bounded(item) for item in value]
    return value


def _cut(text: str) -> str:
    half = MAX_TEXT // 2
    return f"{text[:half]} … ({len(text) - 2 * half} characters left out) … {text[-half:]}"
