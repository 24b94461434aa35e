"""What was made of a part of a request, for the next request with the same part: agents send their tools again and again.

In: the part as JSON, and how to read it.  Out: what reading it gave.  Bounded in number and in characters, the least recently
used goes first; a part that is refused is read anew each time.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 256  # parts
ROOM = 8_000_000  # characters of all parts
LONGEST = 1_000_000  # characters of a part


class Kept(Generic[T]):
    """Remembers what `read` gave, by the canonical text of what it has read."""

    def __init__(self, *, most: int = MOST, room: int = ROOM, longest: int = LONGEST) -> None:
        self._most, self._room, self._longest = most, room, longest
        self._known: OrderedDict[str, T] = OrderedDict()
        self._length = 0

    def __call__(self, part: object, read: Callable[[], T]) -> T:
        """What `read` gives for this part; what it raises goes on."""
        key = json.dumps(part)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        found = read()
        if len(key) <= self._longest:
            self._known[key] = found
            self._length += len(key)
            while len(self._known) > self._most or self._length > self._room:
                self._length -= len(self._known.popitem(last=False)[0])
        return found
