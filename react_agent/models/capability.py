"""What an endpoint turned out to do, remembered per (base_url, model) so that a refusal is met once.

In: what answers taught.  Out: `Facts`, where None means «not known yet».  Facts come from real answers only, never from a list
of model names.  They live as long as the process.
"""

from __future__ import annotations

import dataclasses
import threading
from dataclasses import dataclass
from typing import cast, get_args

from react_agent.driving.ports import ModeChoice
from react_agent.errors import UsageError
from react_agent.messages import Value

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Facts(Value):
    """What is known of one model at one address.

    `native`: native function calling works.  `stream_usage`: `stream_options.include_usage` is accepted.
    """

    native: bool | None = None
    stream_usage: bool | None = None


class Capabilities:
    """A notebook of facts; safe to share between threads."""

    def __init__(self) -> None:
        self._facts: dict[Key, Facts] = {}
        self._lock = threading.Lock()

    def facts(self, base_url: str, model: str) -> Facts:
        """What is known of `model` at `base_url`; nothing known gives `Facts()`."""
        return self._facts.get((base_url, model), Facts())

    def learn(self, base_url: str, model: str, *, native: bool | None = None, stream_usage: bool | None = None) -> None:
        """Note what an answer taught; arguments that are None leave their fact as it is."""
        news = {"native": native, "stream_usage": stream_usage}
        with self._lock:
            known = self.facts(base_url, model)
            fresh = {name: value for name, value in news.items() if value is not None}
            self._facts[base_url, model] = dataclasses.replace(known, **fresh)

    def known(self) -> dict[Key, Facts]:
        """All facts by (base_url, model): a copy."""
        with self._lock:
            return dict(self._facts)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._facts.clear()


def start_mode(chosen: ModeChoice, facts: Facts) -> ModeChoice:
    """How the engine shall start: "auto" becomes "text" where native calls are known not to work."""
    return "text" if chosen == "auto" and facts.native is False else chosen


def checked_mode(mode: str) -> ModeChoice:
    """The mode, if it is one.

    Raises:
        UsageError: it is none.
    """
    for choice in get_args(ModeChoice):
        if mode == choice:
            return cast(ModeChoice, choice)
    raise UsageError(f"mode must be one of {', '.join(get_args(ModeChoice))}, got {mode!r}")


SHARED = Capabilities()
"""The notebook of models that are given no other; `SHARED.known()` and `SHARED.clear()` inspect and empty it."""
