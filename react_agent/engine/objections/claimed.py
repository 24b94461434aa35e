"""An answer that claims an act which nobody has done: «refunded», where `refund_order` was never called.

A tool acts by the first verb of its name.  As a model that is sent back may well act, only the plain case counts: the task
orders the act, asks nothing and forbids nothing; the answer says that it was done, with no word of doubt; and neither the user
nor a result says so: the status of an order may be «refunded».
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from react_agent.engine.naming import verb_of
from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english
from react_agent.messages import Message

from .case import Case, Found

_LONGEST = 1000  # characters of a task or an answer that is plain
_NO_ORDER = either(english.NO_ORDER, chinese.NO_ORDER)
_DOUBT = either(english.DOUBT, chinese.DOUBT)


def claimed(state: State, case: Case) -> Found | None:
    """The tool whose act the answer claims though it was never called."""
    name = claimed_act(state.history, state.task, case.answer, state.traits.acting - state.tried)
    return Found(name) if name else None


def claimed_act(history: Iterable[Message], task: str, answer: str, acting: Iterable[str]) -> str:
    """The one of the `acting` tools that should have been called; "" for none."""
    if max(len(task), len(answer)) > _LONGEST or _NO_ORDER.search(task) or _DOUBT.search(answer):
        return ""
    said = list(history)
    called = {call.name for message in said for call in message.calls}
    told = [message.result.content if message.result else message.content for message in said if message.role != "assistant"]
    for name in sorted(set(acting) - called):
        order, done, mention = _words(verb_of(name))
        if order.search(task) and done.search(answer) and not any(map(mention.search, told)):
            return name
    return ""


@functools.lru_cache(maxsize=256)
def _words(verb: str) -> tuple[re.Pattern[str], ...]:
    """How an act is ordered, how it is said to be done, and how that may be mentioned."""
    plain = re.escape(verb)
    wish, past = english.FORMS.get(verb, (plain, f"{plain.removesuffix('e')}ed"))
    act = chinese.FORMS.get(verb, plain)
    forms = (
        (english.ORDERED, wish, chinese.ORDERED),
        (english.DONE, past, chinese.DONE),
        (english.MENTIONED, past, chinese.MENTIONED),
    )
    return tuple(either(form.replace("<act>", words), other.replace("<act>", act)) for form, words, other in forms)
