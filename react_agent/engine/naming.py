"""What the name of a tool says that it does: act on the world, leave something behind, or look.

In: a name, and maybe the description.  Out: `Named`, its kind and the verb.  A wrong «looks» may pay twice, a wrong «acts» only
costs a refused repetition: so what is in doubt acts.  What stands before the first verb is a namespace (`stripe_charge`); then,
by the tables in `words`, the first line that holds:

    begins with                looks                                   else
    a verb of looking          always: get_order, 查询退款             acts with an act that is no thing last: list_delete
    a verb of writing          -                                       acts with an act or money behind it: update_order; writes
    an act                     a fact right behind it: pay_status      acts: pay_fee, cancel_order_history, 取消预约记录
    a thing that is an act     to be read last: order_date, 退款政策   acts: order_pizza, or by a later act: order_cancel

Parts joined by «and» are judged each, and the one that does most counts: `get_or_create`.  Where a thing may be meant, or
nothing is known, the description may say that the tool looks; it never makes an act of what looks by its name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .words import chinese, either, english

Kind = Literal["", "looks", "writes", "acts"]
_BY_WEIGHT: tuple[Kind, ...] = ("", "looks", "writes", "acts")


@dataclass(frozen=True, slots=True)
class Named:
    """The `kind` of a tool, "" where its name tells nothing, and the `verb` it is named after.  `sure`: it is beyond doubt."""

    kind: Kind = ""
    verb: str = ""
    sure: bool = True


_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOOKED_AT = 300  # characters of a description
_FACTS = english.ACTS | english.ACTS_OR_THINGS
_ALSO_LAST = english.WRITES | english.ACTS_OR_THINGS.keys()
_VERBS = english.LOOKS | english.WRITES | _FACTS.keys() | english.THINGS.keys()
_CHINESE_FACTS = chinese.ACTS | chinese.ACTS_OR_THINGS
_LONGEST_FIRST = sorted((*_CHINESE_FACTS, *chinese.THINGS), key=len, reverse=True)
_CHINESE_ACT = re.compile("|".join(_LONGEST_FIRST))
_CHINESE_LOOKS = re.compile(chinese.LOOKS)
_CHINESE_JOINS = re.compile(chinese.JOINS)
_NO_ACTS = re.compile(chinese.NO_ACTS)
_SAYS_IT_LOOKS = re.compile(chinese.SAYS_IT_LOOKS)
_A_PART_OF = re.compile(english.A_PART_OF, re.IGNORECASE)
_ALSO_ACTS = either(
    english.ALSO_ACTS.replace("<act>", "|".join(sorted(_VERBS - english.LOOKS))),
    chinese.ALSO_ACTS.replace("<act>", "|".join((*_LONGEST_FIRST, *sorted(chinese.WRITES)))),
)


def named(name: str, description: str = "") -> Named:
    """What a tool does by its name, or by its description where the name leaves a doubt.

    >>> named("pay_fee"), named("add_row").kind, named("list_orders").kind, named("weather").kind
    (Named(kind='acts', verb='pay', sure=True), 'writes', 'looks', '')
    >>> named("order_items").kind, named("order_items", "Lists what was ordered").kind, named("weather", "Get the weather").kind
    ('acts', 'looks', 'looks')
    """
    words = words_of(name)
    found = [*map(_in_english, _parts(words)), *map(_in_chinese, _CHINESE_JOINS.split(_NO_ACTS.sub("·", name)))]
    most = max(found, key=lambda part: _BY_WEIGHT.index(part.kind))
    doubtful = not most.kind or (most.kind == "acts" and not most.sure)
    return Named("looks") if doubtful and _describes_looking(description) else most


def verb_of(name: str, description: str = "") -> str:
    """The act a tool is named after, "" when it does not act.

    >>> verb_of("refund_order"), verb_of("createUser"), verb_of("list_orders"), verb_of("订单退款"), verb_of("退款政策")
    ('refund', 'create', '', '退款', '')
    """
    found = named(name, description)
    return found.verb if found.kind == "acts" else ""


def object_of(name: str) -> str:
    """The noun of what a tool acts on: behind its verb, else before it; "" for none.

    >>> [object_of(name) for name in ("refund_order", "crm_send_email_to_user", "order_cancel", "取消订单", "退款")]
    ['order', 'email', 'order', '订单', '']
    """
    verb = verb_of(name)
    if not verb or not verb.isascii():
        head, _, tail = name.partition(verb or name)
        return tail or head
    words = next((part for part in _parts(words_of(name)) if verb in part), [verb])
    before, behind = words[: words.index(verb)], words[words.index(verb) + 1 :]
    return (behind or before or [""])[-1]


def is_command(name: str) -> bool:
    """Whether what a tool does stands in its arguments alone: `run_command`, `execute_sql`, `执行代码`."""
    return verb_of(name) in english.COMMANDS | chinese.COMMANDS


def words_of(name: str) -> list[str]:
    """The Latin words of a name.

    >>> words_of("sendEmail_v2"), words_of("发送")
    (['send', 'email', 'v'], [])
    """
    return [word.lower() for word in _WORD.findall(name)]


# --- English ---------------------------------------------------------------------------------------------------------


def _parts(words: Sequence[str]) -> list[list[str]]:
    """The words between «and»s, each from its first verb on up to a preposition; words that say nothing are left out."""
    parts: list[list[str]] = [[]]
    for word, following in itertools.zip_longest(words, words[1:], fillvalue=""):
        if word in english.JOINS:
            parts.append([])
        else:
            pair = f"{word}_{following}"
            parts[-1].append(pair if pair in _FACTS else word)
    return [_from_first_verb(part) for part in parts]


def _from_first_verb(words: list[str]) -> list[str]:
    start = next((at for at, word in enumerate(words) if word in _VERBS), 0)
    phrase = words[start:]
    if phrase and phrase[0] not in english.WRITES:
        end = next((at for at, word in enumerate(phrase) if at and word in english.BEFORE_A_PART), len(phrase))
        phrase = phrase[:end]
    while len(phrase) > 1 and phrase[-1] in english.TAIL:
        phrase.pop()
    return phrase


def _in_english(words: list[str]) -> Named:
    """The kind of a phrase that begins with its verb."""
    if not words:
        return Named()
    first, last = words[0], words[-1]
    for begins, judge in _JUDGES:
        if first in begins:
            return judge(words)
    return Named("acts", last, sure=False) if last in english.DEEDS else Named()


def _looks_first(words: list[str]) -> Named:
    return Named("acts", words[-1]) if words[-1] in english.ACTS else Named("looks", words[0])


def _writes_first(words: list[str]) -> Named:
    rest = _in_english(_from_first_verb(words[1:]))
    weighs = rest.kind == "acts" or not english.OF_WEIGHT.isdisjoint(map(_singular, words[1:]))
    return replace(rest, kind="acts", verb=words[0]) if weighs else Named("writes", words[0])


def _act_first(words: list[str]) -> Named:
    verb, behind = words[0], words[1:]
    if len(behind) == 1 and _singular(behind[0]) in _FACTS[verb]:
        return Named("looks", verb)
    return Named("acts", verb, sure=verb in english.ACTS or bool(behind))


def _thing_first(words: list[str]) -> Named:
    thing, behind, last = words[0], words[1:], words[-1]
    if act := next((word for word in behind if word in english.ACTS), ""):
        return Named("acts", act)
    if behind and (not english.LOOKS_BEHIND.isdisjoint(behind) or _singular(last) in english.THINGS[thing]):
        return Named("looks", thing)
    return Named("acts", last if last in _ALSO_LAST else thing, sure=last in _ALSO_LAST)


_JUDGES: tuple[tuple[frozenset[str], Callable[[list[str]], Named]], ...] = (
    (english.LOOKS, _looks_first),
    (english.WRITES, _writes_first),
    (frozenset(_FACTS), _act_first),
    (frozenset(english.THINGS), _thing_first),
)
_NOUNS = frozenset().union(*_FACTS.values(), *english.THINGS.values(), english.OF_WEIGHT)


def _singular(noun: str) -> str:
    """The noun as one, when it is a known one: `fees`, `statuses`, `policies`."""
    forms = (noun, noun.removesuffix("s"), noun.removesuffix("es"), f"{noun.removesuffix('ies')}y")
    return next((form for form in forms if form in _NOUNS), noun)


# --- Chinese ---------------------------------------------------------------------------------------------------------


def _in_chinese(name: str) -> Named:
    act = _CHINESE_ACT.search(name)
    if name.startswith(tuple(chinese.WRITES)):
        weighs = act is not None and _act_in_chinese(name, act).kind == "acts"
        weighs = weighs or any(thing in name for thing in chinese.OF_WEIGHT)
        return Named("acts" if weighs else "writes", next(verb for verb in chinese.WRITES if name.startswith(verb)))
    if act is not None:
        return _act_in_chinese(name, act)
    looks = _CHINESE_LOOKS.search(name)
    return Named("looks", looks[0]) if looks else Named()


def _act_in_chinese(name: str, act: re.Match[str]) -> Named:
    """The kind of a name with an act in it; a word of looking may stand before it, or behind a thing."""
    verb, behind = act[0], name[act.end() :]
    if last := next((last for last in _LONGEST_FIRST if last in chinese.ACTS and act.start() and name.endswith(last)), ""):
        return Named("acts", last)
    if _CHINESE_LOOKS.search(name, 0, act.start()) or (verb not in chinese.ACTS and _CHINESE_LOOKS.search(behind)):
        return Named("looks", verb)
    if behind in _CHINESE_FACTS.get(verb, ()) or name.endswith(tuple(chinese.THINGS.get(verb, ()))):
        return Named("looks", verb)
    return Named("acts", verb, sure=verb in chinese.ACTS)


# --- descriptions ----------------------------------------------------------------------------------------------------


def _describes_looking(description: str) -> bool:
    text = description[:_LOOKED_AT].strip()
    if not text or _ALSO_ACTS.search(text):
        return False
    if text[0].isascii():
        first = next(iter(words_of(text)), "")
        said = {first, first.removesuffix("s"), first.removesuffix("es"), _singular(first)}
        return not english.SAYS_IT_LOOKS.isdisjoint(said) or _A_PART_OF.match(text) is not None
    return _SAYS_IT_LOOKS.match(text) is not None
