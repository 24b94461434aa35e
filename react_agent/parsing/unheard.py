"""When is a reply worth a look that nobody reads along?  Where it may be over: something follows what may be a call.

    Action: {"name": "f", "arguments": {}}          no: it goes on, or ends here
    Action: {"name": "f", "arguments": {}}⏎Obs      yes
    Action: f⏎Action Input: x⏎Obs                    yes: a line may end a call as well, and this is the third

In: the pieces as they come.  Out: whether to look now.  The rule: a reply that is over is looked at before much more of it has
come; one that holds a call and nothing else is not looked at before its end.
"""

from __future__ import annotations

import re

_CLOSING = "]})>`）｝］】"
_MAY_END = re.compile(rf"[\n{re.escape(_CLOSING)}]")
_FOLLOWED = re.compile(rf"[{re.escape(_CLOSING)}]\s*[^\s,{re.escape(_CLOSING)}]")
_LINE = re.compile(r"\n\s*(?=\S)")
_LINES = 2
"""So many lines behind the first are more than a thought and an action."""
_MORE = 64
"""What follows what may be a call may take so many characters to show what it is."""


class Unheard:
    """Follows one reply."""

    def __init__(self) -> None:
        self._end = ""
        self._lines = 0
        self._watched = 0

    def due(self, piece: str) -> bool:
        """May the reply be over in this piece?"""
        if not self._watched and not self._end and _MAY_END.search(piece) is None:
            return False
        self._watched = _MORE if self._follows(self._end + piece) else max(self._watched - len(piece), 0)
        return self._watched > 0

    def _follows(self, text: str) -> bool:
        """Does something in it follow a bracket or a line that may end a call?"""
        said = text.rstrip()
        self._end = (said[-1] if said.endswith(tuple(_CLOSING)) else "") + ("\n" if "\n" in text[len(said) :] else "")
        lines = len(_LINE.findall(said))
        self._lines += lines
        return (lines > 0 and self._lines >= _LINES) or _FOLLOWED.search(said) is not None
