"""The usual figures of many runs.

In: runs that were read.  Out: `Stats`.  A run without an end counts as failed, with the outcome "broken_off"; its tokens are
those of the replies that came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from react_agent.messages import Value

from .reading import Run

BROKEN_OFF = "broken_off"


@dataclass(frozen=True, slots=True)
class Stats(Value):
    """Figures of `runs` runs.

    `seconds`: mean duration of a run, `model_seconds` of a reply, `tool_seconds` of a tool call.  `rounds`: mean replies of the
    model in a run.  `failure_rate`: share of runs that did not complete, `tool_failure_rate`: share of tool calls with an
    error.
    """

    runs: int
    outcomes: dict[str, int] = field(default_factory=dict)
    failure_rate: float = 0.0
    seconds: float = 0.0
    rounds: float = 0.0
    model_calls: int = 0
    model_seconds: float = 0.0
    tool_calls: int = 0
    tool_failure_rate: float = 0.0
    tool_seconds: float = 0.0
    corrections: int = 0
    retries: int = 0
    guards: dict[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0


def stats(runs: Iterable[Run]) -> Stats:
    """The figures of these runs."""
    runs = tuple(runs)
    lines = [line for run in runs for line in run.lines]
    named = Counter(line["event"] for line in lines)
    outcomes = Counter(outcome_of(run) for run in runs)
    ran = [_dict(line.get("result")) for line in lines if line["event"] == "ToolFinished"]
    made = [result for result in ran if result.get("status", "ok") != "refused"]
    failed = sum(result.get("status") == "error" for result in made)
    replies = [line for line in lines if line["event"] == "ReplyFinished"]
    usages = [usage for run in runs for usage in _usages(run)]
    return Stats(
        runs=len(runs),
        outcomes=dict(outcomes.most_common()),
        failure_rate=_share(len(runs) - outcomes["completed"], len(runs)),
        seconds=_mean([_number(run.lines[-1].get("t")) for run in runs]),
        rounds=_share(len(replies), len(runs)),
        model_calls=named["AskModel"],
        model_seconds=_mean([_number(reply.get("seconds")) for reply in replies]),
        tool_calls=len(made),
        tool_failure_rate=_share(failed, len(made)),
        tool_seconds=_mean([_number(result.get("seconds")) for result in made]),
        corrections=named["Corrected"],
        retries=named["RetryWaiting"],
        guards=dict(Counter(str(line.get("guard")) for line in lines if line["event"] == "GuardTripped").most_common()),
        prompt_tokens=int(sum(_number(usage.get("prompt_tokens")) for usage in usages)),
        completion_tokens=int(sum(_number(usage.get("completion_tokens")) for usage in usages)),
    )


def outcome_of(run: Run) -> str:
    """How the run ended."""
    ends = [_dict(line.get("result")) for line in run.lines if line["event"] == "RunFinished"]
    return str(ends[-1].get("outcome", BROKEN_OFF)) if ends else BROKEN_OFF


def _usages(run: Run) -> list[dict[str, Any]]:
    """What was counted in a run: at its end, or reply by reply where it was broken off."""
    ends = [_dict(line.get("result")) for line in run.lines if line["event"] == "RunFinished"]
    counted = ends or [line for line in run.lines if line["event"] == "ReplyFinished"]
    return [_dict(one.get("usage")) for one in counted]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _mean(values: list[float]) -> float:
    return _share(sum(values), len(values))


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
