"""The words of a text, for a search index that splits at blanks.

In: any text.  Out: words in lower case.  Chinese, Japanese and Korean have no blanks between words: each two neighbours make a
word, so that a word of two characters is found wherever it stands; the last character of a run is one too, so that a single one
is found as a beginning.

    "今天北京 is Hot"  →  今天 天北 北京 京 is hot
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MAX_TEXT = 8000
"""Characters of a text that are looked at."""
MAX_TERMS = 32
"""Words of a query that are looked for."""

_CJK = "㐀-䶿一-鿿豈-﫿぀-ヿ가-힯"
_RUNS = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_FIRST_CJK = re.compile(rf"[{_CJK}]")
_COMMON = frozenset((
    "the", "a", "an", "of", "to", "in", "on", "at", "is", "are", "was", "were", "be", "and", "or", "for", "with", "from", "by",
    "it", "this", "that", "what", "which", "who", "how", "when", "where", "why", "do", "does", "did", "can",
    "could", "will", "would", "i", "you", "he", "she", "we", "they", "me", "my", "your", "please",
))  # fmt: skip


def words(text: str) -> Iterator[str]:
    """The words to put into an index."""
    for run in _runs(text):
        if not _FIRST_CJK.match(run):
            yield run
            continue
        yield from (run[at : at + 2] for at in range(len(run) - 1))
        yield run[-1]


def terms(text: str) -> list[str]:
    """The words to look for, each once; a single character of Chinese stands for every word that begins with it."""
    found: dict[str, None] = {}
    for run in _runs(text):
        pairs = [run[at : at + 2] for at in range(len(run) - 1)] if _FIRST_CJK.match(run) else []
        found.update(dict.fromkeys(pairs or [run]))
    telling = [term for term in found if term not in _COMMON]
    return (telling or list(found))[:MAX_TERMS]


def query(wanted: list[str]) -> str:
    """The terms as an FTS5 query for any of them."""
    return " OR ".join(f'"{term}"*' if len(term) == 1 and _FIRST_CJK.match(term) else f'"{term}"' for term in wanted)


def overlap(wanted: list[str], text: str) -> float:
    """The share of the terms that stand in `text`."""
    held = set(words(text))
    return sum(term in held or (len(term) == 1 and term in text) for term in wanted) / len(wanted) if wanted else 0.0


def _runs(text: str) -> list[str]:
    return _RUNS.findall(unicodedata.normalize("NFKC", text[:MAX_TEXT]).lower())
