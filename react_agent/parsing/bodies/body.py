"""What every body reader gets and gives.

In: a stretch of text that an opener, a label or a fence has set apart, and the declared names.  Out: the calls and answers
written in it, in order.  A reader that does not find its grammar gives an empty list; it never raises.
"""

from __future__ import annotations

from dataclasses import dataclass

from react_agent.parsing.names import ToolNames
from react_agent.parsing.settle import Written


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """A final answer written as a value."""

    text: str
    start: int
    end: int
    cut: bool = False
    thought: str = ""


Found = Written | WrittenAnswer


@dataclass(frozen=True, slots=True)
class Body:
    """text[start:end]; `bounded` when a real border follows, so that nothing at the end is cut."""

    text: str
    start: int
    end: int
    names: ToolNames
    dialect: str
    bounded: bool = True

    def at(self, start: int, end: int | None = None) -> Body:
        """The same body, narrowed."""
        return Body(self.text, start, self.end if end is None else end, self.names, self.dialect, self.bounded)

    @property
    def source(self) -> str:
        return self.text[self.start : self.end]
