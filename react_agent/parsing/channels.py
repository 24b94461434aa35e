"""One stream of text told in deltas, so that the joined deltas are the text without white space around it.

In: pieces of text as they come.  Out: events.  What was told is remembered by its length and digest, which costs no memory;
`complete` compares it with what the verdict says and tells what is missing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from react_agent.events import AnswerDelta, Event, TextDelta, ThoughtDelta

_NOTHING = hashlib.blake2b(digest_size=16)
_KEPT = 1_000
"""Characters that are kept, as a digest of each word would cost more than the words."""

Delta = type[TextDelta] | type[ThoughtDelta] | type[AnswerDelta]


class Channel:
    """Deltas of one kind; `holds` says of a beginning that it may not be told yet."""

    def __init__(self, delta: Delta, events: list[Event], holds: Callable[[str], bool] | None = None) -> None:
        self._delta = delta
        self._events = events
        self._holds = holds
        self._all = Told()
        self.restart()

    @property
    def size(self) -> int:
        """How many characters were told since it began."""
        return self._told.size

    @property
    def spoken(self) -> bool:
        """Was anything told at all?"""
        return self._all.size > 0

    def restart(self) -> None:
        """Begin anew: what was told so far is no part of the final text."""
        self._told = Told()
        self._kept: list[str] = []
        self._head = ""
        self._fresh = True

    def fork(self) -> None:
        """The final text may begin here, or go on; so the blanks between still count."""
        self._told = Told()

    def say(self, text: str) -> None:
        """More text; white space is kept back until something follows it."""
        if self._fresh:
            text = text.lstrip()
        whole = text.rstrip()
        if whole:
            self._tell("".join((*self._kept, whole)) if self._kept else whole)
            self._fresh, self._kept = False, []
        if len(text) > len(whole):
            self._kept.append(text[len(whole) :])

    def part(self) -> None:
        """What follows is another part, on a line of its own."""
        self._kept = ["\n"] if self.size else []
        self._fresh = True

    def complete(self, final: str) -> bool:
        """Tell what is missing of `final`; False when something else was told."""
        rest = next((final[told.size :] for told in (self._told, self._all) if told.begins(final)), None)
        if rest:
            self._head, self._holds = "", None
            self._tell(rest)
        return rest is not None

    def _tell(self, text: str) -> None:
        begun = self._told.size > 0
        if self._holds is not None and not begun:
            self._head += text
            if self._holds(self._head):
                return
            text, self._head = self._head, ""
        self._told.add(text if begun else text.lstrip())
        self._all.add(text)
        self._events.append(self._delta(text))


class Told:
    """The text that was told, as its length and digest; only the last of it is kept as it is."""

    def __init__(self) -> None:
        self.size = 0
        self._digest = _NOTHING
        self._fresh: list[str] = []
        self._digested = 0

    def add(self, text: str) -> None:
        self.size += len(text)
        self._fresh.append(text)
        if self.size - self._digested > _KEPT:
            self._digest = self._digest.copy()
            self._digest.update(_encoded("".join(self._fresh)))
            self._fresh.clear()
            self._digested = self.size

    def begins(self, final: str) -> bool:
        """Is it what `final` begins with?"""
        if final[self._digested : self.size] != "".join(self._fresh):
            return False
        digest = _NOTHING.copy()
        digest.update(_encoded(final[: self._digested]))
        return digest.digest() == self._digest.digest()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
