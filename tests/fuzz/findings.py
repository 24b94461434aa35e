"""What broke, written so that one command replays it; one file for each kind of fault.

Two findings are of one kind when the same property failed at the same place with the same type of exception.
"""

from __future__ import annotations

import hashlib
import json
import traceback
from dataclasses import asdict
from pathlib import Path

from .trial import Trial, broken


class Findings:
    """Keeps the shortest trial of each kind of fault in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kinds: dict[str, int] = {}

    def check(self, trial: Trial) -> None:
        """Try `trial`, and keep what broke."""
        for name, error in broken(trial):
            kind = _kind(name, error)
            if len(trial.text) < self.kinds.get(kind, len(trial.text) + 1):
                self._keep(kind, name, error, trial)

    def _keep(self, kind: str, name: str, error: BaseException, trial: Trial) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}-{kind}.json"
        said = f"{type(error).__name__}: {error}"
        path.write_text(json.dumps({**asdict(trial), "property": name, "error": said[:4_000]}, indent=1), encoding="utf-8")
        if kind not in self.kinds:
            print(f"BROKEN {name}: {said:.300}\n  replay: python -m tests.fuzz --replay {path}", flush=True)
        self.kinds[kind] = len(trial.text)


def _kind(name: str, error: BaseException) -> str:
    """A short name for the place of a fault: the last lines of our own code on the way to it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "react_agent" in frame.filename]
    places = [f"{Path(frame.filename).name}:{frame.name}" for frame in frames[-3:]]
    return hashlib.sha256(repr((name, type(error).__name__, places)).encode()).hexdigest()[:8]


def replay(path: Path) -> bool:
    """Try the trial of a finding again and print what breaks; True when nothing does."""
    data = json.loads(path.read_text(encoding="utf-8"))
    trial = Trial(data["text"], data["tools"], data["seed"])
    faults = list(broken(trial))
    for name, error in faults:
        print(f"BROKEN {name}")
        traceback.print_exception(error)
    print(f"{trial}\n{'broken' if faults else 'all properties hold'}")
    return not faults
