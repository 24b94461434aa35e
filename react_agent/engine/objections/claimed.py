"""An answer that claims or skips an act which nobody has done: «refunded», where `refund_order` was never called.

What a tool does is the verb of its name, and what it does it to is the noun beside it (`naming.object_of`).  As a model that is
sent back may well act, only the plain case counts: the task orders the act, asks nothing and forbids nothing; the answer says
that it was done, with no word of doubt; one of them names the thing, as a haiku is no ticket; nothing has run that may have
done it; and neither the user nor a result says so: the status of an order may be «refunded».  An answer that says neither
counts too («the amount is 42.50»), where a task begins with the act, on a thing with a number, and sets no condition: «refund
order B7».
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from react_agent.engine.naming import object_of, verb_of
from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english
from react_agent.messages import Message

from .case import Case, Found

_LONGEST = 1000  # characters of a task or an answer that is plain
_NO_ORDER = either(english.NO_ORDER, chinese.NO_ORDER)
_CONDITION = either(english.CONDITION, chinese.CONDITION)
_DOUBT = either(english.DOUBT, chinese.DOUBT)


def claimed(state: State, case: Case) -> Found | None:
    """The tool whose act the answer claims, or skips, though it was never called."""
    if _may_have_acted(state):
        return None
    name = claimed_act(state.history, state.task, case.answer, state.traits.acting - state.tried)
    return Found(name) if name else None


def _may_have_acted(state: State) -> bool:
    """Whether a tool that is not known to look has run in this run: it may have done what another one is named after."""
    ran = (result.name for step in state.steps for result in step.results if result.status not in ("error", "refused"))
    return any(name not in state.traits.looking for name in ran)


def claimed_act(history: Iterable[Message], task: str, answer: str, acting: Iterable[str]) -> str:
    """The one of the `acting` tools that should have been called; "" for none."""
    if max(len(task), len(answer)) > _LONGEST or _NO_ORDER.search(task) or _DOUBT.search(answer):
        return ""
    said = list(history)
    called = {call.name for message in said for call in message.calls}
    told = [message.result.content if message.result else message.content for message in said if message.role != "assistant"]
    for name in sorted(set(acting) - called):
        verb, thing = verb_of(name), object_of(name)
        if not verb or not thing or not _thing(thing).search(f"{task}\n{answer}"):
            continue
        order, done, mention = _words(verb)
        if any(map(mention.search, told)):
            continue
        if (order.search(task) and done.search(answer)) or _plainly_ordered(verb, thing, task):
            return name
    return ""


def _plainly_ordered(verb: str, thing: str, task: str) -> bool:
    """Whether the task begins with the act, on a thing with a number: nobody can take it for anything but an order."""
    return _CONDITION.search(task) is None and _plain_order(verb, thing).match(task.strip()) is not None


@functools.lru_cache(maxsize=256)
def _plain_order(verb: str, thing: str) -> re.Pattern[str]:
    (wish, _, act), (latin, other) = _forms(verb), _nouns(thing)
    return either(_filled(english.PLAIN_ORDER, wish, latin), _filled(chinese.PLAIN_ORDER, act, other))


def _filled(form: str, act: str, thing: str) -> str:
    """The form with its words; where the language has none for the thing, a pattern that matches nothing."""
    return form.replace("<act>", act).replace("<thing>", thing or r"(?!)")


@functools.lru_cache(maxsize=256)
def _thing(noun: str) -> re.Pattern[str]:
    """How the object of a tool is called in a text."""
    latin, other = _nouns(noun)
    return either(*filter(None, [latin and rf"\b(?:{latin})\b", other]))


def _nouns(noun: str) -> tuple[str, str]:
    """What a tool acts on in English and in Chinese, as patterns; "" for no word."""
    if not noun.isascii():
        return "", re.escape(noun)
    return rf"(?:{english.THING.get(noun, re.escape(noun.removesuffix('s')))})(?:e?s)?", chinese.THING.get(noun, "")


@functools.lru_cache(maxsize=256)
def _words(verb: str) -> tuple[re.Pattern[str], ...]:
    """How an act is ordered, how it is said to be done, and how that may be mentioned."""
    wish, past, act = _forms(verb)
    forms = (
        (english.ORDERED, wish, chinese.ORDERED),
        (english.DONE, past, chinese.DONE),
        (english.MENTIONED, past, chinese.MENTIONED),
    )
    return tuple(either(form.replace("<act>", words), other.replace("<act>", act)) for form, words, other in forms)


def _forms(verb: str) -> tuple[str, str, str]:
    """An act as it is wished for and as it is done, in English, and in Chinese."""
    plain = re.escape(verb)
    return *english.FORMS.get(verb, (plain, _past(plain))), chinese.FORMS.get(verb, plain)


def _past(verb: str) -> str:
    """A pattern of the regular past: `approved`, `stopped`, `applied`."""
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}(?:y|i)ed" if verb.endswith("y") else f"{verb}{verb[-1]}?ed"
