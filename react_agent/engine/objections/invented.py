"""An answer that rests on an observation of the model's own: no tool has said anything since the user's word.

Only what a reply that also makes an answer holds is seen here; an observation alone is no answer (`guards.slips`).
"""

from __future__ import annotations

from react_agent.engine.state import State

from .case import Case, Found


def invented(state: State, case: Case) -> Found | None:
    """Whether the answer comes after an observation, though there is none."""
    if not case.reply.parsed.invented or not state.prompt.specs:
        return None
    return None if _observed(state) else Found()


def _observed(state: State) -> bool:
    """In this run, or in the conversation of a client that runs the tools itself."""
    return any(step.results for step in state.steps) or any(message.result for message in state.history[state.task_at :])
