"""What of a growing history a model is shown.

The history itself is the truth and only grows; a `Memory` gives the view of it that fits into the model's context.  Shown are
always the task and the last round; older results are shortened first, then the oldest rounds are left out, with a notice (and a
summary, where there is one) in their place.
"""

from .counting import Count, Scale, tokens
from .view import Memory

__all__ = ["Count", "Memory", "Scale", "tokens"]
