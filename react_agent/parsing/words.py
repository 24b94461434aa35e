"""Many literals as one pattern that branches by character, so that a place where none of them stands is left at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable


def any_of(literals: Iterable[str]) -> str:
    """A pattern for any of the literals, the longest first; one that never matches when there are none."""
    words = sorted(set(literals))
    return _branch(words) if words else r"(?!)"


def _branch(words: list[str]) -> str:
    """The branches by first character; the empty word comes last, so longer ones are tried before it."""
    heads: dict[str, list[str]] = defaultdict(list)
    for word in words:
        heads[word[:1]].append(word[1:])
    ends = "" in heads
    branches = [re.escape(head) + _rest(rest) for head, rest in heads.items() if head]
    if not branches:
        return ""
    if len(branches) == 1 and not ends:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if ends else "")


def _rest(words: list[str]) -> str:
    return re.escape(words[0]) if len(words) == 1 else _branch(words)
