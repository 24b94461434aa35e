"""An answer that lists the numbers of which the user wants the sum, the difference or the mean.

«How much more is B2 than B1?», answered with «B1 is 42.5 and B2 is 180».  The answer may hold a number in words, or a tool may
have reckoned: then there is nothing to object.
"""

from __future__ import annotations

import itertools
import re

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
_HAS_RECKONED = either(english.HAS_RECKONED, chinese.HAS_RECKONED)


def unreckoned(state: State, case: Case) -> Found | None:
    """Nothing but the fact, when all numbers of the answer come from results or the task, and none of them from the others."""
    if not state.steps or _RECKONED.search(state.task[:_LOOKED_AT]) is None:
        return None
    said, asked = numbers_of(case.answer[:_LOOKED_AT]), numbers_of(state.task[:_LOOKED_AT])
    contents = [result.content for step in state.steps for result in step.results if result.status == "ok"]
    observed = [numbers_of(content).known for content in contents]
    listed = (said.known & set().union(*observed)) - asked.known
    if said.in_words or not 2 <= len(listed) <= _MOST or not said.known <= listed | asked.known:
        return None
    return None if any(map(_has_reckoned, contents)) or _holds_result(sorted(listed)) else Found()


def _has_reckoned(content: str) -> bool:
    """Whether a result may be what was to be reckoned: just a number, or one that says so."""
    return _NUMBER.fullmatch(content) is not None or _HAS_RECKONED.search(content[:_LOOKED_AT]) is not None


def _holds_result(numbers: list[float]) -> bool:
    """Is one of them the sum or the mean of all the others, or the difference of two of them?"""
    for number in numbers:
        others = [other for other in numbers if other != number]
        results = {sum(others), sum(others) / len(others)} if others else set()
        results |= {abs(one - other) for one, other in itertools.combinations(others, 2)}
        if any(abs(number - result) < _CLOSE for result in results if len(others) > 1):
            return True
    return False
