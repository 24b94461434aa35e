"""The command: `python -m benchmarks [NAME [ARGUMENT …]]`; exit code 1 when a limit is passed.

Without a name it runs `importing`, `calls`, `parsing`, `core`, `stepping` and `remembering`, which take a minute.  The others
run when they are named: `ablation` (what each part of the engine is worth; `--help` tells how to run it on a real model),
`adversarial` (half an hour; its arguments choose families), `beside` (other frameworks, where they are installed), `crowd` (the
memory of a thousand runs), `peers` (its argument is a folder with recorded replies), `proxying` (its arguments are numbers of
clients, and the program of LiteLLM), `soaking` (its arguments are how many streams, and seconds), `together` (its argument is
how many runs), `transports` (its argument is how many rounds) and `weak` (its first argument is the address of a real model).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from . import (
    ablation,
    adversarial,
    beside,
    calls,
    core,
    crowd,
    importing,
    parsing,
    peers,
    prefix,
    proxying,
    remembering,
    soaking,
    stepping,
    together,
    transports,
    weak,
)
from .row import Row

QUICK = (importing, calls, parsing, core, stepping, remembering)
LONG: dict[str, Callable[[Sequence[str]], Iterable[Row]]] = {
    "ablation": ablation.measure,
    "adversarial": adversarial.measure,
    "beside": beside.measure,
    "crowd": crowd.measure,
    "peers": peers.measure,
    "prefix": prefix.measure,
    "proxying": proxying.measure,
    "soaking": soaking.measure,
    "together": together.measure,
    "transports": transports.measure,
    "weak": weak.measure,
}


def main(arguments: Sequence[str]) -> int:
    holds = True
    for row in _rows(arguments):
        print(row, flush=True)
        holds = holds and row.holds
    return 0 if holds else 1


def _rows(arguments: Sequence[str]) -> Iterable[Row]:
    name = arguments[0] if arguments else ""
    if name in LONG:
        return LONG[name](arguments[1:])
    chosen = [benchmark for benchmark in QUICK if not name or benchmark.__name__.endswith(f".{name}")]
    if not chosen:
        sys.exit(f"no such benchmark: {name}")
    return (row for benchmark in chosen for row in benchmark.measure())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
