"""Every check of this project, in the order in which they are cheap: lint, format, types, tests, a short run of the fuzzer.

All of them run, also after a failure, so that one look shows everything.  Exit code 0 when all pass.  Arguments go on to
pytest: `python scripts/check.py tests/cli`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "tests": ["pytest"],
    "fuzzing": ["tests.fuzz", "--blind", "--runs", "600", "--seed", "1", "--minutes", "2"],
}


def main(arguments: list[str]) -> int:
    failed = [name for name, command in CHECKS.items() if not passes(name, command, arguments if name == "tests" else [])]
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def passes(name: str, command: list[str], arguments: list[str]) -> bool:
    print(f"== {name}: {' '.join([*command, *arguments])}", flush=True)
    start = time.monotonic()
    code = subprocess.run([sys.executable, "-m", *command, *arguments], cwd=ROOT, check=False).returncode
    print(f"== {name}: {'passed' if code == 0 else 'FAILED'} in {time.monotonic() - start:.1f} s\n", flush=True)
    return code == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
