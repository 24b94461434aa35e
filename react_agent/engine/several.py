"""A look-up that found nothing as it asked for several things at once: check_stock(item="keyboard and mouse").

In: a call and its result.  Out: the things, in their order.  That they are several is a guess, so the model is told of it, once
in a run, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Collection

from react_agent.messages import Call, Result

from .words import chinese, either, english

_AND = either(english.AND, chinese.AND)
_BETWEEN = either(english.COMMA, chinese.COMMA, english.AND, chinese.AND)
_LONGEST = 80  # characters of a value
_SIZES = range(2, 31)
"""Characters of a thing: a sign of Chinese beside another one is part of a word, and what is longer is a sentence."""
_MOST = 6


def several(call: Call, result: Result, looking: Collection[str]) -> tuple[str, ...]:
    """The things that the only text among the arguments names; none when something was found, or the tool does not look.

    `looking`: the tools that are known to look something up.
    """
    texts = [value for value in call.arguments.values() if isinstance(value, str)]
    if result.status != "empty" or call.name not in looking or len(texts) != 1 or len(texts[0]) > _LONGEST:
        return ()
    things = tuple(map(str.strip, _BETWEEN.split(texts[0]))) if _AND.search(texts[0]) else ()
    differ = len({thing.casefold() for thing in things}) == len(things)
    return things if differ and 2 <= len(things) <= _MOST and all(len(thing) in _SIZES for thing in things) else ()
