"""The results of pure tools, remembered for as long as the toolbox lives: a bounded store that many threads may use.

In: a tool and a call.  Out: the result of the same call (canonical arguments), if it is known.  A tool that asks for the
context of its run is not pure in this sense, as its result may hang on who asks; failures and very long results are not kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace

from react_agent.messages import Call, Result
from react_agent.schema import canonical

from .spec import Tool

MAX_RESULTS = 256
MAX_CHARS = 50_000  # of one result, with what was left out of it


class Remembered:
    """Results by tool and arguments, the longest unused going first."""

    def __init__(self) -> None:
        self._results: OrderedDict[tuple[str, str], Result] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, tool: Tool, call: Call) -> Result | None:
        """The result of this call, under its id."""
        if not _may_be_kept(tool):
            return None
        key = (call.name, canonical(call.arguments))
        with self._lock:
            known = self._results.get(key)
            if known is None:
                return None
            self._results.move_to_end(key)
        return replace(known, call_id=call.id, seconds=0.0)

    def keep(self, tool: Tool, call: Call, result: Result) -> None:
        """Remember a result, when it is of a kind to be remembered."""
        if not _may_be_kept(tool) or result.status == "error" or len(result.content) + len(result.rest) > MAX_CHARS:
            return
        with self._lock:
            self._results[call.name, canonical(call.arguments)] = result
            if len(self._results) > MAX_RESULTS:
                self._results.popitem(last=False)


def _may_be_kept(tool: Tool) -> bool:
    return tool.pure and not tool.takes_context
