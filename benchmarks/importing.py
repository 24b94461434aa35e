"""How long `import react_agent` takes beside `import openai`, each in fresh processes, by turns.

Process start is subtracted.  The shortest of several runs counts: noise only adds.
"""

from __future__ import annotations

import subprocess
import sys
import time

from .row import Row

ROUNDS = 7


def measure() -> list[Row]:
    programs = {"": [], "react_agent": [], "openai": []}  # type: dict[str, list[float]]
    for _ in range(ROUNDS):
        for module, times in programs.items():
            times.append(seconds(f"import {module}" if module else ""))
    start = min(programs[""])
    ours, theirs = min(programs["react_agent"]) - start, min(programs["openai"]) - start
    print(f"import react_agent {ours * 1000:.0f} ms, import openai {theirs * 1000:.0f} ms")
    return [Row("import react_agent / import openai", ours / theirs, 0.25)]


def seconds(program: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start
