"""What a tool may know of the run it is called in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RunContext:
    """Handed to every parameter of this type; the model never sees that parameter.

    `run_id` names the run, `step` counts the turns of the model from 1 (0: outside a run), `deps` is the object that the
    caller gave to the run.

        @tool
        def my_orders(context: RunContext) -> list[Order]:
            return context.deps.orders_of(context.deps.user)
    """

    run_id: str = ""
    step: int = 0
    deps: Any = None
