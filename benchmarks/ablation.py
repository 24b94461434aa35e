"""What each part of the engine is worth: a bare loop, + errors as observations, + guards, + memory, on the same tasks.

    python -m benchmarks ablation                                                 a scripted model that misbehaves
    python -m benchmarks ablation --base-url http://127.0.0.1:8080/v1 --tasks tasks.json [--model NAME] [--limit 5]

Out: a table with a row for each way: tasks solved, model requests and tokens in all, tasks solved among those in which a tool
had failed, and among those in which the model goes round in a loop (a real one: made one call three times or more).

A file of tasks is a list of objects: `id`, `prompt`, `tools` (names), and whatever else the two modules beside the file want:
`toolbox.py` with `SCHEMAS` (name → description and JSON Schema of the arguments) and `Toolbox(flaky)`, whose `call(name,
arguments)` runs a tool and whose `log` holds (name, arguments, result), with the result "ERROR" for a call that raised;
`judge.py` with `judge(task, answer, toolbox) -> (solved, why)`.  Tokens of a real model are those that it counts; where a reply
was stopped early they are estimated.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from react_agent import Tool

from .loops import WAYS, Place, Report, Way
from .misbehaving import TASKS, Task, playing
from .row import Row

MANY = 3
"""How often a real model has to make a call for a loop."""


@dataclass
class Tally:
    """The sums of one way."""

    tasks: int = 0
    solved: int = 0
    requests: int = 0
    tokens: int = 0
    failed: int = 0
    recovered: int = 0
    loops: int = 0
    caught: int = 0
    unsolved: list[str] = field(default_factory=list)

    def add(self, run: Run, max_steps: int) -> None:
        self.tasks += 1
        self.solved += run.solved
        self.requests += run.report.requests
        self.tokens += run.report.tokens
        self.failed += run.failed
        self.recovered += run.failed and run.solved
        self.loops += run.looping
        self.caught += run.looping and run.solved and run.report.requests < max_steps
        if not run.solved:
            self.unsolved.append(run.name)


@dataclass(frozen=True)
class Run:
    """One task in one way.  `failed`: a tool raised.  `looping`: the model went round, or would have done so for ever."""

    name: str
    report: Report
    solved: bool
    failed: bool
    looping: bool = False


Runner = Callable[[Way, Place], Run]


def measure(arguments: Sequence[str] = ()) -> Iterator[Row]:
    """The table, printed; of the scripted tasks the whole engine must solve all."""
    chosen = _options(arguments)
    place = Place(chosen.base_url or "", chosen.model, chosen.max_steps, chosen.max_tokens, chosen.context_tokens)
    runners = _of_file(chosen.tasks) if chosen.tasks else [functools.partial(_scripted, task) for task in TASKS]
    tallies = {name: _tally(name, way, place, runners[: chosen.limit], chosen.verbose) for name, way in WAYS.items()}
    _show(tallies)
    if not chosen.tasks:
        engine = tallies[next(reversed(WAYS))]
        yield Row("engine: scripted faults not survived", engine.tasks - engine.solved, 0, "")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks ablation", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base-url", help="a server with a real model; needs --tasks")
    parser.add_argument("--tasks", type=Path, help="a file of tasks, with toolbox.py and judge.py beside it")
    parser.add_argument("--model", default="scripted", help="the model's name at the server")
    parser.add_argument("--limit", type=int, help="only the first tasks")
    parser.add_argument("--max-steps", type=int, default=Place.max_steps, help="replies of the model in a run")
    parser.add_argument("--max-tokens", type=int, default=Place.max_tokens, help="tokens of a reply")
    parser.add_argument("--context-tokens", type=int, default=Place.context_tokens, help="tokens of a request, for + memory")
    parser.add_argument("--verbose", action="store_true", help="a line for each run")
    chosen = parser.parse_args(arguments)
    if bool(chosen.base_url) != bool(chosen.tasks):
        parser.error("--base-url and --tasks belong together: a real model needs real tasks")
    return chosen


def _tally(name: str, way: Way, place: Place, runners: Sequence[Runner], verbose: bool) -> Tally:
    tally = Tally()
    for runner in runners:
        start = time.perf_counter()
        run = runner(way, place)
        tally.add(run, place.max_steps)
        if verbose:
            took = f"{run.report.requests:3} requests {time.perf_counter() - start:6.1f} s"
            verdict = "solved" if run.solved else f"not solved ({run.report.how}: {run.report.answer[:60]!r})"
            print(f"{name:<24} {run.name:<24} {took}  {verdict}", flush=True)
    return tally


def _show(tallies: dict[str, Tally]) -> None:
    print(f"{'':<24} {'solved':>8} {'requests':>9} {'tokens':>8} {'recovered':>10} {'loops caught':>13}")
    for name, tally in tallies.items():
        recovered, caught = f"{tally.recovered}/{tally.failed}", f"{tally.caught}/{tally.loops}"
        solved = f"{tally.solved}/{tally.tasks}"
        print(f"{name:<24} {solved:>8} {tally.requests:9} {tally.tokens:8} {recovered:>10} {caught:>13}")
    for name, tally in tallies.items():
        print(f"not solved, {name}: {', '.join(tally.unsolved) or 'none'}")


def _scripted(task: Task, way: Way, place: Place) -> Run:
    log: list[Any] = []
    with playing(task) as (base_url, played):
        report = way(task.prompt, task.tools(log), Place(base_url, max_steps=place.max_steps))
    counted = Report(report.answer, played.requests, played.tokens, report.how)
    failed = any(not made.ok for made in log)
    return Run(task.name, counted, task.solved(report.answer, log), failed, task.loops)


# --- tasks in a file -------------------------------------------------------------------------------------------------


def _of_file(path: Path) -> list[Runner]:
    sys.path.insert(0, str(path.parent))  # the two modules may import one another
    toolbox, judge = _module(path.parent / "toolbox.py"), _module(path.parent / "judge.py")
    tasks = json.loads(path.read_text(encoding="utf-8"))
    return [functools.partial(_real, task, toolbox, judge.judge) for task in tasks]


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.exists():
        sys.exit(f"{path} is missing: a file of tasks needs toolbox.py and judge.py beside it")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _real(task: Any, toolbox: Any, judge: Callable[[Any, str, Any], tuple[bool, str]], way: Way, place: Place) -> Run:
    box = toolbox.Toolbox(task.get("flaky"))
    tools = [_tool(box, name, *toolbox.SCHEMAS[name]) for name in task["tools"]]
    report = way(task["prompt"], tools, place)
    solved, _ = judge(task, report.answer, box)
    made = Counter(f"{name} {arguments}" for name, arguments, _ in box.log)
    failed = any(result == "ERROR" for _, _, result in box.log)
    return Run(task["id"], report, solved, failed, looping=max(made.values(), default=0) >= MANY)


def _tool(box: Any, name: str, description: str, schema: Any) -> Tool:
    return Tool.from_schema(name, description, schema, lambda **arguments: box.call(name, arguments))
