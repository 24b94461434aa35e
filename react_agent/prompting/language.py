"""Which language to speak with the model: decided by the user's text alone.

The rule: Chinese when its Han characters make at least as many words as there are Latin ones, so that an English sentence
with one Chinese name stays English and a Chinese sentence full of code stays Chinese.  Kana or Hangul in the text mean that the
Han characters are not Chinese.
"""

from __future__ import annotations

import re
from typing import Literal

Lang = Literal["zh", "en"]

_CHARS_PER_WORD = 1.6  # of Chinese
_SAMPLE = 4000  # characters that are looked at: the start of a long task tells the language
_HAN = re.compile("[\u4e00-\u9fff\u3400-\u4dbf]")
_LATIN_WORD = re.compile("[A-Za-z\u00c0-\u024f]+")
_NEIGHBOURS = re.compile("[\u3040-\u30ff\uac00-\ud7af]")


def language(text: str) -> Lang:
    """ "zh" for a text that is mainly Chinese, "en" for every other.

    >>> language("查订单 A1001"), language("Is 显示器 in stock?")
    ('zh', 'en')
    """
    start = text[:_SAMPLE]
    han = len(_HAN.findall(start))
    if not han or _NEIGHBOURS.search(start):
        return "en"
    return "zh" if han >= _CHARS_PER_WORD * len(_LATIN_WORD.findall(start)) else "en"
