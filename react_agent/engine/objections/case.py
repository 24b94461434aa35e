"""What judges of this package look at, and what they say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from react_agent.engine.reply import Reply
from react_agent.engine.state import State
from react_agent.messages import Call


@dataclass(frozen=True, slots=True)
class Case:
    """What a reply comes to: one of its calls, or its answer where there are none."""

    reply: Reply
    call: Call | None = None

    @property
    def answer(self) -> str:
        """The text that would be the answer of the run, or ""."""
        return self.reply.parsed.answer or ""


@dataclass(frozen=True, slots=True)
class Found:
    """The facts of an objection, as the sentence to the model needs them: the tool in question, what is wrong with the call."""

    name: str = ""
    problems: tuple[str, ...] = ()


class Judge(Protocol):
    """One objection: facts of the run and what the model has said → what there is to object, or None.  Changes nothing."""

    def __call__(self, state: State, case: Case, /) -> Found | None: ...
