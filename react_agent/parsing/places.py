"""What the marks look like: every pattern that may start or end a segment.

Each decides within `buffer.REACH` characters, so that a stream knows when to wait.  Literals come from the dialect table,
labels from `labels`, names from the declared tools.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict

import regex

from .buffer import LineMarks, Literals, Marks, Places
from .dialects import OPENERS
from .labels import FRESH_LABEL, FRESH_START, INLINE_HEAD, INLINE_HEAD_CUT, INLINE_LABEL, LINE_LABEL
from .words import any_of

THINK_CLOSERS = tuple(closer for opener in OPENERS.values() if opener.kind == "think" for closer in opener.closers
                       if closer not in ("<|end|>", "<|start|>", "<|channel|>"))  # fmt: skip
_TAG_HEAD = r"(?:function\s{0,4}=|(?:invoke|function|tool|tool_call|call)\s{1,4}name\s{0,4}=)\s{0,4}"
_FUNCTION_TAG = rf"<(?:[\w｜|‖]{{1,16}}[:｜|‖])?{_TAG_HEAD}[\"']?[^\"'<>\n]{{1,128}}"
_STRIPPED = r"(?-i:assistant(?=final|commentary to=))(?:(?-i:final))?"
"""What is left of a harmony head when the server removes the tokens."""
STRIPPED_THOUGHT = "analysis"
"""What is left of the head of its reasoning."""
_HARMONY = (
    r"<\|(?:start\|>assistant|channel\|>\s?\w{1,16})(?:<\|channel\|>\w{1,16})?\s?"
    r"to=(?:functions\.)?(?P<recipient>[\w.\-]{1,128})(?:[^\n{<]|<(?!\|message\|>)){0,80}+<\|message\|>"
    r"|(?-i:commentary to=functions\.)(?P<bare>[\w.\-]{1,128}?)[ ]{0,4}(?:(?:commentary)?[ ]{0,4}json)?[ ]{0,4}(?=\{)"
)
INDENT = r"[ \t]{0,100}"
"""Blanks before and within a mark: bounded as everything is, or a stream could not tell when they matter."""
_TARGETS = r"\w{1,24}(?:,[ ]?\w{1,24}){0,4}"
"""What a line of code gives its result to."""
_FENCE_MARK = rf"^{INDENT}(?P<ticks>`{{3,16}}|~{{3,16}})"


FENCE_BEHIND = Marks(r"[ \t]{0,8}(?P<ticks>`{3,16})")
"""A fence on the line of a label."""
_LINE = (
    FRESH_START + r"(?=[ \t]*(?![ \t])(?:[`~|{\[｛［#\ufeff\u200b]|\*\*|>>?(?!>)"
    r"|[^\n:：(\[{<=]*(?:[:：(\[{<=]|\n\s{0,16}(?:[{｛=(]|```))))"
)
"""The start of a line that may hold a mark: it starts with what opens, or goes on as labels, code and name lines do."""
_ANY_LINE = FRESH_START + r"(?=[ \t]*\S)"
_NAME_GAP = r"[^>\n{\[<]*(?:[{\[]|<[|｜]|\n\s{0,16}(?:[{｛]|```))"
_EARLY = (
    r"|<(?=[\w|｜‖/]|<f)|\[(?=[\w/]|\[ )|✿(?=[AFR])|◁(?=[t/])|\](?=<\])|f(?=un)|a(?=ss)|(?<=assistant)c"
    r"|(?<=>)\w|>(?=>>(?:>>>)?[^>])"
)
"""Places inside a line that may come to hold a mark with more text."""
_TICK = r"|`(?=`?(?:[^`]|\Z))"
_BEFORE_INLINE = r"|(?<=[\s。．.!！?？;；,，)）}\]\"'`*])[*_]{0,2}"
_INLINE = rf"{_BEFORE_INLINE}(?={INLINE_HEAD})"
_INLINE_EARLY = rf"{_BEFORE_INLINE}(?={INLINE_HEAD}|{INLINE_HEAD_CUT})"
_EDGES = FRESH_START.replace("^", r"\A|\n") + r"[ \t]*\Z|(?:<<?|\[{1,2}|[✿◁]|\]<?|>{1,6}|fu?|as?)\Z"
_EDGES_LABELLED = rf"{_EDGES}|[\s。．.!！?？;；,，)）}}\]\"'`*][*_]{{0,2}}\Z"


@functools.lru_cache(maxsize=256)
def places_for(tools: tuple[str, ...], labelled: bool = False) -> Places:
    """Everything that may start a segment, for these tool names; in a labelled reply also labels inside a line."""
    marks = (_static(), _named(tools), _inline()) if labelled else (_static(), _named(tools))
    early = _ANY_LINE + _EARLY
    starts = _LINE + _within() if all(map(_is_word, tools)) else early
    spellings = frozenset(form for name in tools for form in _spellings(name))
    return Places(
        marks,
        re.compile(starts + _TICK + (_INLINE if labelled else ""), re.M | re.I),
        re.compile(early + _TICK + (_INLINE_EARLY if labelled else ""), re.M | re.I),
        re.compile(_EDGES_LABELLED if labelled else _EDGES, re.I),
        lambda word: _bare(word) in spellings,
    )


@functools.cache
def _within() -> str:
    """Places inside a line that hold a literal, or what a tag, a header or the name of a tool begins with.

    The group `word` is what must be such a name.
    """
    heads: dict[str, list[str]] = defaultdict(list)
    for literal in sorted({*OPENERS, *THINK_CLOSERS}):
        heads[literal[0]].append(literal[1:])
    literals = "|".join(f"{re.escape(head)}(?={any_of(rest)})" for head, rest in heads.items())
    return (
        rf"|{literals}|<(?=(?:[\w｜|‖]{{1,16}}[:｜|‖])?{_TAG_HEAD}|tool_calls?:|\|(?:start|channel)\|>)"
        r"|<(?=(?P<word>[^\W\d][\w.\-\\]{0,320})\s{0,4}/?>)"
        rf"|a(?=ssistant(?:final|commentary))|(?<=assistant)c(?=ommentary)|(?<=>)\w(?={_NAME_GAP})|>(?=>>(?:>>>)?{_NAME_GAP})"
    )


def half_a_mark(text: str, start: int) -> bool:
    """May the end of the text, from `start` on, be the first half of a label or of a literal mark?"""
    return _MARK_LIKE.search(text, start) is not None and _static().unsure.match(text, start, partial=True) is not None


_MARK_LIKE = re.compile(r"[^\W\d_]|[<\[✿【*#•\-]|\d[.)、]")


@functools.cache
def _static() -> Marks:
    literals = {*OPENERS, *THINK_CLOSERS}
    tags = any_of(literal for literal in literals if literal.startswith("<"))
    others = any_of(literal for literal in literals if not literal.startswith("<"))
    return Marks(
        rf"(?P<literal>{tags}|{others})"
        rf"|(?P<suffixed><tool_calls?:(?P<suffix>\w{{1,16}})>)"
        rf"|(?P<harmony>{_HARMONY})"
        rf"|(?P<stripped>{_STRIPPED})"
        rf"|(?P<tag>{_FUNCTION_TAG})"
        rf"|(?P<fence>{_FENCE_MARK})"
        rf"|(?P<label>{FRESH_LABEL})"
        rf"|(?P<doc>^{INDENT}(?:\||>>?(?!>)))"
        rf"|(?P<value>^[ \t\ufeff\u200b]{{0,100}}[{{\[｛［])"
        rf"|(?P<tick>`{{1,2}}(?!`))",
        regex.M | regex.I,
    )


_NAME = r"[^\W\d][\w.\-]{0,127}+(?:\\_[\w.\-]{0,20}+){0,8}+"
"""As long as names may be; without bounds `regex` takes quadratic time to give up on a long one.  What may follow a name cannot
stand in one, so none is tried shorter than it is."""
_ONE_WORD = regex.compile(_NAME)


def _named(tools: tuple[str, ...]) -> Marks:
    """What is told by the name of a tool.  Names that are one word share a pattern, so that a new tool costs nothing."""
    words = frozenset(form for name in tools if _is_word(name) for form in _spellings(name))
    others = tuple(name for name in tools if not _is_word(name))
    marks = _named_by(rf"(?:{any_of(others)}|{_NAME})") if others else _named_by_word()

    def is_declared(match: regex.Match[str]) -> bool:
        name = match[_NAMES[match.lastgroup or ""]]
        return _bare(name) in words or name in others

    return marks.only(is_declared)


def _named_by(name: str) -> Marks:
    return Marks(
        rf"(?P<tooltag><(?P<tool>{name})\s{{0,4}}/?>)"
        rf"|(?P<named>(?:^{INDENT}|(?<=>)|>>>)(?:>>>{INDENT})?(?:functions\.)?(?P<first>{name})(?::\d{{1,9}})?{INDENT}"
        rf"(?P<gap>\n\s{{0,16}}(?:[{{｛]|```)|\[ARGS\]|<[｜|]tool|<\|tool_call_arg|<\|message|\{{))"
        rf"|(?P<python>^{INDENT}[\"'`]?(?:{_TARGETS}\s{{0,4}}[=(]\s{{0,4}})?(?P<called>{name}){INDENT}\()"
        rf"|(?P<braces>^{INDENT}call[: ](?P<braced>{name}){INDENT}\{{)",
        regex.M | regex.I,
    )


@functools.cache
def _named_by_word() -> Marks:
    return _named_by(_NAME)


def _is_word(name: str) -> bool:
    return _ONE_WORD.fullmatch(name) is not None


_NAMES = {"tooltag": "tool", "named": "first", "python": "called", "braces": "braced"}
"""What is told by a name, and the group that holds it."""


def _spellings(name: str) -> tuple[str, str]:
    return _bare(name), _bare(name.replace(".", "_"))


def _bare(name: str) -> str:
    return name.replace("\\_", "_").casefold()


@functools.cache
def _inline() -> Marks:
    return Marks(rf"(?P<inline>{INLINE_LABEL})", regex.I)


LABELLED_LINE = LineMarks(LINE_LABEL, regex.M | regex.I)
LABEL_BEHIND = Marks(FRESH_LABEL, regex.M | regex.I)
"""A label right behind reasoning."""


def _opening(*kinds: str) -> Marks:
    return Marks("|".join(regex.escape(opener.literal) for opener in OPENERS.values() if opener.kind in kinds))


CALL_OPENERS = _opening("call")
CALL_CLOSERS = Marks(
    any_of(
        closer
        for opener in OPENERS.values()
        if opener.kind == "call"
        for closer in opener.closers
        if "call" in closer.casefold() and (closer not in OPENERS or OPENERS[closer].kind == "noise")
    )
)
"""What closes a wrapper and nothing else."""
INNER_MARKS = Marks(
    rf"{any_of({*OPENERS, *THINK_CLOSERS})}|<tool_calls?:|{_HARMONY}|{_FUNCTION_TAG}|{LINE_LABEL}", regex.M | regex.I
)
"""What between answer marks would be a mark of its own, were these none."""
VALUE_OPEN = regex.compile(r"<(?:\w*[_|])?arg_value(?::\w+)?>|<(?:[\w｜|‖]+[:｜|‖])?param(?:eter)?[\s=][^<>\n]{1,200}>")
VALUE_CLOSE = Marks(r"</(?:\w*[_|])?arg_value(?::\w+)?>|</(?:[\w｜|‖]+[:｜|‖])?param(?:eter)?>")
CODE_LINE = Marks(rf"\n[ \t]{{0,40}}(?:{_TARGETS}\s{{0,4}}[=(]\s{{0,4}})?(?P<called>{_NAME})[ \t]{{0,8}}\(")
"""A further line of code behind a line of code."""
_GOES_ON = r"(?:[ \t]{1,4}(?:[^\W\d_]|<)|[ \t]{0,4}[,.;:!?)]|[ \t]{0,4}\n|[ \t]{0,4}\Z)"
MENTION = Marks(
    r"[ \t]{0,4}[,.;!?)，。、；！？）”’」』]"
    rf"|[ \t]{{1,4}}(?P<word>[^\W\d_\u4e00-\u9fff][\w'’\-]{{0,40}}){_GOES_ON}"
    r"|[ \t]{0,4}(?P<words>[\u4e00-\u9fff]{1,40}+)[ \t]{0,4}(?:[，。；、！？：]|[^\W\d_]|\n|\Z)"
)
"""Words that go on behind a mark which is only spoken of: `use <tool_call> tags`."""
NAME_IN_TAG = Marks(
    r"[ \t\n]{0,8}[^<>\n]{1,128}</(?:tool|action|function)>\s{0,16}"
    r"<(?P<inside>(?:tool|action)_(?:input|arguments|args)|arguments|parameters|args|params|input)>"
)
"""Behind `<tool>`: its name alone, and the tag of its input."""
TAG_END = Marks(r"[\"']?[ \t]{0,4}/?>")
MENTION_NOUN = Marks(r"[ \t]{1,4}(?:tags?|tokens?|blocks?|markers?|elements?)\b|[ \t]{0,4}(?:标签|标记|标识|符号)", regex.I)
BRACKET_OPENERS = tuple(literal for literal in OPENERS if literal.startswith("["))
COLON = Marks(r"[ \t]*[:：]?[ \t]*")
_TURN_ENDS = any_of(literal for literal, opener in OPENERS.items() if opener.kind in ("observe", "end"))
BODY_END = Marks(rf"\n[ \t]*\n|\n```|<\|(?!\")|{_TURN_ENDS}")
"""What ends a body that has no closing mark."""
JSON_IN_TAG = Marks(r"[\"']?\s{0,4}>\s{0,16}(?=\{)")
QUOTED_INPUT = Marks(r"[^\s\[\](){}<>:：\"']{1,128}[ ]?(?=\[\")")
CODE_END = Marks(r"</code>")
BRACE = Marks(r"[^\s\w\[\]<>|｜▁:.\-]")


@functools.cache
def any_literal(literals: tuple[str, ...]) -> Literals:
    """Any of these, the longest first."""
    return Literals(literals)


@functools.cache
def fence_end(mark: str) -> Marks:
    """The closing line of a code fence, also glued to the end of a value."""
    return Marks(rf"(?:^|(?<=[}}\])]))[ \t]*{re.escape(mark)}{{3,16}}", regex.M)
