"""The one place that knows that text may be cut in two.

A reader is a generator over a `Buffer`: it plainly `yield`s while it lacks text, so the place in its code is its state.
Every primitive returns only when more text could not change its answer, so a reader gives the same result for every cut of
a text, and the whole text is just the cut into one piece.

Every piece that is added copies the text: who has many small ones joins them first, see `parser`.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

import regex

from react_agent.repair.reader import Read, Unreadable, loose, read_call, strict

from .growing import GrowingJson

R = TypeVar("R")
Reading = Generator[None, None, R]

Accepts = Callable[[regex.Match[str]], bool]
Passed = Callable[[int, int], None]

REACH = 384
"""Every pattern decides within this many characters of the start of its match."""
_FAR = sys.maxsize


class Marks:
    """A pattern to look for in text that is still growing; compiled when it is first used.

    `pattern` finds what is there; `unsure` finds where more text might still make a match: it is the same pattern with a
    tail that never matches, so that all it can give is a partial match at the end of the text.  Both decide within `reach`
    characters of the start of a match.
    """

    reach = REACH

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._accepts: Accepts | None = None

    def only(self, accepts: Accepts) -> Marks:
        """The same pattern, but only those matches that `accepts` takes."""
        marks = Marks(self._source, self._flags)
        marks.pattern, marks.unsure, marks._accepts = self.pattern, self.unsure, accepts
        return marks

    def match(self, text: str, index: int) -> regex.Match[str] | None:
        """The match at `index`."""
        match = self.pattern.match(text, index)
        return match if match is None or self._accepts is None or self._accepts(match) else None

    @functools.cached_property
    def pattern(self) -> regex.Pattern[str]:
        return regex.compile(self._source, self._flags)

    @functools.cached_property
    def unsure(self) -> regex.Pattern[str]:
        # an empty class by range: `regex` takes [^\s\S] for any character, or fails on it, depending on its version
        return regex.compile(rf"(?:{self._source})[^\x00-\U0010ffff]", self._flags)

    def search(self, text: str, index: int) -> regex.Match[str] | None:
        """The leftmost match at or behind `index`."""
        return self.pattern.search(text, index)

    def next_place(self, text: str, index: int) -> int:
        """A quick look: at or behind `index` no match begins before this place, decided or not."""
        return index

    def unsure_from(self, text: str, index: int, border: int = _FAR) -> int:
        """Where an undecided match starts at or behind `index`; the length of the text when there is none.

        Who wants to know up to `border` alone may get any place behind it instead.
        """
        match = self.unsure.search(text, index, partial=True)
        return len(text) if match is None else match.start()


class LineMarks(Marks):
    """Marks that stand at the start of a line: where none starts, no search is needed."""

    def next_place(self, text: str, index: int) -> int:
        line_end = text.find("\n", index - 1) if index else -1
        return line_end + 1 if line_end >= 0 or not index else len(text)


class Literals(Marks):
    """Any of some literals, the longest first: where one may begin at the end of the text takes no search."""

    def __init__(self, literals: Sequence[str]) -> None:
        longest_first = sorted(literals, key=len, reverse=True)
        super().__init__("|".join(map(re.escape, longest_first)))
        self.reach = len(longest_first[0])
        self._literals = longest_first
        self._heads = re.compile("|".join(sorted({re.escape(literal[0]) for literal in literals})))

    def next_place(self, text: str, index: int) -> int:
        head = self._heads.search(text, index)
        return len(text) if head is None else head.start()

    def unsure_from(self, text: str, index: int, border: int = _FAR) -> int:
        for head in self._heads.finditer(text, max(index, len(text) - self.reach)):
            end = text[head.start() :]
            if any(literal.startswith(end) for literal in self._literals):
                return head.start()
        return len(text)


class Places(Marks):
    """Several marks that can start only at some places: at each, the first that matches wins.

    `starts` is a cheap pattern for those places, `early` one for places that may become such with more text, and `edge` one for
    an end of the text that may.  None of them may take more than one character that another place could start with: else
    which places are looked at would hang on where the search began.  A place that is told by the group
    `word` of `starts` counts only when `known` takes that word.
    """

    def __init__(
        self,
        marks: Sequence[Marks],
        starts: re.Pattern[str],
        early: re.Pattern[str],
        edge: re.Pattern[str],
        known: Callable[[str], bool] = bool,
    ) -> None:
        super().__init__("")
        self._marks = marks
        self._starts = starts
        self._known = known
        self._early = early
        self._edge = edge

    def next_place(self, text: str, index: int) -> int:
        place = self._early.search(text, index)
        return self._edge_from(text, index) if place is None else place.start()

    def match(self, text: str, index: int) -> regex.Match[str] | None:
        return next(filter(None, (marks.match(text, index) for marks in self._marks)), None)

    def search(self, text: str, index: int) -> regex.Match[str] | None:
        matchers = [marks.match for marks in self._marks]
        for place in self._starts.finditer(text, index):
            if place.lastgroup is not None and not self._known(place[place.lastgroup]):
                continue
            start = place.start()
            for match_at in matchers:
                if (match := match_at(text, start)) is not None:
                    return match
        return None

    def unsure_from(self, text: str, index: int, border: int = _FAR) -> int:
        limit = self._edge_from(text, index)
        for place in self._early.finditer(text, index):
            start = place.start()
            if start >= limit:
                break
            if start > border or self._is_unsure(text, start, found=start == border):
                return start
        return limit

    def _is_unsure(self, text: str, start: int, *, found: bool) -> bool:
        """May more text make a mark begin at `start`, or another one than the one `found` there?"""
        for marks in self._marks:
            if marks.unsure.match(text, start, partial=True) is not None:
                return True
            if found and marks.match(text, start) is not None:
                return False  # it wins over those behind it
        return False

    def _edge_from(self, text: str, index: int) -> int:
        """Where the end of the text begins that may become a place; the length of the text when there is none."""
        size = len(text)
        if size - index > _EDGE_MARK:
            blanks = min(size, _EDGE) - len(text[-_EDGE:].rstrip(" \t"))
            index = max(index, size - min(blanks + _EDGE_MARK, _EDGE))
        edge = self._edge.search(text, index)
        return size if edge is None else edge.start()


class Buffer:
    """The text so far, and whether more may come."""

    def __init__(self) -> None:
        self.text = ""
        self.closed = False
        self._spent = 0
        self._absent: set[Marks] = set()
        self._undecided: dict[Marks, tuple[int, int, int, int]] = {}
        self._firsts: dict[Marks, tuple[int, int, int]] = {}

    @classmethod
    def whole(cls, text: str) -> Buffer:
        """A buffer with all of a text."""
        buffer = cls()
        buffer.text, buffer.closed = text, True
        return buffer

    def add(self, chunk: str) -> None:
        """More text."""
        self.text += chunk

    def close(self) -> None:
        """No more text will come."""
        self.closed = True

    def has(self, index: int) -> Reading[bool]:
        """Is there a character at `index`?"""
        while index >= len(self.text) and not self.closed:
            yield
        return index < len(self.text)

    def blanks(self, index: int) -> Reading[int]:
        """The first index at or behind `index` that holds no blank (the length of the text when there is none)."""
        while True:
            match = _BLANK.match(self.text, index)
            index = match.end() if match else index
            if index < len(self.text) or self.closed:
                return index
            yield

    def starts(self, index: int, literal: str) -> Reading[bool]:
        """Does `literal` stand at `index`?"""
        while not self.closed and len(self.text) < index + len(literal):
            if not literal.startswith(self.text[index:]):
                return False
            yield
        return self.text.startswith(literal, index)

    def find(self, marks: Marks, index: int, passed: Passed | None = None) -> Reading[regex.Match[str] | None]:
        """The leftmost match at or behind `index`; `passed(start, end)` is told of text that holds none.

        A match is final when nothing at or before its start could still become a match.
        """
        if marks in self._absent:
            if passed is not None:
                passed(index, len(self.text))
            return None
        while True:
            match, border = self._found(marks, index)
            if passed is not None and border > index:
                passed(index, border)
            if match is not None:
                return match
            if self.closed:
                self._absent.add(marks)
                return None
            index = max(index, border)
            yield

    def _found(self, marks: Marks, index: int) -> tuple[regex.Match[str] | None, int]:
        """The leftmost match at or behind `index` if it is final, and up to where there is surely none."""
        size = len(self.text)
        index = marks.next_place(self.text, index)
        if index == size:
            return None, size
        match = self.first(marks, index)
        border = size if match is None else match.start()
        if self.closed:
            return match, border
        unsure = self._unsure_from(marks, max(index, size - marks.reach), border)
        if unsure < size and unsure <= border:
            return None, unsure
        return (None if match is not None and match.end() == size else match), border

    def first(self, marks: Marks, index: int) -> regex.Match[str] | None:
        """The leftmost match at or behind `index` in the text so far; no stretch is searched twice for the same marks.

        Of a match only the place is kept, as a match keeps the text that it was found in.
        """
        since, size, found = self._firsts.get(marks, (0, 0, 0))
        if since <= index <= found < size == len(self.text):
            return marks.match(self.text, found)
        if since <= index <= found:
            match = marks.search(
                self.text, max(index, min(found, size - marks.reach))
            )  # more text may have made a match before it
        else:
            since, match = index, marks.search(self.text, index)
        self._firsts[marks] = (since, len(self.text), match.start() if match else len(self.text))
        return match

    def _unsure_from(self, marks: Marks, start: int, border: int) -> int:
        """`marks.unsure_from` on the text so far; no stretch is looked at twice."""
        size = len(self.text)
        at, since, known, found = self._undecided.get(marks, (-1, 0, 0, 0))
        if at == size and since <= start <= found:
            if border < found or found <= known:
                return found
            start = found
        found = marks.unsure_from(self.text, start, border)
        self._undecided[marks] = (size, start, border, found)
        return found

    def match(self, marks: Marks, index: int) -> Reading[regex.Match[str] | None]:
        """The match that starts at `index`."""
        while True:
            match = marks.pattern.match(self.text, index)
            if self.closed:
                return match
            if marks.unsure.match(self.text, index, partial=True) is None and (match is None or match.end() < len(self.text)):
                return match
            yield

    def end(self, index: int, passed: Passed) -> Reading[int]:
        """The length of the text once it is closed; `passed(start, end)` is told of the text behind `index`."""
        while True:
            size = len(self.text)
            if size > index:
                passed(index, size)
            if self.closed:
                return size
            index = max(index, size)
            yield

    def line_end(self, index: int) -> Reading[int]:
        """The index of the next line break (the length of the text when there is none)."""
        while True:
            found = self.text.find("\n", index)
            if found >= 0:
                return found
            if self.closed:
                return len(self.text)
            index = max(index, len(self.text))
            yield

    def call(self, start: int) -> Reading[int]:
        """The end of the Python-like call at `start`, as soon as its reading is stable; `start` when it cannot be read."""
        if self._spent > _IN_VAIN:
            return start
        tried = 0
        while True:
            length = len(self.text) - start
            if self.closed or (_is_worth_it(length, tried) and ")" in self.text[-64:]):
                tried = length
                try:
                    found = read_call(self.text, start).read
                except Unreadable as problem:
                    if self.closed or problem.stable:
                        self._in_vain(problem.position - start)
                        return start
                else:
                    if not found.cut and (self.closed or found.stable):
                        return found.end
                    if self.closed:
                        self._in_vain(found.end - start)
                        return start
            yield

    def value(self, start: int) -> Reading[Read | None]:
        """The JSON-like value at `start`: valid JSON as soon as it is whole, anything else as soon as its reading is stable.

        None when none stands there, when it is nested too deep or has too many parts, and when too much was read in vain.
        """
        if self._spent > _IN_VAIN:
            return None
        if self.closed and (found := strict(self.text[start : start + _SHORT], 0)) is not None:
            return Read(found.value, start + found.end)
        growing, valid = GrowingJson(start), True
        searched, bracket, tried = start, False, 0
        # what is no valid JSON is read where a bracket may have ended it, and again when more of what follows has come
        while True:
            size = len(self.text)
            growth = growing.advance(self.text, size)
            if valid and growth == "ended":
                # a slice, as the error of the standard parser counts all lines before it
                found = strict(self.text[start : growing.at], 0)
                if found is not None:
                    return Read(found.value, start + found.end)
            if growing.deep:
                self._in_vain(growing.at - start)
                return None
            valid = valid and growth == "open"
            if not valid and not self.closed:
                since = max(start, searched - _BEHIND_BRACKET)
                bracket = bracket or _BRACKET_END.search(self.text, since) is not None
                searched = size
            if self.closed or (bracket and _is_worth_it(size - start, tried)):
                bracket, tried = False, size - start
                try:
                    found = loose(self.text, start)
                except Unreadable as problem:
                    if self.closed or problem.stable:
                        self._in_vain(problem.position - start)
                        return None
                else:
                    if found.cut and self.closed:
                        self._in_vain(found.end - start)
                    if self.closed or (found.stable and not found.cut):
                        return found
            yield

    def _in_vain(self, characters: int) -> None:
        """Remember what was read without a value at its end."""
        self._spent += characters + 8


def _is_worth_it(length: int, tried: int) -> bool:
    """Is a value that could not be read when `tried` characters of it were there worth another look?

    What is long and broken is seldom right with a little more, and every look reads all of it.
    """
    return length > tried * (1.25 if tried < _LONG else 2)


_IN_VAIN = 200_000
"""So many characters of a reply are read in vain; after that no value is looked for."""
_LONG = 16_000
_SHORT = 4_096
"""Most values are not longer: of those that are whole the standard parser alone finds the end."""
_BEHIND_BRACKET = 64
"""So much behind a bracket may decide whether it ends a value."""
_EDGE = 128
"""So near the end an edge begins: blanks that a mark may start with are fewer (`places.INDENT`)."""
_EDGE_MARK = 8
"""The characters of an edge before those blanks are fewer."""
_BLANK = re.compile(r"[\s\ufeff\u200b]*")
_BRACKET_END = re.compile(r"[}\])｝］]")
