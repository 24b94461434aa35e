"""The characters and patterns that the reader knows: what opens, closes, separates and quotes.

Every pattern is linear: it never tries two ways through the same characters.
"""

from __future__ import annotations

import re

BLANK = re.compile(r"[\s\ufeff\u200b]*")
NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][-+]?\d+)?)")
JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?\Z")
WORD = re.compile(r"[^\W\d][\w$]*(?:[.\-][\w$]+)*")
IDENTIFIER = re.compile(r"[^\W\d]\w*")
CALL_NAME = re.compile(r"[^\W\d](?:[\w\-]|\\_)*(?:\.(?:[\w\-]|\\_)+)*")
LITERALS = {"true": True, "false": False, "null": None}
PYTHON = {"True": True, "False": False, "None": None, "TRUE": True, "FALSE": False, "NULL": None, "nil": None}
TOKEN_QUOTE = "\ue000"
"""Stands for a special token that quotes, such as Gemma's: whatever is between two of them is text."""

CLOSING = {
    TOKEN_QUOTE: TOKEN_QUOTE,
    '"': '"',
    "'": "'",
    "“": "”",
    "‘": "’",
    "「": "」",
    "＂": "＂",
    "`": "`",
    "”": "”",
    "’": "’",
}
ALSO_CLOSING = {"“": '”"“', "”": '”"', "‘": "’'", "’": "’'", '"': '"', "'": "'"}
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
STOP = {quote: re.compile("[\\\\\n\r" + "".join(ALSO_CLOSING.get(quote, close)) + "]") for quote, close in CLOSING.items()}
COLON = ":："
COMMA = ",，、"
CLOSERS = "}])｝］"
KEY = re.compile(
    r"""\s*(?:"(?:[^"\\\n]|\\.){0,120}"|'[^'\n]{0,120}'|“[^”\n]{0,120}”|[^\W\d]\w{0,60})\s*[:：=]""",
)
NEXT_ARGUMENT = re.compile(r"[^\W\d](?:[\w.]|\\_)*\s*[=(]")
KEYWORD = re.compile(r"""["']?([^\W\d](?:[\w\-]|\\_)*)["']?\s*[=:](?!=)\s*""")
DRIVE = re.compile(r"[A-Za-z]:(\\[^\\\"'/\n]+)+")
COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
BARE_END = re.compile(r"[,，}\]｝］\n]")
