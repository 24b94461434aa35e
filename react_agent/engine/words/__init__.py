"""The words by which judges know what a task, an answer, a failure or the name of a tool says; one file per language.

Data only: every file has the same names, and what a judge makes of them stands with the judge.  Patterns are parts of regular
expressions that ignore case; `<act>` in one stands for the words of an act.
"""

import re


def either(*parts: str) -> re.Pattern[str]:
    """One pattern of parts in several languages."""
    return re.compile("|".join(parts), re.IGNORECASE)


def each(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


def table(*rows: tuple[str, str]) -> dict[str, frozenset[str]]:
    """Every word of the first text of a row → the words of the second."""
    return {word: each(others) for words, others in rows for word in words.split()}
