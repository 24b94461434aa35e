"""Parser time against text length, 1 kB to 1 MB, whole and in small pieces, for ordinary and for hostile texts.

In proportion means: seconds per character at 1 MB are about those at 1 kB to 16 kB.  The limit leaves room for caches and
for the costs of a start.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from react_agent import Parser, parse

from .row import Row

TOOLS = [{"name": "note", "description": "", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}]
SIZES = (1_000, 16_000, 1_000_000)
PIECE = 20  # characters: about what a server streams at once
LIMIT = 3.0

Make = Callable[[int], str]

TEXTS: dict[str, Make] = {
    "prose": lambda size: "天气很好，我们去公园。It is fine. " * (size // 25),
    "a long argument": lambda size: (
        '<tool_call>{"name": "note", "arguments": {"text": "' + "x " * (size // 2) + '"}}</tool_call>'
    ),
    "blanks after a label": lambda size: "Action:" + " " * size,
    "many openers": lambda size: "<tool_call>" * (size // 11),
    "many braces": lambda size: "{" * size,
    "many labels": lambda size: "Action: x\n" * (size // 10),
    "many fences": lambda size: "```json\n{}\n```\n" * (size // 15),
}


def measure() -> list[Row]:
    return [row(name, make, way) for name, make in TEXTS.items() for way in (whole, streamed)]


def row(name: str, make: Make, way: Callable[[str], None]) -> Row:
    small, middle, large = (per_character(make(size), way) for size in SIZES)
    return Row(f"parse 1 MB / 16 kB, per character: {name}, {way.__name__}", large / max(middle, small / 10), LIMIT)


def per_character(text: str, way: Callable[[str], None]) -> float:
    """Seconds per character, the best of as many runs as fit into a short while."""
    best = float("inf")
    end = time.perf_counter() + 0.2
    while best == float("inf") or time.perf_counter() < end:
        start = time.process_time()
        way(text)
        best = min(best, time.process_time() - start)
    return best / len(text)


def whole(text: str) -> None:
    parse(text, TOOLS)


def streamed(text: str) -> None:
    parser = Parser(TOOLS)
    for start in range(0, len(text), PIECE):
        parser.feed(text[start : start + PIECE])
    parser.close()
