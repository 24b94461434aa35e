"""Which calls may run, as a rule that the user writes: lists of tool names, or any function of a call.

    Agent(…, policy=Rules(allow=("get_*",), deny=("shell",), others="ask"))

In: a call.  Out: "allow", "ask", "deny", or None, which leaves it to the tool: dangerous ones are asked about, others run.  A
policy is a function of the call alone: the engine calls it, and the same calls must give the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, get_args

from react_agent.errors import UsageError
from react_agent.messages import Call

Ruling = Literal["allow", "ask", "deny"]
RULINGS: tuple[Ruling, ...] = get_args(Ruling)
Policy = Callable[[Call], Ruling | None]


@dataclass(frozen=True, slots=True)
class Rules:
    """A policy by names of tools, which may hold `*` and `?`.

    What is denied wins over what is asked about, and that over what is allowed.  `others`: for tools in no list; None
    leaves it to the tool.

    Raises:
        UsageError: a list is one text, or `others` is no ruling.
    """

    allow: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    others: Ruling | None = None

    def __post_init__(self) -> None:
        if any(isinstance(names, str) for names in (self.allow, self.ask, self.deny)):
            raise UsageError('rules take tuples of names: allow=("get_*",)')
        if self.others is not None and self.others not in RULINGS:
            raise UsageError(f'others must be "allow", "ask", "deny" or None, not {self.others!r}')

    def __call__(self, call: Call) -> Ruling | None:
        rulings: tuple[tuple[Ruling, tuple[str, ...]], ...] = (("deny", self.deny), ("ask", self.ask), ("allow", self.allow))
        for ruling, names in rulings:
            if any(fnmatchcase(call.name, pattern) for pattern in names):
                return ruling
        return self.others
