"""Parser time on the texts of `floods`: `python -m benchmarks adversarial [--kept FILE] [--way WAY] [part of a name …]`.

Each family is read at growing sizes up to 1 MB, whole and in pieces of 16 characters, and whole with fifty tools of long names.
The limits: two seconds of CPU at 1 MB, and time that grows with the text to the power of at most 1.1 between 64 kB and 1 MB.
A family that is over the time limit at a smaller size is not read at the next.  `--kept FILE` writes what was measured, a line
of JSON for each family and way, and takes what stands there already: an interrupted run goes on, a finished one is shown again.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from react_agent import Parser, parse
from react_agent.parsing.names import ToolNames, as_specs

from .floods import FAMILIES, Make
from .row import Row

PIECE = 16
SIZES = (64_000, 250_000, 1_000_000)
SECONDS = 2.0
EXPONENT = 1.1
_ENOUGH = 0.05
_TRIES = 3
_FLOOR = 0.02
_AGAIN = 3

_TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ONE = ToolNames(as_specs([{"name": "note", "description": "", "parameters": _TEXT}]))
MANY = ToolNames(
    as_specs(
        [{"name": f"workspace_service_v{n}.resource_collection.operation_number_{n}", "parameters": _TEXT} for n in range(49)]
        + [{"name": "note", "parameters": _TEXT}]
    )
)


def whole(text: str, tools: ToolNames) -> Any:
    return parse(text, tools)


def streamed(text: str, tools: ToolNames) -> Any:
    parser = Parser(tools)
    for start in range(0, len(text), PIECE):
        parser.feed(text[start : start + PIECE])
    parser.close()
    return parser.result


WAYS: dict[str, tuple[Callable[[str, ToolNames], Any], ToolNames]] = {
    "whole": (whole, ONE),
    "in pieces": (streamed, ONE),
    "50 tools": (whole, MANY),
}


def measure(arguments: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of the families with one of the parts in their names, of all when there are none; progress goes to stderr."""
    options = _options(arguments)
    kept = _kept(options.kept)
    chosen = [name for name in FAMILIES if not options.parts or any(part in name for part in options.parts)]
    for number, name in enumerate(chosen, 1):
        print(f"{number} of {len(chosen)}", file=sys.stderr, flush=True)
        for way in options.way or WAYS:
            times = kept.get((name, way)) or _times(FAMILIES[name], *WAYS[way])
            if options.kept is not None and (name, way) not in kept:
                with options.kept.open("a", encoding="utf-8") as file:
                    print(json.dumps({"family": name, "way": way, "seconds": times}, ensure_ascii=False), file=file)
            yield from _rows(f"{name!r:.40} {way}", times)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m benchmarks adversarial", description=f"Sizes: {SIZES}.")
    reader.add_argument("parts", nargs="*", help="parts of names of families; all families when there are none")
    reader.add_argument("--kept", type=Path, help="file with what was measured so far; goes on from there")
    reader.add_argument("--way", action="append", choices=WAYS, help="how to read; all ways when not given")
    return reader.parse_args(arguments)


def _kept(path: Path | None) -> dict[tuple[str, str], list[float]]:
    lines = path.read_text("utf-8").splitlines() if path is not None and path.exists() else []
    return {(line["family"], line["way"]): line["seconds"] for line in map(json.loads, lines)}


def _times(make: Make, read: Callable[[str, ToolNames], Any], tools: ToolNames) -> list[float]:
    """Seconds at each of the sizes; what seems to grow too fast is read again, and the least counts: other work disturbs."""
    times = _readings(make, read, tools)
    for _ in range(_AGAIN):
        if len(times) < len(SIZES) or exponent(times) <= EXPONENT:
            break
        times = [min(pair) for pair in zip(times, _readings(make, read, tools), strict=False)]
    return times


def _readings(make: Make, read: Callable[[str, ToolNames], Any], tools: ToolNames) -> list[float]:
    """Seconds at each of the sizes, up to the first that takes too long."""
    times: list[float] = []
    for size in SIZES:
        times.append(seconds(make(size), lambda text: read(text, tools)))
        if times[-1] > SECONDS:
            break
    return times


def _rows(title: str, times: Sequence[float]) -> Iterator[Row]:
    size = SIZES[len(times) - 1]
    yield Row(f"{title}, {size // 1000} kB", times[-1], SECONDS, "s")
    yield Row(f"{title}, growth", exponent(times), EXPONENT)


def exponent(times: Sequence[float]) -> float:
    """The power of the size by which the time grows, from the smallest size to the largest that was read.

    Times below a fiftieth of a second count as that: they are noise.
    """
    if len(times) < 2:
        return math.inf
    grown = max(times[-1], _FLOOR) / max(times[0], _FLOOR)
    return math.log(grown) / math.log(SIZES[len(times) - 1] / SIZES[0])


def seconds(text: str, read: Callable[[str], Any]) -> float:
    """CPU seconds, the least of a few runs where one is short or over the limit: noise only adds."""
    best, spent, runs = math.inf, 0.0, 0
    while spent < _ENOUGH or (best > SECONDS and runs < _TRIES):
        start = time.process_time()
        read(text)
        took = time.process_time() - start
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best
