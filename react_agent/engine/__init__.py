"""The pure engine: flows of events that ask for model text and tool results.

In: a `State` (task, prompt, settings, history).  Out: events and a `RunResult`.  `turn` is one reply,
`loop` a run, `guards` judge what has happened, `objections` what the model is about to do.
"""

from .effects import Traits, traits
from .limits import LIMITS, Limits, Price
from .loop import run
from .settings import HOUSE_DIALECT, STOPS, LangChoice, Settings, SummaryChoice
from .signals import StopRun
from .state import State

__all__ = [
    "HOUSE_DIALECT",
    "LIMITS",
    "STOPS",
    "LangChoice",
    "Limits",
    "Price",
    "Settings",
    "State",
    "StopRun",
    "SummaryChoice",
    "Traits",
    "run",
    "traits",
]
