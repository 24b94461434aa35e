"""Repair in two stages: text to value, then value to schema, with every liberty named."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from react_agent.messages import Fix, Value

from .fit import fit
from .fixes import COSTS, cost
from .reader import Unreadable, read

__all__ = ["COSTS", "Repaired", "cost", "fit", "read", "repair"]


@dataclass(frozen=True, slots=True)
class Repaired(Value):
    """`value` as read and fitted; `cut` is True when the text ends inside a value, which then must not be used."""

    value: Any = None
    fixes: tuple[Fix, ...] = ()
    cut: bool = False
    found: bool = True

    @property
    def cost(self) -> int:
        """How much was bent: the sum over `react_agent.repair.COSTS`."""
        return cost(self.fixes)


def repair(text: str, schema: Mapping[str, Any] | None = None) -> Repaired:
    """The JSON value in `text`, repaired, and fitted to `schema` when one is given.

    Valid JSON that fits comes back as the standard parser reads it, with no fixes.  Never raises for any text: where no
    value stands, `found` is False.

    >>> repair("{'city': 'Oslo', 'days': '3'}", {"properties": {"days": {"type": "integer"}}}).value
    {'city': 'Oslo', 'days': 3}
    """
    start = min((index for index in (text.find("{"), text.find("[")) if index >= 0), default=0)
    try:
        found = read(text, start)
    except Unreadable:
        return Repaired(found=False)
    value, fixes = (found.value, ()) if schema is None else fit(found.value, schema)
    return Repaired(value, found.fixes + fixes, found.cut)


class _Callable(ModuleType):
    """`react_agent.repair` is this package and the function of that name: importing the package must not hide the function."""

    def __call__(self, text: str, schema: Mapping[str, Any] | None = None) -> Repaired:
        return repair(text, schema)


sys.modules[__name__].__class__ = _Callable
