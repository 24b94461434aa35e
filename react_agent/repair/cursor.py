"""Where a reading stands: the position, the fixes so far, and whether it has looked beyond the end of the text."""

from __future__ import annotations

from react_agent.messages import Fix

from .characters import BLANK, COMMENT


class Cursor:
    """The state of one reading.

    `bounded` says that the end of the text is a real border; `cut` that it ended inside a value; `touched_end` that a
    decision depended on where it ended.
    """

    def __init__(self, text: str, pos: int, bounded: bool = False) -> None:
        self.text = text
        self.bounded = bounded
        self.pos = pos
        self.size = len(text)
        self.fixes: dict[str, Fix] = {}
        self.cut = False
        self.touched_end = False
        self.in_call = False

    def fix(self, name: str) -> None:
        if name not in self.fixes:
            self.fixes[name] = Fix(name, note=f"at character {self.pos}")

    def peek(self, ahead: int = 0) -> str:
        index = self.pos + ahead
        if index < self.size:
            return self.text[index]
        self.touched_end = True
        return ""

    def blanks(self) -> str:
        """Skip blanks and comments; the next character, "" at the end."""
        while True:
            self.pos = BLANK.match(self.text, self.pos).end()  # type: ignore[union-attr]  # matches the empty text
            char = self.peek()
            if char not in "/#" or not char:
                return char
            comment = COMMENT.match(self.text, self.pos)
            if comment is None:
                return char
            self.fix("comment")
            self.pos = comment.end()

    def skip(self, index: int) -> int:
        """The index behind blanks and comments."""
        while True:
            index = BLANK.match(self.text, index).end()  # type: ignore[union-attr]  # matches the empty text
            comment = COMMENT.match(self.text, index)
            if index >= self.size or (comment is not None and comment.end() >= self.size):
                self.touched_end = True
            if comment is None:
                return index
            index = comment.end()
