"""What a clean call costs: beside the standard parser and validator, streamed beside whole, and in memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema

from react_agent import Parser, parse

from .row import Row

ARGUMENTS = {"base": 10, "height": 5, "unit": "cm"}
TOOL: dict[str, Any] = {
    "name": "triangle_area",
    "description": "The area of a triangle.",
    "parameters": {
        "type": "object",
        "properties": {"base": {"type": "integer"}, "height": {"type": "integer"}, "unit": {"type": "string"}},
        "required": ["base", "height"],
    },
}
CALL = json.dumps({"name": "triangle_area", "arguments": ARGUMENTS})
DIALECTS = {
    "bare": CALL,
    "hermes": f"<tool_call>\n{CALL}\n</tool_call>",
    "fenced": f"```json\n{CALL}\n```",
    "action": f"Action: {json.dumps({'action': 'triangle_area', 'action_input': ARGUMENTS})}",
}
NOTE: dict[str, Any] = {"name": "note", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}
LONG = '<tool_call>{"name": "note", "arguments": {"text": "' + "several words " * 7_000 + '"}}</tool_call>'
PIECE = 4


def measure() -> Iterator[Row]:
    written = json.dumps(ARGUMENTS)
    validator = jsonschema.Draft202012Validator(TOOL["parameters"])
    plain = cheapest(lambda: validator.validate(json.loads(written)))
    for name, text in DIALECTS.items():
        took = cheapest(lambda text=text: parse(text, [TOOL]))  # type: ignore[misc]
        yield Row(f"parse / json.loads + a validator made before: {name}", took / plain, 3.0)
    pieces = cheapest(streamed)
    yield Row("100 kB call, pieces of 4 characters / parse", pieces / cheapest(lambda: parse(LONG, [NOTE])), 5.0)
    yield Row("100 kB call, pieces of 4 characters / one piece", pieces / cheapest(lambda: streamed(len(LONG))), 5.0)
    yield Row("peak memory / text: 100 kB call, streamed", peak(streamed) / len(LONG), 8.0)
    yield Row("peak memory / text: 100 kB call, whole", peak(lambda: parse(LONG, [NOTE])) / len(LONG), 8.0)


def streamed(piece: int = PIECE) -> None:
    parser = Parser([NOTE])
    for start in range(0, len(LONG), piece):
        parser.feed(LONG[start : start + piece])
    parser.close()


def cheapest(run: Callable[[], object]) -> float:
    """CPU seconds of one run, the least of as many as fit into a short while."""
    run()
    best, end = float("inf"), time.perf_counter() + 0.5
    while time.perf_counter() < end:
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def peak(run: Callable[[], object]) -> float:
    """Bytes at the highest point of a run."""
    run()
    tracemalloc.start()
    run()
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return highest
