"""Events as JSON lines, for programs and for traces.

In: events.  Out: one line each, flushed at once, so that a reader sees a run as it happens and a run that is killed leaves
what had happened.
"""

from __future__ import annotations

import json
from typing import TextIO

from react_agent.events import Event, Request


class JsonLines:
    """Writes events to `stream`; requests (what is asked of models and tools) only when told so."""

    def __init__(self, stream: TextIO, *, requests: bool = False) -> None:
        self._stream = stream
        self._requests = requests

    def __call__(self, event: Event) -> None:
        if self._requests or not isinstance(event, Request):
            print(json.dumps(event.to_dict(), ensure_ascii=False), file=self._stream, flush=True)
