"""Events as JSON lines, for programs.

In: events.  Out: one line each, flushed at once, so that a reader sees a run as it happens and a run that is killed leaves
what had happened.
"""

from __future__ import annotations

import json
from typing import TextIO

from react_agent.events import Event, Request


class JsonLines:
    """Writes events to `stream`, but for requests (what is asked of models and tools)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Request):
            print(json.dumps(event.to_dict(), ensure_ascii=False), file=self._stream, flush=True)
