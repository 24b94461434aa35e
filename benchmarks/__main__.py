"""Runs every benchmark; exit code 1 when a limit is passed."""

from __future__ import annotations

import sys

from . import importing, parsing, stepping


def main() -> int:
    rows = [row for benchmark in (importing, parsing, stepping) for row in benchmark.measure()]
    print(*rows, sep="\n")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
