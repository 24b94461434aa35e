"""What an entry of the table declares: where a call may start, who writes it, and how a turn is written.

Openers and bodies are independent: an opener only says «a call starts here», and the body is told by its first characters
(`parsing.bodies`).  So most dialects are a few lines of data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from react_agent.messages import Call

Kind = Literal["call", "think", "observe", "answer", "end", "noise", "thought", "action", "input"]
Calls = Callable[[Sequence[Call], str], str]
"""Writes the calls of a turn, at least one, in a language ("zh" or "en", which only labels heed)."""
Text = Callable[[str, str], str]
"""Writes a thought or an answer, in a language."""
Turn = Callable[[str, Sequence[Call], str | None], str]
"""Writes thought, calls and answer as one JSON value."""


@dataclass(frozen=True, slots=True)
class Opener:
    """A literal that opens something.

    `closers` end it.  kind: "call" a call or several; "think" reasoning; "observe" a tool's result (what follows was
    invented); "answer" the answer; "end" the turn is over; "noise" a token without meaning; "thought", "action" and
    "input" are labels.
    """

    literal: str
    dialect: str
    closers: tuple[str, ...] = ()
    kind: Kind = "call"


def opening(dialect: str, *pairs: tuple[str, ...], kind: Kind = "call") -> tuple[Opener, ...]:
    """Openers of one dialect, each given as its literal and the literals that close it."""
    return tuple(Opener(pair[0], dialect, pair[1:], kind) for pair in pairs)


def plain(text: str, lang: str) -> str:
    """The text alone."""
    return text


def think(text: str, lang: str) -> str:
    """Reasoning as most models that reason set it apart."""
    return f"<think>\n{text}\n</think>\n\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way to write thoughts, calls and answers.

    `models` says who writes it, `source` where that is laid down, `told` how it is told from its neighbours; all three go
    into docs/dialects.md.  `calls` writes all calls of a turn (None: the dialect has none), `thought` and `answer` the
    other parts; `turn` writes all of them where a reply is one JSON value.  `thinks` is False where a thought is written as
    prose and so comes back as prose.  `reported` is the name on `Call.dialect` where another dialect cannot be told from this
    one.  `fixes` are liberties that reading it always takes.
    """

    name: str
    models: str
    source: str
    told: str
    openers: tuple[Opener, ...] = ()
    calls: Calls | None = None
    thought: Text = think
    answer: Text = plain
    turn: Turn | None = None
    thinks: bool = True
    reported: str = ""
    fixes: tuple[str, ...] = ()

    @property
    def reads_as(self) -> str:
        """The name on `Call.dialect` of a call in this dialect."""
        return self.reported or self.name
