"""A memory of earlier runs: what was asked and what was answered, searched by words, and by meaning where there is a function
for that.

In: tasks with their answers.  Out: those that have to do with a question.  It is one SQLite file, by default in the XDG data
folder, which several processes and threads may use at once: each operation opens it, and writes in one transaction.  The rules:
secrets are taken out before anything is written; texts, entries and hits have bounds; the oldest entries go first.
"""

from __future__ import annotations

import contextlib
import logging
import operator
import os
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent import expected
from react_agent.errors import UsageError
from react_agent.expected import check, function, or_none, text, whole
from react_agent.messages import RunResult, Value
from react_agent.redacting import Redactor, secrets_of
from react_agent.tools import Tool, tool

from .words import overlap, query, terms, words

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Gives each text a vector; texts of like meaning get like vectors."""

VERSION = 1
MAX_TEXT = 2000
"""Characters of a task or an answer that are kept."""
MAX_COMPARED = 5000
"""Latest entries whose vectors are compared."""
PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
CONTEXT_HITS = 3
CONTEXT_SHARE = 0.4
"""Of the words of a task: an entry that has fewer is not told unasked."""
CONTEXT_LIKENESS = 0.6
"""The same where vectors are compared, for their cosine."""
_RANK = 60  # of reciprocal rank fusion: how little the first places count more than the next

_LOGGER = logging.getLogger("react_agent.recall")
_LOGGER.addHandler(logging.NullHandler())  # silent where the program sets up no log
_SCHEMA = """
CREATE TABLE entries(id INTEGER PRIMARY KEY, scope TEXT NOT NULL, at REAL NOT NULL, task TEXT NOT NULL, answer TEXT NOT NULL,
                     vector BLOB);
CREATE INDEX entries_by_scope ON entries(scope, id);
CREATE VIRTUAL TABLE spelled USING fts5(words, tokenize = 'unicode61');
"""


@dataclass(frozen=True, slots=True)
class Recollection(Value):
    """An earlier run: `at` is when it ended, in seconds since 1970; `likeness` how near it is to the question, from 0 to 1."""

    task: str
    answer: str
    at: float = 0.0
    likeness: float = 0.0


_EXPECTED = {
    "path": or_none(expected.path),
    "scope": text,
    "embed": or_none(function("a function of a text that gives a list of numbers")),
    "max_entries": whole(1),
}


class Recall:
    """Earlier runs, searched.

        recall = Recall()
        agent = Agent("qwen3:8b", tools=[…, recall.tool()], recall=recall)   # remembers, tells of itself, and may be asked

    Args:
        path: the file; by default `$XDG_DATA_HOME/react-agent/recall.sqlite3`.
        scope: keeps the memories of different agents apart.
        embed: also search by meaning, with this function.
        max_entries: in a scope; then the oldest go.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        scope: str = "",
        embed: Embed | None = None,
        max_entries: int = 10_000,
    ) -> None:
        check(_EXPECTED, path=path, scope=scope, embed=embed, max_entries=max_entries)
        self._path = data_folder() / "recall.sqlite3" if path is None else Path(path)
        self._scope = scope
        self._embed = embed
        self._max_entries = max_entries
        self._redact = Redactor(secrets_of())

    def add(self, task: str, answer: str) -> None:
        """Remember a task and its answer.

        Raises:
            UsageError: the file cannot be used.
        """
        task, answer = (self._redact(text)[:MAX_TEXT] for text in (task, answer))
        vector = self._vectors([f"{task}\n{answer}"])[0]
        with self._open() as base:
            base.execute("BEGIN IMMEDIATE")
            row = (self._scope, time.time(), task, answer, vector)
            at = base.execute("INSERT INTO entries(scope, at, task, answer, vector) VALUES (?, ?, ?, ?, ?)", row).lastrowid
            base.execute("INSERT INTO spelled(rowid, words) VALUES (?, ?)", (at, " ".join(words(f"{task}\n{answer}"))))
            old = "SELECT id FROM entries WHERE scope = ? ORDER BY id DESC LIMIT -1 OFFSET ?"
            for (gone,) in base.execute(old, (self._scope, self._max_entries)).fetchall():
                self._delete(base, gone)
            base.execute("COMMIT")

    def search(self, question: str, limit: int = 5) -> tuple[Recollection, ...]:
        """The entries that have most to do with `question`, the nearest first.

        Raises:
            UsageError: the file cannot be used.
        """
        wanted = terms(question)
        vector = self._vectors([question])[0]
        with self._open() as base:
            by_words = self._by_words(base, wanted, limit)
            near = self._by_meaning(base, vector, limit) if vector else {}
            ranked = _fused(by_words, list(near))[:limit]
            marks = ", ".join("?" * len(ranked))
            rows = base.execute(f"SELECT id, task, answer, at FROM entries WHERE id IN ({marks})", ranked).fetchall()
        hits = {}
        for at, task, answer, when in rows:
            likeness = max(overlap(wanted, f"{task}\n{answer}"), near.get(at, 0.0))
            hits[at] = Recollection(task, answer, when, round(likeness, 3))
        return tuple(hits[at] for at in ranked if at in hits)

    def forget(self) -> None:
        """Drop all entries of the scope.

        Raises:
            UsageError: the file cannot be used.
        """
        with self._open() as base:
            base.execute("BEGIN IMMEDIATE")
            for (gone,) in base.execute("SELECT id FROM entries WHERE scope = ?", (self._scope,)).fetchall():
                self._delete(base, gone)
            base.execute("COMMIT")

    def tool(self) -> Tool:
        """The tool `recall(query)`, for an agent's `tools`."""

        @tool
        def recall(query: str) -> str:
            """Search what was asked and answered in earlier conversations.

            Args:
                query: Words that stand in the earlier question or answer.
            """
            return "\n".join(f"{hit.task} → {hit.answer}" for hit in self.search(query))

        return recall

    def context(self, task: str) -> tuple[Recollection, ...]:
        """What to tell a model of earlier runs before it begins with `task`; nothing when the file cannot be used."""
        least = CONTEXT_SHARE if self._embed is None else CONTEXT_LIKENESS
        try:
            return tuple(hit for hit in self.search(task, CONTEXT_HITS) if hit.likeness >= least)
        except UsageError as error:
            _LOGGER.warning("nothing is recalled: %s", error)
            return ()

    def remember(self, task: str, result: RunResult) -> None:
        """Remember a run that completed; a file that cannot be used costs a warning in the log."""
        if not result.ok or result.answer is None:
            return
        try:
            self.add(task, result.answer)
        except UsageError as error:
            _LOGGER.warning("the run is not remembered: %s", error)

    def _by_words(self, base: sqlite3.Connection, wanted: list[str], limit: int) -> list[int]:
        if not wanted:
            return []
        found = base.execute(
            "SELECT entries.id FROM spelled JOIN entries ON entries.id = spelled.rowid "
            "WHERE spelled MATCH ? AND scope = ? ORDER BY bm25(spelled), entries.id DESC LIMIT ?",
            (query(wanted), self._scope, limit),
        )
        return [row[0] for row in found]

    def _by_meaning(self, base: sqlite3.Connection, vector: bytes, limit: int) -> dict[int, float]:
        """The nearest of the latest entries, with their cosine."""
        sql = "SELECT id, vector FROM entries WHERE scope = ? AND length(vector) = ? ORDER BY id DESC LIMIT ?"
        wanted = array("f", vector)
        near = {}
        for at, blob in base.execute(sql, (self._scope, len(vector), MAX_COMPARED)):
            near[at] = sum(map(operator.mul, wanted, array("f", blob)))
        return dict(sorted(near.items(), key=lambda pair: -pair[1])[:limit])

    def _vectors(self, texts: Sequence[str]) -> list[bytes | None]:
        if self._embed is None:
            return [None] * len(texts)
        return [_unit(vector) for vector in self._embed(texts)]

    def _delete(self, base: sqlite3.Connection, at: int) -> None:
        base.execute("DELETE FROM spelled WHERE rowid = ?", (at,))
        base.execute("DELETE FROM entries WHERE id = ?", (at,))

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The file, made when it is not there."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with contextlib.closing(sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)) as base:
                self._prepare(base)
                yield base
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"cannot use the memory of earlier runs {self._path}: {error}") from None

    def _prepare(self, base: sqlite3.Connection) -> None:
        if _version(base) == VERSION:
            return
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("BEGIN IMMEDIATE")
        if _version(base) == 0:  # nobody else was quicker
            for statement in _SCHEMA.strip().split(";")[:-1]:
                base.execute(statement)
            base.execute(f"PRAGMA user_version = {VERSION}")
            self._path.chmod(0o600)
        base.execute("COMMIT")
        if _version(base) != VERSION:
            raise UsageError(f"{self._path} was written by another version: give Recall another path")


def data_folder() -> Path:
    """`$XDG_DATA_HOME/react-agent`, by default under `~/.local/share`; it need not exist."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not base.is_absolute():  # the XDG specification says to ignore relative paths
        base = Path(os.path.expanduser("~")) / ".local" / "share"  # noqa: PTH111  Path.home() raises where there is no home
    return base / "react-agent"


def _version(base: sqlite3.Connection) -> int:
    return int(base.execute("PRAGMA user_version").fetchone()[0])


def _unit(vector: Sequence[float]) -> bytes:
    """The vector at length 1, so that a product is a cosine."""
    length = sum(value * value for value in vector) ** 0.5
    return array("f", (value / length if length else 0.0 for value in vector)).tobytes()


def _fused(*rankings: list[int]) -> list[int]:
    """One ranking of several: what stands high in any of them stands high."""
    score: dict[int, float] = {}
    for ranking in rankings:
        for place, at in enumerate(ranking):
            score[at] = score.get(at, 0.0) + 1 / (_RANK + place)
    return sorted(score, key=lambda at: -score[at])
