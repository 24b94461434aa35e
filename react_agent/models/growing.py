"""What each delta of a text adds, also where every delta repeats all that was said before it.

    deltas         "The"  " beach"  " is wide."                   most servers
    the text so far  "The"  "The beach"  "The beach is wide."     some, in a stream that is called one of deltas all the same

In: the deltas of one text of a reply, in order.  Out: what to add to it.  The rule: a text is read as deltas at once when a
delta does not begin with all that came before.  One that does is kept back, as both readings go on from what was told, until
the text has grown so often that no model wrote it (`SURE`), or until it ends (`LIKELY`, or once by a long text).  Repetitions
of one character, and of the whole text without anything new, are no evidence: models write "1", "11" and "哈", "哈哈".
"""

from __future__ import annotations

SURE = 3
"""So many deltas in a row have repeated all and added something."""
LIKELY = 2
"""As many as that when the text ends."""
LONG = 8
"""Characters that are not repeated by chance."""
MOST = 16
"""Deltas that are kept back at most."""


class Growing:
    """Follows one text."""

    def __init__(self) -> None:
        self._so_far: str | None = ""  # None: these are deltas
        self._told = 0  # characters of it
        self._held: list[str] = []
        self._grown = 0

    @property
    def is_of_deltas(self) -> bool:
        """Whether it is settled that each delta is to be added as it is."""
        return self._so_far is None

    def take(self, delta: str) -> str:
        """What to add now for a delta, which may be "" as long as two readings are possible."""
        before = self._so_far
        if before is None or not delta:
            return delta
        if not before:
            self._so_far, self._told = delta, len(delta)
            return delta
        if not delta.startswith(before):
            return self._as_deltas() + delta
        self._so_far = delta
        self._held.append(delta)
        self._grown += len(delta) > len(before) and len(set(delta)) > 1
        if self._grown >= SURE:
            return self._as_whole()
        return self._as_deltas() if len(self._held) > MOST else ""

    def rest(self) -> str:
        """What was kept back, when nothing more comes."""
        grown = self._grown >= LIKELY or (self._grown and self._told >= LONG)
        return self._as_whole() if grown else self._as_deltas()

    def _as_whole(self) -> str:
        told, so_far = self._told, self._so_far or ""
        self._told, self._held = len(so_far), []
        return so_far[told:]

    def _as_deltas(self) -> str:
        """From here on the text is one of deltas."""
        held, self._held, self._so_far = "".join(self._held), [], None
        return held
