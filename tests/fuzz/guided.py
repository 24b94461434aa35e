"""Coverage-guided fuzzing, in a process of its own: the engine ends its process, and instruments our package on import.

Arguments: the folder for findings, the number of seconds, the number of runs (0: no limit), the seed.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["react_agent"]):
    from .findings import Findings
    from .mutation import mutated
    from .trial import MAX_CHARS, Trial, seeds


def main(folder: str, seconds: str, runs: str, seed: str) -> None:
    findings, known = Findings(Path(folder)), seeds()

    def try_one(data: bytes) -> None:
        findings.check(Trial.from_bytes(data))

    def change(data: bytes, size: int, number: int) -> bytes:
        chance = random.Random(number)
        if chance.random() < 0.15:
            return bytes(atheris.Mutate(data, size))
        return mutated(Trial.from_bytes(data), known, chance).to_bytes()[:size]

    with tempfile.TemporaryDirectory() as corpus:
        for number, trial in enumerate(known):
            (Path(corpus) / f"{number:05}").write_bytes(trial.to_bytes())
        # the engine's own limit is in time that passes, which on a busy machine says nothing: `trial` has one in CPU time
        options = {"max_total_time": seconds, "runs": runs if int(runs) else "-1", "seed": seed, "max_len": str(3 * MAX_CHARS)}
        flags = [f"-{name}={value}" for name, value in options.items()]
        atheris.Setup(
            [sys.argv[0], corpus, *flags, "-timeout=600", "-verbosity=0", "-print_final_stats=1"],
            try_one,
            custom_mutator=change,
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
