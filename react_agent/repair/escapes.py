"""What a backslash means: the text between two quotes as written, to the text that was meant.

JSON's own escapes are read as JSON reads them.  Where a text holds a backslash that JSON does not know, its author did not
escape backslashes: those of paths, patterns and formulas then stand for themselves.

    C:\\Users\\new       every backslash of a path that has such a one
    \\d+\\b              \\b and \\f too: nobody writes a backspace beside \\d
    \\alpha \\frac{1}{2} the commands of TeX too, though \\f and \\n are escapes
"""

from __future__ import annotations

import re

_PLAIN = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DROPPED = {"_": "_", "'": "'", "`": "`", "“": "“", "”": "”", "\n": ""}
"""Escapes of other languages (Markdown, Python, shell) whose backslash means nothing in JSON."""
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})"
    r"|([A-Za-z]+)|([\s\S]))"
)
_UNKNOWN = re.compile(r"\\(?:\\|u[0-9a-fA-F]{4}|([^\"\\/bfnrtu_'`“”\n]))")
_PATH = re.compile(r"(?<![A-Za-z])[A-Za-z]:(?:\\{1,2}[^\\\"'/:*?<>|\n]*)+|\A\\\\[\w.$\-]+(?:\\[^\\\"'/:*?<>|\n]*)+")
_TEX = re.compile(r"\\[A-Za-z]{2,}|\\[()\[\]{}]")
_TEX_WORDS = frozenset(
    (
        "backslash", "bar", "because", "begin", "beta", "between", "bf", "big", "bigcap", "bigcup", "bigg", "bigl", "bigr",
        "binom", "bmod", "bold", "boldsymbol", "bot", "bowtie", "box", "boxed", "breve", "bullet", "fbox", "flat", "forall",
        "frac", "frown", "nabla", "natural", "ne", "nearrow", "neg", "neq", "newcommand", "newline", "ni", "nmid", "nolimits",
        "nonumber", "not", "notin", "nparallel", "nu", "nwarrow", "rangle", "rbrace", "rbrack", "rceil", "ref",
        "renewcommand", "rfloor", "rho", "right", "rightarrow", "rightharpoonup", "rightleftharpoons", "rm", "root", "rule",
        "tag", "tan", "tanh", "tau", "tbinom", "text", "textbf", "textit", "textrm", "textsc", "textsf", "texttt",
        "textwidth", "tfrac", "therefore", "theta", "tilde", "times", "title", "tiny", "to", "top", "triangle",
        "triangledown", "triangleleft", "triangleright",
    )
)  # fmt: skip


def meant(written: str, quote: str = '"') -> tuple[str, bool]:
    """The text that `written` stands for, and whether each of its backslashes is one that JSON knows.

    >>> meant(r"a\\tb")
    ('a\\tb', True)
    >>> meant(r"C:\\Users\\new")[0] == r"C:\\Users\\new"
    True
    """
    if "\\" not in written:
        return written, True
    parts, known, index = [], True, 0
    style = _Style(written, quote)
    for path in _PATH.finditer(written):
        if _has_unknown(path.group()):
            parts += [style.read(written[index : path.start()]), path.group()[:2] + path.group()[2:].replace("\\\\", "\\")]
            index, known = path.end(), False
    parts.append(style.read(written[index:]))
    return "".join(parts), known and style.known


def is_path(written: str) -> bool:
    """True for a Windows path that was not escaped, and nothing else."""
    return _PATH.fullmatch(written) is not None and _has_unknown(written)


def _has_unknown(written: str) -> bool:
    return any(match.group(1) for match in _UNKNOWN.finditer(written))


class _Style:
    """How the author of one text used backslashes."""

    def __init__(self, written: str, quote: str) -> None:
        self.known = True
        self._python = quote == "'"
        self._careless = _has_unknown(written)
        self._tex = self._careless and any(_is_unknown(match.group()) for match in _TEX.finditer(written))

    def read(self, written: str) -> str:
        return _ESCAPE.sub(self._one, written)

    def _one(self, match: re.Match[str]) -> str:
        high, low, unit, hexadecimal, long, letters, other = match.groups()
        if high:
            return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
        if unit:
            return self._unit(int(unit, 16))
        if hexadecimal or long:
            return self._code(match.group(), int(hexadecimal or long, 16))
        return self._letters(letters) if letters else self._sign(other)

    def _unit(self, code: int) -> str:
        if 0xD800 <= code < 0xE000:
            self.known = False
            return "\ufffd"
        return chr(code)

    def _code(self, written: str, code: int) -> str:
        """`\\x41` and `\\U0001F600`: escapes in Python's quotes, text elsewhere."""
        self.known = False
        return chr(code) if self._python and code < 0x110000 and not 0xD800 <= code < 0xE000 else written

    def _letters(self, letters: str) -> str:
        first = letters[0]
        if first not in "bfnrt" or (self._careless and first in "bf") or (self._tex and letters in _TEX_WORDS):
            self.known = False
            return "\\" + letters
        return _PLAIN[first] + letters[1:]

    def _sign(self, sign: str) -> str:
        if sign in _PLAIN:
            return _PLAIN[sign]
        self.known = False
        return _DROPPED.get(sign, "\\" + sign)


def _is_unknown(command: str) -> bool:
    return command[1] not in "bfnrtu"
