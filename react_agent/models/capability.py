"""What endpoints turned out to do, remembered per (base_url, model) so that a refusal is met once.

In: what answers taught.  Out: `Facts`.  Facts come from real answers only, never from a list of model names.  Each fact is good
for `LIFETIME` and is then learnt again; a later answer overrules an earlier one, but for native calls: that they do not work is
taken back only by expiry, by `clear`, or by a probe that says so.

`SHARED` keeps its notes in a file, so the next program knows what this one has learnt; the file is read again when another
process has changed it.  Addresses are kept without user names, passwords and queries.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from react_agent.messages import Json

from . import state_file
from .facts import NAMES, NO_NATIVE, Facts, Lesson, is_fact

LIFETIME = 14 * 24 * 3600.0
"""Seconds a fact is believed: servers are updated, and asking again costs one refused request."""

SURE = 2
"""So many answers in a row make a fact of what one answer does not prove."""

NOTHING_KNOWN = Facts()

MAX_KNOWN = 7

Key = tuple[str, str]
Fact = tuple[Any, float]
Notes = dict[Key, dict[str, Fact]]
"""By endpoint and name of the fact: its value, and when it was learnt (seconds since 1970)."""


class Capabilities:
    """A notebook of facts; safe to share between threads.

    Args:
        path: tells the file to keep the notes in, asked at each use; None keeps them in memory.
        clock: tells the time, in seconds since 1970.
        look: seconds after which the file, and the age of the facts, are looked at again; 0 looks at each use.
    """

    def __init__(
        self, path: Callable[[], Path] | None = None, *, clock: Callable[[], float] = time.time, look: float = 0.0
    ) -> None:
        self._path = path
        self._clock = clock
        self._look = look
        self._looked = -math.inf
        self._lock = threading.Lock()
        self._notes: Notes = {}
        self._seen: tuple[Path, state_file.Stamp | None] | None = None
        self._told: dict[Key, Facts] = {}  # since the last look
        self._suspected: dict[Key, dict[tuple[str, Any], int]] = {}  # how often in a row; of this process alone

    def facts(self, base_url: str, model: str) -> Facts:
        """What is known of `model` at `base_url`; nothing known gives `Facts()`."""
        return self.facts_at((place_of(base_url), model))

    def facts_at(self, key: Key) -> Facts:
        """As `facts`, of an address as `place_of` writes it."""
        if self._has_looked(self._clock()) and (told := self._told.get(key)) is not None:
            return told  # values are frozen, and one of just before is as good: no lock is needed
        with self._lock:
            return self._facts(key)

    def learn(self, base_url: str, model: str, *, probed: bool = False, **news: Any) -> None:
        """Note what an answer taught: facts by name, None for those that are open.

        Only a probe (`probed`) may say that native calls work where they were known not to.

        Raises:
            TypeError: there is no fact of such a name.
        """
        if unknown := news.keys() - set(NAMES):
            raise TypeError(f"there is no fact {', '.join(sorted(unknown))}")
        key = place_of(base_url), model
        with self._lock:
            known = self._facts(key)
            fresh = {name: value for name, value in _allowed(news, known, probed).items() if getattr(known, name) != value}
            if fresh:
                now = self._clock()
                self._change(lambda notes: _noted(notes, key, {name: (value, now) for name, value in fresh.items()}))

    def suspect(self, base_url: str, model: str, **news: Any) -> None:
        """Note what an answer may have taught: it is learnt when `SURE` answers in a row say the same.

        What the latest answer does not say again is not suspected any more.
        """
        key = place_of(base_url), model
        with self._lock:
            before = self._suspected.pop(key, {})
            counts = {item: before.get(item, 0) + 1 for item in news.items()}
            if counts:
                self._suspected[key] = counts
        if sure := {name: value for (name, value), count in counts.items() if count >= SURE}:
            self.learn(base_url, model, **sure)

    def forget(self, base_url: str, model: str, *names: str) -> None:
        """Drop facts that an answer has shown to be no longer true."""
        key = place_of(base_url), model
        with self._lock:
            self._refresh()
            if any(name in self._notes.get(key, {}) for name in names):
                self._change(lambda notes: {**notes, key: _without(notes.get(key, {}), names)})

    def known(self) -> dict[Key, Facts]:
        """All facts by (base_url, model): a copy."""
        with self._lock:
            self._refresh()
            every = {key: self._fresh(facts) for key, facts in self._notes.items()}
        return {key: facts for key, facts in every.items() if facts != Facts()}

    def ages(self) -> dict[Key, float]:
        """Seconds since something new was learnt, by (base_url, model) of which something is known."""
        known = self.known()
        with self._lock:
            now = self._clock()
            return {
                key: max(0.0, now - max(when for _, when in self._notes[key].values())) for key in known if key in self._notes
            }

    def clear(self, base_url: str = "") -> tuple[Key, ...]:
        """Forget everything, or everything of one server; returns the (base_url, model) of which something was known."""
        place = place_of(base_url)
        gone = tuple(sorted(key for key in self.known() if not place or key[0] == place))
        with self._lock:
            self._change(lambda notes: {key: facts for key, facts in notes.items() if place and key[0] != place})
        return gone

    def _facts(self, key: Key) -> Facts:
        """One and the same value until something changes."""
        self._refresh()
        if (told := self._told.get(key)) is None:
            told = self._told[key] = self._fresh(self._notes.get(key, {}))
        return told

    def _fresh(self, facts: dict[str, Fact]) -> Facts:
        return Facts(**{name: value for name, (value, when) in facts.items() if self._is_fresh(when)})

    def _is_fresh(self, when: float) -> bool:
        return abs(self._clock() - when) < LIFETIME  # a time far ahead was written by a wrong clock

    def _has_looked(self, now: float) -> bool:
        """Whether the last look at the file was short ago."""
        return 0 <= now - self._looked < self._look

    def _refresh(self) -> None:
        """Read the file when it is another one, or another process has changed it."""
        now = self._clock()
        if self._has_looked(now):
            return
        self._looked = now
        self._told.clear()
        if self._path is not None:
            path = self._path()
            seen = path, state_file.stamp_of(path)
            if seen != self._seen:
                self._seen, self._notes = seen, _read(state_file.read(path))

    def _change(self, alter: Callable[[Notes], Notes]) -> None:
        """Change the notes, in the file if there is one; where it cannot be written they go on living in this process."""
        self._told.clear()
        if self._path is None:
            self._notes = alter(self._notes)
            return
        path = self._path()
        try:
            self._notes = _read(state_file.change(path, lambda data: self._written(alter(_read(data)))))
        except OSError:
            self._notes = alter(self._notes)
        self._seen = path, state_file.stamp_of(path)

    def _written(self, notes: Notes) -> Json:
        data: Json = {}
        for (url, model), facts in notes.items():
            kept = {name: [value, when] for name, (value, when) in facts.items() if self._is_fresh(when)}
            if kept:
                data.setdefault(url, {})[model] = kept
        return data


class Page:
    """What is known of one model at one address; what is `assumed` holds until something is learnt."""

    def __init__(self, notes: Capabilities, base_url: str, model: str, assumed: Facts = NOTHING_KNOWN) -> None:
        self._notes = notes
        self._key = place_of(base_url), model
        self._assumed = assumed
        self._last = NOTHING_KNOWN, assumed
        self._known: list[Lesson] = []  # lessons that have added nothing to what is known now

    @property
    def facts(self) -> Facts:
        """What is known or assumed now."""
        known, facts = self._last
        if (now := self._notes.facts_at(self._key)) is not known:
            facts = now.over(self._assumed)
            self._last = now, facts  # a request asks often, and hardly ever has something changed
            self._known = []
        return facts

    def learn(self, lesson: Lesson) -> None:
        """Note what an answer taught: mostly nothing, or the same as the one before."""
        if not lesson:
            return
        before = self.facts
        if lesson not in self._known:
            self._notes.learn(*self._key, **lesson)
            if self.facts is before:
                self._known = [*self._known[-MAX_KNOWN:], lesson]

    def suspect(self, lesson: Lesson) -> None:
        """Note what an answer may have taught, or with {} that it was as usual."""
        self._notes.suspect(*self._key, **lesson)

    def forget(self, *names: str) -> None:
        """Drop what is no longer true."""
        self._notes.forget(*self._key, *names)


@lru_cache(maxsize=256)
def place_of(base_url: str) -> str:
    """The address as it may be written down: without user name, password, query and fragment."""
    parts = urlsplit(base_url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/")


def _allowed(news: Lesson, known: Facts, probed: bool) -> Lesson:
    kept = {name: value for name, value in news.items() if value is not None}
    if known.tools in NO_NATIVE and kept.get("tools") == "works" and not probed:
        del kept["tools"]
    return kept


def _noted(notes: Notes, key: Key, news: dict[str, Fact]) -> Notes:
    return {**notes, key: {**notes.get(key, {}), **news}}


def _without(facts: dict[str, Fact], names: Iterable[str]) -> dict[str, Fact]:
    return {name: fact for name, fact in facts.items() if name not in names}


def _read(data: Json) -> Notes:
    """The notes in a file, less what is none: it may have been edited, or written by a later version."""
    return {
        (url, model): {name: fact for name, fact in ((name, _fact(name, pair)) for name, pair in facts.items()) if fact}
        for url, models in data.items()
        if isinstance(models, dict)
        for model, facts in models.items()
        if isinstance(facts, dict)
    }


def _fact(name: str, pair: object) -> Fact | None:
    match pair:
        case [value, int() | float() as when] if is_fact(name, value):
            return value, float(when)
        case _:
            return None


def shared_path() -> Path:
    """The file of this user."""
    return state_file.state_folder() / "capabilities.json"


SHARED = Capabilities(shared_path)
"""The notebook of models that are given no other; `react-agent capabilities` shows and clears it."""
