"""What a benchmark hands back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured number and the limit it must not pass."""

    what: str
    value: float
    limit: float
    unit: str = ""

    @property
    def holds(self) -> bool:
        return self.value <= self.limit

    def __str__(self) -> str:
        verdict = "ok" if self.holds else "TOO MUCH"
        return f"{self.what:<66} {self.value:8.3f} {self.unit:<3} at most {self.limit:g}  {verdict}"
