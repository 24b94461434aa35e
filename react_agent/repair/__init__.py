"""Repair in two stages: text to value, then value to schema, with every liberty named.

    >>> repaired = repair("{'city': 'Oslo', 'days': '3',}", {"properties": {"days": {"type": "integer"}}})
    >>> repaired.value, [fix.name for fix in repaired.fixes]
    ({'city': 'Oslo', 'days': 3}, ['other_quotes', 'trailing_comma', 'text_to_number'])

What it does with the corners of JSON:

* A key that comes twice: the last value counts, as for the standard parser; in broken JSON the fix `repeated_key` says so.
* `NaN`, `Infinity`: no JSON; read as text, which no number parameter takes.  `1e999` and integers of more than 4300 digits:
  text as well, for nothing could write them as numbers again.  Alone they are no value.
* Half of a surrogate pair (`\\ud83d`): U+FFFD, with the fix `bad_escape`; no UTF-8 could hold it.
* More than 100 levels of nesting: no value.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from .fit import fit
from .fixes import COSTS, cost
from .mend import Repaired, repair
from .reader import Unreadable, read

__all__ = ["COSTS", "Repaired", "Unreadable", "cost", "fit", "read", "repair"]


class _Callable(ModuleType):
    """`react_agent.repair` is this package and the function of that name: importing the package must not hide the function."""

    def __call__(self, text: str, schema: Mapping[str, Any] | None = None) -> Repaired:
        return repair(text, schema)


sys.modules[__name__].__class__ = _Callable
