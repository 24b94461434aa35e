"""The characters and patterns that the reader knows: what opens, closes, separates and quotes.

Every pattern is linear: no two of its parts can match the same characters.  A `Pattern` also knows how far it looks, so that a
reading can tell whether more text would have changed a match.
"""

from __future__ import annotations

import functools
import re

import regex


class Pattern:
    """A pattern that looks at most `reach` characters beyond the end of its match (of its start, when it fails)."""

    def __init__(self, source: str, reach: int) -> None:
        self._source = source
        compiled = re.compile(source)
        self.match, self.search = compiled.match, compiled.search
        self.reach = reach

    @functools.cached_property
    def _unsure(self) -> regex.Pattern[str]:
        # a class that holds no character: all that this pattern can give is a partial match at the end of the text
        return regex.compile(rf"(?:{self._source})[^\x00-\U0010ffff]")

    def hangs_on_the_end(self, text: str, index: int) -> bool:
        """True when text added at the end could change the match at `index`."""
        return self._unsure.match(text, index, partial=True) is not None


ZERO_WIDTH = "\ufeff\u200b\u200c\u200d\u2060"
BLANK = re.compile(rf"[\s{ZERO_WIDTH}]*")
CONTROL = re.compile(r"[\x00-\x1f]")

QUOTES = {"“": "”", "‘": "’", "「": "」", "”": "”", "’": "’", "＂": "＂"}
TOKEN_QUOTE = "\ue000"
"""Stands for a special token that quotes, such as Gemma's: whatever is between two of them is text."""
CLOSING = {'"': '"', "'": "'", "`": "`", TOKEN_QUOTE: TOKEN_QUOTE, **QUOTES}
ALSO_CLOSING = {"“": '”"“', "”": '”"', "‘": "’'", "’": "’'"}
STOP = {quote: re.compile("[\\\\" + ALSO_CLOSING.get(quote, close) + "]") for quote, close in CLOSING.items()}
STOP[TOKEN_QUOTE] = re.compile(TOKEN_QUOTE)

OPENING = ("{", "[", "｛", "［")
"""What a container starts with."""
CLOSERS = frozenset("}])｝］）")
PLAIN = {"｛": "{", "［": "[", "（": "(", "｝": "}", "］": "]", "）": ")"}
OPENER_OF = {"}": "{", "]": "[", ")": "("}
COLON = frozenset(":：")
COMMA = frozenset(",，、")
SEPARATORS = COMMA | {";", "；"}

LITERALS = {"true": True, "false": False, "null": None}
OTHER_LITERALS = {
    "True": True, "False": False, "None": None, "TRUE": True, "FALSE": False, "NULL": None, "nil": None, "undefined": None,
}  # fmt: skip
STRING_PREFIXES = ("r", "f", "b", "u", "rb", "br")

NUMBER = Pattern(r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?)", 3)
JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
WORD = Pattern(r"[^\W\d][\w$]*(?:[.\-][\w$]+)*", 2)
CALL_NAME = Pattern(r"[^\W\d](?:[\w\-]|\\_)*(?:\.(?:[\w\-]|\\_)+)*", 2)
LITERAL = Pattern(rf"(?:{'|'.join((*LITERALS, *OTHER_LITERALS))})(?!\w)", 10)
BARE_END = re.compile(r"[,，}\]｝］\n]")
MAX_KEY = 120
_KEY_END = rf"[\s{ZERO_WIDTH}]{{0,40}}[:：=]"
QUOTED_KEY = Pattern(
    rf"""(?:"((?:[^"\\\n]|\\.){{0,{MAX_KEY}}})"|'([^'\n]{{0,{MAX_KEY}}})'|“([^”\n]{{0,{MAX_KEY}}})”){_KEY_END}""",
    2 * MAX_KEY + 50,
)
BARE_KEY = Pattern(rf"([^\W\d][\w$.\-]{{0,60}}){_KEY_END}", 110)
BARE_KEY_NAME = Pattern(r"(?:[^\W\d]|\$)[\w$.\-]{0,60}(?:\Z|(?:[ ][\w$.\-]{1,60}){0,5}(?=[\s]{0,40}[:：=\"']))", 450)
UNCLOSED_KEY = Pattern(
    r"""["'“]([^\W\d][\w .\-]{0,60}?)\s?[:：]\s{0,20}(?=["'“{\[\d\-]|(?:true|false|null|True|False|None)\b)""", 100
)
SET_START = Pattern(
    rf"""\s{{0,40}}(?:"[^"\\\n]{{0,{MAX_KEY}}}"|'[^'\n]{{0,{MAX_KEY}}}'|-?\d[\d.]{{0,30}})\s{{0,40}},""", MAX_KEY + 90
)
KEYWORD = Pattern(r"""(?P<quote>["']?)(?P<key>[^\W\d](?:[\w\-]|\\_){0,120})(?P=quote)\s{0,40}[=:](?!=)""", 170)
PAIR = Pattern(r"[^\W\d](?:[\w\-]|\\_){0,60}\s{0,8}=(?!=)", 80)
CALLED = Pattern(r"(?P<name>[^\W\d](?:[\w.]|\\_){0,127})\(", 130)
ESCAPED_QUOTE = Pattern(r"""\\+["']""", 2)
STRING_PREFIX = Pattern(r"""(?i:[rfbu]|rb|br)["']""", 3)
UNQUOTED_MARK = regex.compile(r"""(?<=[\s(\[{=,:+*/<>|-])(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|[()\[\]{},\n]""")
"""What matters in text without quotes: a string inside it, a bracket, a comma, a line break."""
CALL_NEXT = Pattern(r"[^\W\d][\w.\-]{0,100}\(", 105)
NUMBER_FOLLOWS = Pattern(r"[-+]?\d[\d_.]{0,40}(?=[\s,\]}])", 45)
