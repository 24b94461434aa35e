"""An announcement instead of an action: «I will look that up», and no call.

Only what a tool may be meant for is sent back: something is to be looked up or called, or the sentence names a tool or the act
that a tool is named after.  Every sentence of the answer must be filler, an announcement or what goes on with one («then I
compare»); one that says anything more makes it an answer.  What waits for the user («when you say go», «I need your city») is
no announcement, and to a task that asks for a wording («translate …») or for plans («what can you do?») it is an answer.  A
wrong yes costs one question, a wrong no costs the user an answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from react_agent.engine.naming import verb_of, words_of
from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english

from .case import Case, Found

MAX_CHARS = 160
_LOOKED_AT = 2000  # characters of a task
_SENTENCE = re.compile(r"(?:[^。！!\n.…,，:：;；]|\.(?=\w))+")
_FILLER = either(english.FILLER, chinese.FILLER)
_WILL = either(english.WILL, chinese.WILL)
_LOOKS_UP = either(english.LOOKS_UP, chinese.LOOKS_UP)
_LOOKING_UP = either(english.LOOKING_UP)
_USING = either(english.USING)
_WORDING = either(english.WORDING, chinese.WORDING)
_FOLLOWS = either(english.FOLLOWS, chinese.FOLLOWS)
_UP_TO_USER = either(english.UP_TO_USER, chinese.UP_TO_USER)
_PLANS = either(english.PLANS, chinese.PLANS)
_SENTENCES = either(english.SENTENCES, chinese.SENTENCES)
_QUOTING = re.compile(r"[«“\"「『‘]|[:：](?!//)")


def announced(state: State, case: Case) -> Found | None:
    """Whether the answer announces an action with a tool, and is not what was asked for."""
    tools = [spec.name for spec in state.prompt.specs]
    return Found() if tools and announces(case.answer, tools) and not _asks_for_it(state.task[:_LOOKED_AT]) else None


def announces(text: str, tools: Collection[str] = ()) -> bool:
    """True when `text` only says that something will be done, and what it says is done with one of the `tools`, by name.

    >>> announces("好的，我来查一下天气。"), announces("Let me know if you need more."), announces("I will come.")
    (True, False, False)
    >>> announces("I will book a table.", ["book_table"])
    True
    """
    if len(text) > MAX_CHARS:
        return False
    sentences = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    meant = [_with_a_tool(sentence, tools) for sentence in sentences]
    return any(meant) and all(
        tool or _WILL.match(sentence) or any(said.fullmatch(sentence) for said in (_FILLER, _FOLLOWS))
        for tool, sentence in zip(meant, sentences, strict=True)
    )


def _with_a_tool(sentence: str, tools: Collection[str]) -> bool:
    if _UP_TO_USER.search(sentence):
        return False
    if _LOOKING_UP.match(sentence):
        return True
    if _USING.match(sentence):
        return any(name in sentence for name in tools)
    will = _WILL.match(sentence)
    if will is None:
        return False
    rest = sentence[will.end() :]
    return _LOOKS_UP.match(rest) is not None or any(_is_meant(name, rest) for name in tools)


def _is_meant(name: str, what: str) -> bool:
    """Whether the announced action names the tool, or is what the tool is named after."""
    if name in what:
        return True
    if verb := verb_of(name):
        act, chinese_act = english.FORMS.get(verb, (verb, ""))[0], chinese.FORMS.get(verb, verb)
        return re.match(rf"(?:{act})\b", what, re.IGNORECASE) is not None or re.search(chinese_act, what) is not None
    said, words = what.lower().split(), words_of(name)
    return said[:1] == words[:1] and (len(words) == 1 or not set(words[1:]).isdisjoint(said[1:]))


def _asks_for_it(task: str) -> bool:
    """Whether the task asks for a wording, or for what the assistant can or will do."""
    asked = _WORDING.search(task) is not None and _QUOTING.search(task) is not None
    return asked or any(asks.search(task) for asks in (_SENTENCES, _PLANS))
