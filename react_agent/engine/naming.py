"""What the name of a tool says that it does: act on the world, leave something behind, or look.

In: a name, and maybe the description.  Out: the verb of the act, or "".  Many verbs are nouns too, so it matters where they
stand.  What stands before the first verb is a namespace (`stripe_charge`).  Then, in English:

    a verb of looking first             looks     get_order, crm_find_email
    an act that takes anything first    acts      send_status, delete_history
    an act that is no noun last         acts      user_info_delete
    another act, a word of reading      looks     charge_history, deploy_status, order_list
    behind it, as a noun at the end
    any other act                       acts      refund_order, log_purchase

In Chinese a word of looking may stand anywhere, and the noun at the end decides: `退款政策` looks, `订单退款` acts.  Where a
noun may be meant the description decides; it never makes an act of what looks by its name.
"""

from __future__ import annotations

import re

from .words import chinese, either, english

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOOKED_AT = 300  # characters of a description
_VERBS = english.TAKES_ANYTHING | english.TAKES_MUCH | english.TELLS | english.NOUNS_TOO
_CHINESE_VERBS = re.compile("|".join((*chinese.TAKES_ANYTHING, *chinese.NOUNS_TOO)))
_CHINESE_LOOKS = re.compile(chinese.LOOKS)
_SAYS_IT_LOOKS = re.compile(chinese.SAYS_IT_LOOKS)
_SAID_FIRST = english.SAYS_IT_LOOKS | english.READINGS
_A_PART_OF = re.compile(english.A_PART_OF, re.IGNORECASE)
_ALSO_ACTS = either(
    english.ALSO_ACTS.replace("<act>", "|".join(sorted(_VERBS))), chinese.ALSO_ACTS.replace("<act>", _CHINESE_VERBS.pattern)
)


def verb_of(name: str, description: str = "") -> str:
    """The act a tool is named after, "" when it only looks.

    >>> verb_of("refund_order"), verb_of("createUser"), verb_of("list_orders"), verb_of("订单退款")
    ('refund', 'create', '', '退款')
    >>> verb_of("refund_policy"), verb_of("send_status"), verb_of("退款政策"), verb_of("order_items", "Lists what was ordered")
    ('', 'send', '', '')
    """
    words = _from_first_verb(name)
    if words:
        sure = words[0] in english.TAKES_ANYTHING | english.TAKES_MUCH
        looks = _looks(words) or (not sure and _describes_looking(description))
        return "" if looks else next(word for word in words if word in _VERBS)
    verb = _CHINESE_VERBS.search(name)
    if verb is None or _looks_in_chinese(name, verb[0]):
        return ""
    sure = verb[0] in chinese.TAKES_ANYTHING
    return "" if not sure and _describes_looking(description) else verb[0]


def writes(name: str, description: str = "") -> bool:
    """Whether the name says that each call leaves something behind, as all acts do."""
    words = words_of(name)
    return bool(verb_of(name, description) or (words and words[0] in english.WRITES) or name.startswith(chinese.WRITES))


def words_of(name: str) -> list[str]:
    """The Latin words of a name.

    >>> words_of("sendEmail_v2"), words_of("发送")
    (['send', 'email', 'v'], [])
    """
    return [word.lower() for word in _WORD.findall(name)]


# --- English ---------------------------------------------------------------------------------------------------------


def _from_first_verb(name: str) -> list[str]:
    """The words of a name from its first verb on, of acting or looking, up to a preposition; none without an act in it."""
    words = words_of(name)
    start = next((at for at, word in enumerate(words) if word in _VERBS or word in english.LOOKS), len(words))
    end = next((at for at in range(start + 1, len(words)) if words[at] in english.BEFORE_A_PART), len(words))
    phrase = words[start:end]
    while len(phrase) > 1 and phrase[-1] in english.TAIL:
        phrase.pop()
    return phrase if _VERBS.intersection(phrase) else []


def _looks(words: list[str]) -> bool:
    first, last = words[0], words[-1]
    if first in english.LOOKS:
        return True
    if first in english.TAKES_ANYTHING or last in english.NO_NOUNS:
        return False
    if first not in english.TAKES_MUCH and not english.LOOKS_BEHIND.isdisjoint(words[1:]):
        return True
    return len(words) > 1 and not _read_behind(first).isdisjoint(_singular(last))


def _read_behind(verb: str) -> frozenset[str]:
    """The nouns that make something to be looked up of a verb before them."""
    if verb in english.TELLS:
        return english.RECORDS
    return english.STATES if verb in english.TAKES_MUCH else english.READINGS


def _singular(noun: str) -> tuple[str, ...]:
    """The noun as it is, and as one of several might be written."""
    return noun, noun.removesuffix("s"), noun.removesuffix("es"), f"{noun.removesuffix('ies')}y"


# --- Chinese, descriptions -------------------------------------------------------------------------------------------


def _looks_in_chinese(name: str, verb: str) -> bool:
    acts = name.startswith(chinese.NO_NOUNS) or name.endswith(chinese.NO_NOUNS)
    if not acts and _CHINESE_LOOKS.search(name):
        return True
    return name.endswith(chinese.COUNTS if verb in chinese.TAKES_ANYTHING else chinese.READINGS)


def _describes_looking(description: str) -> bool:
    text = description[:_LOOKED_AT].strip()
    if not text or _ALSO_ACTS.search(text):
        return False
    if text[0].isascii():
        first = next(iter(words_of(text)), "")
        return not _SAID_FIRST.isdisjoint(_singular(first)) or _A_PART_OF.match(text) is not None
    return _SAYS_IT_LOOKS.match(text) is not None
