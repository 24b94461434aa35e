"""How a reply is to be read: how strictly, with which dialect expected, and whether to keep notes on the way.

In: what the caller of `parse` asked for.  Out: one frozen `Manner` that the decision carries along.  The three levels differ
only in what counts as evidence; a cut value, invalid arguments and drafts in reasoning are refused on every level.

| level    | what it takes                                                                                             |
|----------|-----------------------------------------------------------------------------------------------------------|
| `strict` | calls in a wrapper or behind a label, with name and arguments valid as written: a call with any fix is refused |
| `normal` | every level of `evidence`, with the repairs of `react_agent.repair`                                       |
| `loose`  | also what `loose` describes: calls in long prose, inside a sentence, and under unknown keys               |
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from react_agent.errors import UsageError

from .dialects.models import for_model
from .rules import Record

Strictness = Literal["strict", "normal", "loose"]
_LEVELS = get_args(Strictness)


@dataclass(frozen=True, slots=True)
class Manner:
    """`likely` holds the dialects that the caller expects: they break ties among weak forms, and are never needed."""

    strictness: Strictness = "normal"
    likely: frozenset[str] = frozenset()
    record: Record | None = None

    def excuse(self, dialects: Collection[str]) -> str:
        """The rule by which much prose around weak calls in these dialects is overlooked, "" when it is not."""
        if not dialects:
            return ""
        if self.likely and self.likely.issuperset(dialects):
            return "hinted"
        return "loose_prose" if self.strictness == "loose" else ""


NORMAL = Manner()


def manner_of(strictness: str, dialect: str, explain: bool) -> Manner:
    """The manner for these wishes; `dialect` is the name of a dialect or of a model.

    Raises:
        UsageError: no such level.
    """
    if strictness == "normal" and not dialect and not explain:
        return NORMAL
    if strictness not in _LEVELS:
        raise UsageError(f"no such strictness: {strictness!r}; expected one of {', '.join(_LEVELS)}")
    likely = frozenset((dialect, *for_model(dialect))) if dialect else frozenset()
    return Manner(strictness, likely, Record() if explain else None)  # type: ignore[arg-type]  # checked above
