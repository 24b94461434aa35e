"""Objects and arrays, and what goes wrong between their members: commas, colons, closers and braces.

A closer that fits nothing open is a slip for the one that is wanted; a closer of an outer container says that the inner ones
were not closed.  Members and items are taken in order; a key that comes again replaces, as in JSON, and is named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .characters import (
    BARE_KEY,
    BARE_KEY_NAME,
    CALL_NEXT,
    CLOSERS,
    CLOSING,
    COLON,
    COMMA,
    ESCAPED_QUOTE,
    NUMBER,
    QUOTED_KEY,
    SEPARATORS,
    SET_START,
    UNCLOSED_KEY,
)
from .cursor import MAX_DEPTH, Cursor, Unreadable
from .quoting import closed_by, item_starts, plain
from .scalars import number, word
from .strings import escaped, string


def value(c: Cursor, inside: str) -> Any:
    """The value at the position; `inside` is what it stands in: "" (alone), "{", "[" or "(".

    Raises:
        Unreadable: none stands there, or it is nested too deep.
    """
    char = c.blanks()
    kind = plain(char)
    if kind == "{":
        return _object(c, char)
    if kind == "[" or (kind == "(" and inside):
        return _array(c, char)
    if char in CLOSING:
        return string(c, inside)
    if char == "\\" and c.match(ESCAPED_QUOTE, c.pos) is not None:
        return escaped(c)
    if char and (char in "-+." or char.isdigit()) and (found := number(c, inside)) is not None:
        return found
    return word(c, inside)


def _object(c: Cursor, opener: str) -> Any:
    _enter(c, opener, "}")
    if c.peek() == "{" and _is_doubled(c):
        c.fix("doubled_braces")
        found = _object(c, "{")
        if plain(c.blanks()) == "}":
            c.pos += 1
    elif c.match(SET_START, c.pos) is not None:
        c.fix("python_literal")
        found = _items(c, "}")
    else:
        found = members(c, "}")
    c.stack.pop()
    return found


def _array(c: Cursor, opener: str) -> Any:
    closer = ")" if plain(opener) == "(" else "]"
    _enter(c, opener, closer)
    if closer == ")":
        c.fix("python_literal")
    if c.blanks() in CLOSING and c.match(QUOTED_KEY, c.pos) is not None:
        c.fix("wrong_bracket")
        found: Any = members(c, closer)
    else:
        found = _items(c, closer)
    c.stack.pop()
    return found


def _enter(c: Cursor, opener: str, closer: str) -> None:
    """Go behind the opener of a container that ends with `closer`."""
    if len(c.stack) >= MAX_DEPTH:
        raise Unreadable("nested too deep")
    if opener != plain(opener):
        c.fix("fullwidth_punctuation")
    c.pos += 1
    c.stack.append(closer)


def _is_doubled(c: Cursor) -> bool:
    """`{{"a": 1}}` or `{{}}`, as templates write braces; `{{name}}` is a placeholder."""
    char = c.at(c.skip(c.pos + 1))
    return char in ('"', "'", "“", "}", "{")


def members(c: Cursor, closer: str) -> dict[str, Any]:
    """The members up to the closer, which is passed."""
    found: dict[str, Any] = {}

    def member() -> None:
        key = _key(c)
        _colon(c)
        if not c.blanks():
            c.cut = True
            return
        if c.peek() in "},｝，":
            raise Unreadable("a key without a value")
        item = value(c, "{")
        if key in found and found[key] != item:
            c.fix("repeated_key")
        found[key] = item

    each(c, closer, member)
    return found


def members_without_brace(c: Cursor) -> dict[str, Any]:
    """The members at the position, which stand there without the opening brace."""
    bare = c.match(BARE_KEY, c.pos)
    if c.match(QUOTED_KEY, c.pos) is None and (bare is None or c.names is None or bare.group(1) not in c.names):
        raise Unreadable("no key")
    c.fix("missing_opener")
    c.stack.append("}")
    return members(c, "}")


def _items(c: Cursor, closer: str) -> list[Any]:
    """The items up to the closer, which is passed; or up to the next key of the object around them."""
    found: list[Any] = []
    each(c, closer, lambda: found.append(value(c, "[")))
    return found


def each(c: Cursor, closer: str, take: Callable[[], None]) -> None:
    """Take what stands between the separators up to the closer, which is passed.

    Where the text ends right behind an opener nothing is known of the value; behind an item that item is known.
    """
    separated = empty = True
    while (char := c.blanks()) and not (closer == "]" and _key_of_outer(c)):
        if char in CLOSERS:
            if _is_passed(c, closer):
                return
            break
        if char in SEPARATORS:
            c.step()
            _separator(c, char, separated)
            separated = True
            continue
        if not separated:
            c.fix("missing_comma")
        c.step()
        take()
        separated = empty = False
    c.fix("closed")
    c.cut = c.cut or (empty and c.pos >= c.size and not c.bounded)


def _is_passed(c: Cursor, closer: str) -> bool:
    """Go behind the closer at the position when it is the one wanted or a slip for it."""
    if plain(c.peek()) != closer:
        if not _is_slip(c):
            return False
        c.fix("wrong_closer")
    c.pos += 1
    return True


def _is_slip(c: Cursor) -> bool:
    """Is the closer at the position a slip for the one wanted?  Otherwise it closes an outer container, and this one with it.

    `{"a": [1, 2}, "b": 3}` and `[{"a": [1}}]` are slips, `{"a": [1, 2}` and `[{"a": 1]` are not.
    """
    if plain(c.peek()) not in c.stack:
        return True
    outer = closed_by(c, c.pos, c.stack)
    slip = closed_by(c, c.skip(c.pos + 1), c.stack[:-1])
    return _fits(c, *slip) and not _fits(c, *outer)


def _fits(c: Cursor, index: int, left: list[str]) -> bool:
    """Does the text go on at `index` as it should when `left` is still open there?"""
    char = c.at(index)
    if not left and char in COMMA:
        return c.match(CALL_NEXT, c.skip(index + 1)) is not None
    if not left or char in CLOSERS:
        return not left and char not in CLOSERS
    key = char in COMMA and c.match(QUOTED_KEY, c.skip(index + 1)) is not None
    return char in COMMA and key == (left[-1] == "}")


def _key_of_outer(c: Cursor) -> bool:
    """`{"a": [1, 2, "b": 3}`: the array was not closed."""
    return c.peek() in CLOSING and c.stack[-2:] == ["}", "]"] and c.match(QUOTED_KEY, c.pos) is not None


def _separator(c: Cursor, char: str, separated: bool) -> None:
    if char != ",":
        c.fix("fullwidth_punctuation")
    if separated:
        c.fix("extra_comma")
    c.pos += 1
    if (char := c.blanks()) and char in CLOSERS:
        c.fix("trailing_comma")


def _key(c: Cursor) -> str:
    quote = c.peek()
    if quote in CLOSING:
        return _quoted_key(c, quote)
    c.key_quotes.add("")
    match = c.match(BARE_KEY_NAME, c.pos) or c.match(NUMBER, c.pos)
    if match is None:
        raise Unreadable("no key")
    c.pos = match.end()
    c.cut = c.cut or c.pos >= c.size
    if c.peek() in ('"', "'"):
        c.fix("missing_quote")
        c.pos += 1
    else:
        c.fix("bare_key")
    return match.group()


def _quoted_key(c: Cursor, quote: str) -> str:
    c.key_quotes.add(quote)
    if c.match(QUOTED_KEY, c.pos) is None and (match := c.match(UNCLOSED_KEY, c.pos)) is not None:
        c.fix("missing_quote")
        c.pos = match.end(1)
        return match.group(1)
    return string(c, "key")


def _colon(c: Cursor) -> None:
    char = c.blanks()
    if not char:
        c.cut = True
    elif char in COLON:
        if char != ":":
            c.fix("fullwidth_punctuation")
        c.pos += 1
    elif char == "=":
        c.fix("missing_colon")
        c.pos += 2 if c.text.startswith("=>", c.pos) else 1
    elif item_starts(c, c.pos) and char not in "(.+":
        c.fix("missing_colon")
    else:
        raise Unreadable("no colon")
