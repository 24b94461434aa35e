"""Fuzzing without coverage: the vectors, changed by chance.  For short runs, and where the guided engine is not installed."""

from __future__ import annotations

import random
import time

from .findings import Findings
from .mutation import mutated
from .trial import seeds


def run(findings: Findings, seed: int, seconds: float, runs: int) -> None:
    """Try changed vectors until the time is over or `runs` were tried (0: no limit); equal seeds give equal trials."""
    chance, known = random.Random(seed), seeds()
    end, tried = time.monotonic() + seconds, 0
    while time.monotonic() < end and not 0 < runs <= tried:
        findings.check(mutated(chance.choice(known), known, chance))
        tried += 1
    print(f"{tried} trials, not guided by coverage, seed {seed}", flush=True)
