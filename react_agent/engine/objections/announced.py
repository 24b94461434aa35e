"""An announcement instead of an action: «I will look that up», and no call.

The rule: every sentence of the answer must be filler or begin as an announcement does; one sentence that says anything more
makes it an answer.  A wrong yes costs one question, a wrong no costs the user an answer, so only plain cases count.
"""

from __future__ import annotations

import re

from react_agent.engine.state import State
from react_agent.engine.words import chinese, either, english

from .case import Case, Found

MAX_CHARS = 160
_SENTENCE = re.compile(r"[^。！!\n.…,，:：;；]+")
_FILLER = either(english.FILLER, chinese.FILLER)
_ANNOUNCEMENT = either(english.ANNOUNCES, chinese.ANNOUNCES)


def announced(state: State, case: Case) -> Found | None:
    """Whether the answer announces an action that a tool could be meant for."""
    return Found() if state.prompt.specs and announces(case.answer) else None


def announces(text: str) -> bool:
    """True when `text` only says that something will be done.

    >>> announces("好的，我来查一下天气。"), announces("Let me know if you need more."), announces("我来自北京，今年 30 岁。")
    (True, False, False)
    """
    if len(text) > MAX_CHARS:
        return False
    sentences = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    announcing = [bool(_ANNOUNCEMENT.match(sentence)) for sentence in sentences]
    return any(announcing) and all(
        will_do or _FILLER.fullmatch(sentence) for will_do, sentence in zip(announcing, sentences, strict=True)
    )
