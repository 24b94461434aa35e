"""Tells «I will look that up» from an answer: the model announced an action and did not make it.

In: a reply without any call.  Out: whether it is a short announcement and nothing else.  The rule: every sentence must be
filler or begin as an announcement does; one sentence that says anything more makes it an answer.  A wrong yes costs one
question, a wrong no costs the user an answer, so only plain cases count.
"""

from __future__ import annotations

import re

MAX_CHARS = 160
_SENTENCE = re.compile(r"[^。！!\n.…,，:：;；]+")
_FILLER = re.compile(
    r"(?:好的?|当然(?:可以)?|没问题|可以|明白了?|收到|请?稍(?:等|候).*|请等.*|"
    r"ok(?:ay)?|sure(?: thing)?|certainly|of course|alright|"
    r"one moment.*|just a (?:moment|second).*|please wait.*|hold on.*)",
    re.IGNORECASE,
)
_ANNOUNCEMENT = re.compile(
    r"(?:我(?:来|先|这就|马上|现在|将|会|要|需要)|让我|正在(?:为您|为你|查|搜|获取|读取|计算|调用)|接下来我|首先，?我?(?:需要|要|来|将)|"
    r"let me(?! know)|i(?:'| wi)ll |i(?:'|’)ll |i am going to |i'm going to |i need to |i will |first,? i(?:'ll| will| need)|"
    r"next,? i(?:'ll| will| need)|now i(?:'ll| will| need)|checking |looking (?:up|for|into) |calling )",
    re.IGNORECASE,
)


def announces(text: str) -> bool:
    """True when `text` only says that something will be done.

    >>> announces("好的，我来查一下天气。"), announces("Let me know if you need more."), announces("我来自北京，今年 30 岁。")
    (True, False, False)
    """
    if len(text) > MAX_CHARS:
        return False
    sentences = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    announced = [bool(_ANNOUNCEMENT.match(sentence)) for sentence in sentences]
    return any(announced) and all(
        said or _FILLER.fullmatch(sentence) for said, sentence in zip(announced, sentences, strict=True)
    )
