"""An answer that lists the numbers of which the user wants the sum, the difference or the mean.

«What is the difference in price of B1 and B2?», answered with «B1 is 42.5 and B2 is 180».  The answer may hold a number in
words, or a tool may have reckoned: then there is nothing to object.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Set

from react_agent.engine.numbers import numbers_of
from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english

from .case import Case, Found

_LOOKED_AT = 2000  # characters of a task or an answer
_MOST = 8
"""Numbers of an answer that are compared; a longer list is a table."""
_NUMBER = re.compile(r"\W{0,4}[\d.,' ]{1,40}\W{0,4}")
_CLOSE = 0.006
"""Of a number that was rounded."""
_RECKONED = either(english.RECKONED, chinese.RECKONED)
_EACH = either(english.EACH, chinese.EACH)
_HAS_RECKONED = either(english.HAS_RECKONED, chinese.HAS_RECKONED)


def unreckoned(state: State, case: Case) -> Found | None:
    """Nothing but the fact, when all numbers of the answer come from results or the task, and none of them from the others."""
    task = state.task[:_LOOKED_AT]
    if not state.steps or _RECKONED.search(task) is None or _EACH.search(task) is not None:
        return None
    said, asked = numbers_of(case.answer[:_LOOKED_AT]), numbers_of(task).known
    contents = [result.content for step in state.steps for result in step.results if result.status == "ok"]
    observed = [numbers_of(content).known for content in contents]
    listed = (said.known & set().union(*observed)) - asked
    if said.in_words or not 2 <= len(listed) <= _MOST or not said.known <= listed | asked:
        return None
    return None if any(map(_has_reckoned, contents)) or _holds_result(listed, asked) else Found()


def _has_reckoned(content: str) -> bool:
    """Whether a result may be what was to be reckoned: just a number, or one that says so."""
    return _NUMBER.fullmatch(content) is not None or _HAS_RECKONED.search(content[:_LOOKED_AT]) is not None


def _holds_result(listed: Set[float], asked: Set[float]) -> bool:
    """May one of them be a sum, a difference or a mean of the others, or of them and a number of the task?

    Equal numbers are one here, so a number may be the sum of itself, or the difference of its double and itself.
    """
    pairs = list(itertools.combinations_with_replacement(listed | set(sorted(asked)[:_MOST]), 2))
    results = {one + other for one, other in pairs} | {abs(one - other) for one, other in pairs}
    results |= {(one + other) / 2 for one, other in pairs if one != other}
    if len(listed) > 2:
        rests = [sum(listed - {number}) for number in listed]
        results.update(rests, (rest / (len(listed) - 1) for rest in rests))
    return any(abs(number - result) < _CLOSE for number in listed for result in results)
