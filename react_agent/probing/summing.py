"""What attempts come to: a row for each way, and the way to recommend.

The rule: most tasks solved, then the fewest tokens for a solved task; a way that was not tried on as many tasks as the others
because it was refused or fell behind is not recommended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from react_agent.messages import Value

from .measuring import Attempt, Trial


@dataclass(frozen=True, slots=True)
class Row(Value):
    """The sums of one way; `seconds` and `tokens` (prompt and completion) are of all its attempts."""

    trial: Trial
    tried: int
    solved: int
    tokens: int
    seconds: float
    available: bool

    @property
    def tokens_per_solved(self) -> float | None:
        """What a solved task costs, failures included."""
        return self.tokens / self.solved if self.solved else None


def rows(attempts: Iterable[Attempt]) -> tuple[Row, ...]:
    """A row for each way, in the order in which they were first tried."""
    by_trial: dict[Trial, list[Attempt]] = {}
    for attempt in attempts:
        by_trial.setdefault(attempt.trial, []).append(attempt)
    return tuple(_row(trial, made) for trial, made in by_trial.items())


def best(rows: Sequence[Row]) -> Row | None:
    """The row to recommend; None when no way has solved anything."""
    useful = [row for row in rows if row.available and row.solved]
    return min(useful, key=lambda row: (-row.solved, row.tokens_per_solved or 0.0), default=None)


def _row(trial: Trial, made: list[Attempt]) -> Row:
    return Row(
        trial,
        len(made),
        sum(attempt.solved for attempt in made),
        sum(attempt.usage.prompt_tokens + attempt.usage.completion_tokens for attempt in made),
        sum(attempt.seconds for attempt in made),
        all(attempt.available for attempt in made),
    )
