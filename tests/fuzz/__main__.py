"""The command: `python -m tests.fuzz [--minutes M] [--runs N] [--seed S] [--blind] [--findings FOLDER] [--replay FILE]`.

Exit code 1 when a property broke.  Guided by coverage where the extra `fuzz` is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    given = _arguments().parse_args(arguments)
    if given.replay:
        from .findings import replay

        return 0 if replay(given.replay) else 1
    before = _files(given.findings)
    if given.blind or importlib.util.find_spec("atheris") is None:
        from .blind import run
        from .findings import Findings

        run(Findings(given.findings), given.seed, given.minutes * 60, given.runs)
    else:
        limits = [str(given.findings), str(int(given.minutes * 60)), str(given.runs), str(given.seed)]
        subprocess.run([sys.executable, "-m", "tests.fuzz.guided", *limits], check=True)
    broken = _files(given.findings) - before
    print(f"{len(broken)} kinds of fault")
    return 1 if broken else 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the parser and repair.")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long, at most (default: 1)")
    parser.add_argument("--runs", type=int, default=0, help="how many trials, at most (default: no limit)")
    parser.add_argument("--seed", type=int, default=1, help="equal seeds try the same, where the code is the same (default: 1)")
    parser.add_argument("--blind", action="store_true", help="without coverage, also where the engine is installed")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="folder for what broke")
    parser.add_argument("--replay", type=Path, help="try the trial of this file again, and nothing else")
    return parser


def _files(folder: Path) -> set[tuple[Path, int]]:
    """The findings so far, with their time, as one of a known kind is written over."""
    return {(path, path.stat().st_mtime_ns) for path in folder.glob("*.json")}


if __name__ == "__main__":
    sys.exit(main())
