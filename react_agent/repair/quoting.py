"""Does this quote end the string?  The one question of broken JSON without a certain answer, so all evidence is here.

A quote ends a string only where something fitting follows: closers of what is open, or a comma before what may stand next in
that container.  A quotation inside the string, and brackets that the string opened, come first: `"d = {"a": 1, "b": 2}"`.
The look-ahead goes over blanks, comments and at most one key, so the work stays in proportion to the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .characters import (
    ALSO_CLOSING,
    BARE_KEY,
    BLANK,
    CLOSERS,
    CLOSING,
    COLON,
    COMMA,
    KEYWORD,
    LITERAL,
    OPENER_OF,
    PLAIN,
    QUOTED_KEY,
    SEPARATORS,
    TOKEN_QUOTE,
)
from .cursor import Cursor

_BEFORE_A_QUOTATION = " \t\n([{=,:;+<>!&|?"
_ITEM_STARTS = frozenset((*CLOSING, *"{[｛［(-.+"))
_LONGEST_GAP = 60


@dataclass(slots=True)
class Open:
    """A string that is being read, from `start`, written in `quote`.

    `inside` is what it stands in: "{" for a value, "[", "(", "key", or "" when alone.  `dirty` says that it holds a quote which
    did not end it, `quoting` that the last one of these began a quotation.
    """

    quote: str
    inside: str
    start: int
    dirty: bool = False
    quoting: bool = False
    _counted: int = 0
    _net: dict[str, int] = field(default_factory=dict)

    def hold(self, c: Cursor) -> None:
        """The quote before the position belongs to the string."""
        self.dirty = True
        self.quoting = self._after_an_opener(c, c.pos - 2) and not c.at(c.pos).isspace()

    def _after_an_opener(self, c: Cursor, index: int) -> bool:
        if index < self.start or c.text[index] in _BEFORE_A_QUOTATION:
            return True
        return c.text[index] in "rbfuRBFU" and (index == self.start or c.text[index - 1] in _BEFORE_A_QUOTATION)

    def opens(self, c: Cursor, kinds: str) -> bool:
        """Did the string open more brackets of these kinds than it closed?"""
        since, self._counted = max(self._counted, self.start), c.pos - 1
        for opener, closer in (("{", "}"), ("[", "]"), ("(", ")")):
            more = c.text.count(opener, since, self._counted) - c.text.count(closer, since, self._counted)
            self._net[opener] = self._net.get(opener, 0) + more
        return any(self._net[kind] > 0 for kind in kinds)

    def quotes_within(self, c: Cursor, kinds: str) -> bool:
        """Does the quote before the position end a quotation inside brackets of the string itself?"""
        return self.quoting and self.opens(c, kinds)


def ends(c: Cursor, s: Open) -> bool:
    """Does the quote before the position end the string?"""
    if s.quote == TOKEN_QUOTE or not s.inside:
        return True
    index = BLANK.match(c.text, c.pos).end()  # type: ignore[union-attr]  # matches the empty text
    char = c.at(index)
    if char in ("#", "/") and (behind := c.skip(index)) > index:
        index, char = behind, c.at(behind)
    if not char:
        return _at_the_end(c, s)
    if s.inside == "key":
        return _ends_key(char, s)
    if char in CLOSERS:
        return _closes(c, s, index)
    if char in SEPARATORS:
        return _item_follows(c, s, _behind_separators(c, index))
    return _comma_is_missing(c, s, index)


def ended_before(c: Cursor, s: Open) -> int:
    """Where the string ended when its quote is missing and the quote before the position begins the next key; else -1.

    `{"city": "Oslo, "days": 3}`
    """
    index = c.pos - 1
    if s.dirty or s.inside != "{":
        return -1
    since = max(s.start, index - _LONGEST_GAP)
    before = c.text[since:index]
    text = before.rstrip()
    if not (text.endswith(",") or "\n" in before[len(text) :]) or not key_follows(c, s, index):
        return -1
    return since + len(text) - text.endswith(",")


def key_follows(c: Cursor, s: Open, index: int) -> bool:
    """Does a key stand at `index`?  Behind a quotation it must be written as the keys before it, and one the schema knows."""
    quote = c.at(index)
    match = c.match(QUOTED_KEY if quote in CLOSING else BARE_KEY, index)
    if match is None or not s.dirty:
        return match is not None
    if c.names is not None and match.group(match.lastindex or 0) not in c.names:
        return False
    written_alike = (quote if quote in CLOSING else "") in c.key_quotes and match.group()[-1] in COLON
    return written_alike or not s.quoting


def item_starts(c: Cursor, index: int) -> bool:
    """Does something that may be an item stand at `index`?"""
    char = c.at(index)
    return char in _ITEM_STARTS or char.isdigit() or c.match(LITERAL, index) is not None


def closed_by(c: Cursor, index: int, stack: list[str]) -> tuple[int, list[str]]:
    """The index behind the closers at `index`, as far as they close what is in `stack`, and what is then still open."""
    left = list(stack)
    while left and (closer := plain(c.at(index))) in left:
        while left.pop() != closer:
            pass
        index = BLANK.match(c.text, index + 1).end() if left else index + 1  # type: ignore[union-attr]  # matches the empty text
    return index, left


def plain(char: str) -> str:
    """The ASCII character for a full-width bracket."""
    return PLAIN.get(char, char)


def _behind_separators(c: Cursor, index: int) -> int:
    while c.at(index) in SEPARATORS:
        index = c.skip(index + 1)
    return index


def _at_the_end(c: Cursor, s: Open) -> bool:
    c.cut = c.cut or (s.dirty and not c.bounded)
    return True


def _ends_key(char: str, s: Open) -> bool:
    if char in COLON or char == "=":
        return True
    return not s.dirty and (char in "\"'“{[-,，}tfnTFN" or char.isdigit())


def _closes(c: Cursor, s: Open, index: int) -> bool:
    """Is the closer behind the quote real, and no bracket of the string itself?"""
    closer = plain(c.at(index))
    if closer not in c.stack:
        return closer != ")" and not s.dirty and _is_slip(c, s, index, closer)
    if s.quotes_within(c, OPENER_OF[closer]):
        return False
    behind, left = closed_by(c, index, c.stack)
    if not left:
        return not (s.dirty or s.opens(c, "{[(")) or c.at(behind) not in CLOSING
    return _goes_on(c, s, behind, left[-1])


def _is_slip(c: Cursor, s: Open, index: int, closer: str) -> bool:
    """`{"a": "b"]`: a bracket that the string did not open, and behind it nothing that could belong to the string."""
    char = c.at(c.skip(index + 1))
    return not s.opens(c, OPENER_OF[closer]) and (not char or char in CLOSERS or char in COMMA)


def _goes_on(c: Cursor, s: Open, index: int, closer: str) -> bool:
    """Something was closed inside a container that ends with `closer`: what follows at `index` must fit there."""
    char = c.at(index)
    if not char:
        return _at_the_end(c, s)
    if char in COMMA:
        return not s.dirty or _fits(c, s, c.skip(index + 1), closer)
    if closer == "}" and key_follows(c, s, index):
        return True
    return not s.dirty and char not in CLOSING and char not in ".:"


def _fits(c: Cursor, s: Open, index: int, closer: str) -> bool:
    char = c.at(index)
    if not char:
        return _at_the_end(c, s)
    if char in CLOSERS:
        return True
    if closer == "}":
        return key_follows(c, s, index)
    return item_starts(c, index) or (closer == ")" and c.match(KEYWORD, index) is not None)


def _item_follows(c: Cursor, s: Open, index: int) -> bool:
    """Behind the quote and a comma: does the next member, item or argument begin at `index`?"""
    char = c.at(index)
    if not char:
        return _at_the_end(c, s)
    if char in CLOSERS:
        return not s.quotes_within(c, "{[(")
    if s.inside == "{":
        return key_follows(c, s, index) and (c.names is not None or not s.quotes_within(c, "{"))
    if s.inside == "(" and c.match(KEYWORD, index) is not None:
        return not s.quotes_within(c, "(")
    return not s.quoting and item_starts(c, index)


def _comma_is_missing(c: Cursor, s: Open, index: int) -> bool:
    """`{"a": "b" "c": 1}`, `["a" "b"]`, `"a" + "b"`."""
    char = c.at(index)
    if index == c.pos or s.quoting:
        return False
    if char == "+":
        return not s.dirty and c.at(c.skip(index + 1)) in CLOSING
    if s.inside == "{":
        return (char in CLOSING or "\n" in c.text[c.pos : index]) and key_follows(c, s, index)
    return not s.dirty and char in (s.quote, *ALSO_CLOSING.get(s.quote, ""))
