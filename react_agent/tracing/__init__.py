"""What happened in a run, written down: one JSON line for each thing worth knowing, without secrets, of bounded size.

`Tracer` writes, `read` reads, `stats` adds up; `Log` tells the same in short to `logging`.
"""

from .logs import Log
from .reading import Run, read
from .stats import Stats, stats
from .writing import RunTrace, Tracer

__all__ = ["Log", "Run", "RunTrace", "Stats", "Tracer", "read", "stats"]
