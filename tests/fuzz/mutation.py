"""New texts out of known ones, along their structure: a text is cut where its marks are, and its parts are moved about.

Random bytes seldom get past the first mark; parts of real replies in a wrong order get everywhere.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from react_agent.parsing.dialects import OPENERS
from react_agent.parsing.labels import STRONG, WEAK

from .trial import MAX_CHARS, SETS, Trial

_BORDER = re.compile(r"(?<=[>\]\n\"'：:,{}()])|(?=[<\[\n\"'{}(,`])")
_VALUE = re.compile(r'"[^"\n]*"|-?\d+(?:\.\d+)?|true|false|null')
_PUNCTUATION = "{}[]()<>\"'“”‘’「」`\\,，:：;|｜#*/-=~｛｝［］ \n\t\u3000\u200b\ufeff\x00\x1c\u2028"
_VALUES = (
    '""', '"x"', "'x'", "“x”", "0", "-1", "1.5", "1e5", "true", "True", "null", "None", "[]", "{}", "[1, 2]", '{"a": 1}',
    '"a \\" b"', '"a "b" c"', '"C:\\temp"', '"\\u4e2d"', '"\\ud83d"', "<city>", "...", '"line\nline"', "'''x'''", "f(x=1)",
    "NaN", "1_000", "007", "2024-01-01", '{"type": "string"}', "// note", "/* note */",
)  # fmt: skip
_MARKS = (
    *sorted({literal for opener in OPENERS.values() for literal in (opener.literal, *opener.closers)}),
    *(f"\n{word.replace('_', ' ')}: " for table in (STRONG, WEAK) for words in table.values() for word in words.split()),
    "```json\n", "\n```\n", "```", "~~~", "\n> ", "\n| ", ">>>", "\n\n", "<arg_key>", "</arg_key>", "<arg_value>",
    "</arg_value>", "<parameter=x>", "</parameter>", '<invoke name="', "</invoke>", "functions.", ":0", "</", "/>",
)  # fmt: skip

Change = Callable[[random.Random, str, Sequence[Trial]], str]


def mutated(trial: Trial, known: Sequence[Trial], chance: random.Random) -> Trial:
    """`trial` after one to four changes; `known` are those that parts are taken from."""
    text = trial.text
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(_CHANGES)(chance, text, known)
    tools = chance.choice(SETS) if chance.random() < 0.05 else trial.tools
    return replace(trial, text=text[:MAX_CHARS], tools=tools, seed=chance.randrange(65_536))


def _borders(chance: random.Random, text: str, count: int) -> list[int]:
    """Places in the text, most of them beside a mark."""
    found = [0, *(match.start() for match in _BORDER.finditer(text)), len(text)]
    return sorted(chance.choice(found) if chance.random() < 0.8 else chance.randint(0, len(text)) for _ in range(count))


def _delete(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    a, b = _borders(chance, text, 2)
    return text[:a] + text[b:]


def _cut(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    return text[: _borders(chance, text, 1)[0]]


def _repeat(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    a, b = _borders(chance, text, 2)
    return text[:b] + text[a:b] * chance.choice((1, 1, 2, 40)) + text[b:]


def _swap(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    a, b, c = _borders(chance, text, 3)
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def _insert(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    (at,) = _borders(chance, text, 1)
    return text[:at] + chance.choice(_MARKS) + text[at:]


def _insert_character(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    (at,) = _borders(chance, text, 1)
    return text[:at] + chance.choice(_PUNCTUATION) * chance.choice((1, 1, 1, 2, 3, 200)) + text[at:]


def _other_value(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    found = list(_VALUE.finditer(text))
    if not found:
        return text + chance.choice(_VALUES)
    match = chance.choice(found)
    return text[: match.start()] + chance.choice(_VALUES) + text[match.end() :]


def _splice(chance: random.Random, text: str, known: Sequence[Trial]) -> str:
    other = chance.choice(known).text
    a, b = _borders(chance, other, 2)
    c, d = _borders(chance, text, 2)
    return text[:c] + other[a:b] + text[d:]


def _append(chance: random.Random, text: str, known: Sequence[Trial]) -> str:
    return text + chance.choice(("", " ", "\n", "\n\n")) + chance.choice(known).text


def _wrap(chance: random.Random, text: str, _: Sequence[Trial]) -> str:
    opener = chance.choice(list(OPENERS.values()))
    a, b = _borders(chance, text, 2)
    return text[:a] + opener.literal + text[a:b] + chance.choice((*opener.closers, "")) + text[b:]


_CHANGES: tuple[Change, ...] = (
    _delete, _cut, _repeat, _swap, _insert, _insert_character, _other_value, _splice, _append, _wrap,
)  # fmt: skip
