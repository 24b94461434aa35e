"""What a tool may know of the run it is called in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from react_agent.messages import Call
from react_agent.schema import canonical


@dataclass(frozen=True, slots=True)
class RunContext:
    """Handed to every parameter of this type; the model never sees that parameter.

    `run_id` names the run, `step` counts the turns of the model from 1 (0: outside a run), `deps` is the object that the
    caller gave to the run.  `idempotency_key` is for services that do a thing only once per key: it stays the same when a call
    is repeated because it failed, and is another one for a call that is made again after it was done.

        @tool
        def my_orders(context: RunContext) -> list[Order]:
            return context.deps.orders_of(context.deps.user)
    """

    run_id: str = ""
    step: int = 0
    deps: Any = None
    idempotency_key: str = ""


def key_of(run_id: str, call: Call, done: int) -> str:
    """The idempotency key of a call that was done `done` times in this run already."""
    said = "\n".join((run_id, call.name, canonical(call.arguments), str(done)))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
