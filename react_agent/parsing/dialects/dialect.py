"""What a dialect file declares: where a call may start, and how one is written.

Openers and bodies are independent: an opener only says «a call starts here», and the body is told by its first characters
(`parsing.bodies`).  So most wrappers are one line of data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from react_agent.messages import Call

Kind = Literal["call", "think", "observe", "answer", "end", "noise", "thought", "action", "input"]


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


@dataclass(frozen=True, slots=True)
class Dialect:
    """A way to write thoughts, calls and answers; `call` writes one call, `answer` and `thought` the other parts."""

    name: str
    openers: tuple[Opener, ...] = ()
    call: Callable[[Call, str], str] | None = None
    answer: Callable[[str, str], str] | None = None
    thought: Callable[[str, str], str] | None = None
    many: Callable[[list[Call], str], str] | None = None
