"""Pure judges: is this reply of use, may this call run again, does the run get anywhere, what has it cost?

In: what was read and what has happened.  Out: a verdict; nothing is changed here.  The loop asks them and acts.  `slips` judges
single replies, `repeats` calls that were made before, `streaks` steps in a row that get nowhere, `repetition` a text that goes
round, `budget` tokens and money.  What ends a run and with which outcome stands in one table, `ENDS`.
"""

from react_agent.messages import Outcome

from .budget import Spent, spending
from .repeats import earlier_results, fruitless, may_run, same_call, that_ran, used_up
from .repetition import Watch
from .slips import Slip, bad_arguments, is_slip, rejected_slip, slip_of, spent
from .streaks import Streak, streaks

ENDS: dict[str, Outcome] = {
    "format": Outcome.FORMAT_FAILED,
    "empty": Outcome.EMPTY_REPLY,
    "output": Outcome.OUTPUT_LIMIT,
    "bad_call": Outcome.LOOP_GUARD,
    "bad_arguments": Outcome.LOOP_GUARD,
    "repetition": Outcome.LOOP_GUARD,
    "repeated_call": Outcome.LOOP_GUARD,
    "circling": Outcome.LOOP_GUARD,
    "unchanged": Outcome.LOOP_GUARD,
    "same_error": Outcome.LOOP_GUARD,
    "errors": Outcome.LOOP_GUARD,
    "max_steps": Outcome.STEP_LIMIT,
    "tokens": Outcome.BUDGET,
    "cost": Outcome.BUDGET,
}
"""Guard → outcome of a run that it ended."""

CLOSED_AT_ONCE = ("format", "empty", "output")
"""Guards that end a run without another question: the model was asked for an answer already, and gave nothing of use."""

__all__ = [
    "CLOSED_AT_ONCE",
    "ENDS",
    "Slip",
    "Spent",
    "Streak",
    "Watch",
    "bad_arguments",
    "earlier_results",
    "fruitless",
    "is_slip",
    "may_run",
    "rejected_slip",
    "same_call",
    "slip_of",
    "spending",
    "spent",
    "streaks",
    "that_ran",
    "used_up",
]
