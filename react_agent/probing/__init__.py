"""Which mode and dialect does a model do best behind its server?  Measured with small tasks.

In: a model.  Out: `Attempt`s as they are made, their sums as `Row`s, and the `Row` to recommend.  What is done with it
(shown, remembered) is for the caller.
"""

from .measuring import TRIALS, Attempt, Trial, probe
from .summing import Row, best, rows
from .tasks import TASKS, Task

__all__ = ["TASKS", "TRIALS", "Attempt", "Row", "Task", "Trial", "best", "probe", "rows"]
