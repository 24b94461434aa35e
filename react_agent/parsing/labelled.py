"""Calls behind an action label.

Action: f              a name line, its input behind an input label
Action: {…}            a value, a fence, a wrapper or code
Action: f[x]           the input on the action line, in any of the body grammars
Action: Finish[x]      not a call but the answer
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.repair.reader import OPENING, Unreadable, read, read_call

from .blocks import Block, without_tokens
from .bodies import Found, WrittenAnswer
from .evidence import LABELLED
from .forms import unquoted
from .labels import PARTIAL_STOP
from .names import Declared
from .placeholders import placeholder_in
from .segments import Segment
from .settle import Written
from .shapes import answer_text
from .verdict import Verdict

_NO_ACTION = re.compile(
    r"\s*(?:(?:none|n/?a|null|nothing|no (?:action|tool)s?|not? needed)\b[^\[\](){}]{0,60}"
    r"|(?:无|没有|无需|不需要|不用)[^\[\](){}（）]{0,20})(?:\s[(（][^\[\](){}（）=\"']{1,80}[)）][.。]?)?\Z",
    re.I,
)
_FINAL = re.compile(
    r"\s*[\"'`*]*(?:final[ _]?answer|finish|final|最终答案|最终回答|完成|directly[_-]answer|answer)[\"'`*]*\s*\Z", re.I
)
_FINAL_BRACKET = re.compile(r"\s*(?:finish|final[ _]?answer|answer|完成|最终答案)\s*[\[(](?P<text>.*)[\])]\s*\Z", re.I | re.S)
_BRACKET = re.compile(r"\s*(?P<name>[^\s\[\](){}<>:：\"']{1,128})\s*\[(?P<input>.*)\]\s*\Z", re.S)
_OPENED = re.compile(r"(?P<name>[^\s\[\](){}<>:：\"']{1,128})\s*\[[^\]]*\Z")
_QUOTED = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.S)  # matches at every quote, or floods of them would take long
_ENCODED = re.compile(r"\s*[{\[]\s*[\"'“]?\w+[\"'”]?\s*[:：]")
_WIDE_BRACKETS = re.compile(r"（(?P<input>[^（）]{1,2000})）\s*\Z")
"""An input; behind a name that has an input of its own it is a remark."""
_LONGEST_NAME = 4  # words
_DECORATED = re.compile(r"\*\*|#|^\s*[-*•]|__")
_TOOL_CALL = re.compile(r"\W*tool[ _]?call\W*", re.I)
_NAME_LIKE = re.compile(r"[`*\"'{\[<（(]*[\w.\-: ]{1,64}[`*\"'}\]>）)]*")


def take_action(verdict: Verdict, block: Block, follows: Block | None) -> bool:
    """Read an action block; True when it used the input block that follows."""
    value = next((part for part in block.parts if part.kind in ("value", "fence", "python") or _in_ticks(verdict, part)), None)
    given = follows if follows is not None and follows.kind == "input" else None
    if value is not None and not verdict.text[block.start : value.start].strip(" \t\r\n*`"):
        return _take_value(verdict, block, value, follows, given)
    name, rest = first_line(verdict.text, block)
    if not name or (_NO_ACTION.match(name) and verdict.names.find(name) is None):
        return given is not None
    if _FINAL.match(name) and verdict.names.find(name) is None:
        verdict.conclude(rest if given is None else _answer(_input_text(verdict, given)))
    elif given is not None:
        _take_named(verdict, name, given)
    elif follows is not None and follows.kind == "answer" and _is_sentence(name):
        verdict.thoughts.append(name)
    else:
        _take_line(verdict, block, name, rest)
    return given is not None


def _in_ticks(verdict: Verdict, part: Segment) -> bool:
    """Is the part a value written as inline code?"""
    return part.kind == "doc" and part.until > part.inner and verdict.text.startswith(OPENING, part.inner)


def first_line(text: str, block: Block) -> tuple[str, str]:
    """The first line of a block with something on it, and what follows it."""
    content = text[block.start : block.end].lstrip()
    line, _, rest = content.partition("\n")
    return line.strip(), rest.strip()


def _take_value(verdict: Verdict, block: Block, value: Segment, follows: Block | None, given: Block | None) -> bool:
    """Read the value behind the label; True when it only names the tool and the input block was used."""
    start, end = (value.inner, value.until) if value.kind == "doc" else (value.start, block.end)
    written = verdict.read(start, end, "label", bounded=follows is not None or value.kind == "doc")
    if value.kind == "fence" and _TOOL_CALL.fullmatch(verdict.text[block.begin : block.start]):
        written = [replace(item, dialect="rwkv") if isinstance(item, Written) else item for item in written]
    if given is not None and len(written) == 1 and isinstance(written[0], Written) and written[0].raw is None:
        _take_named(verdict, written[0].name, given)
        return True
    if written:
        verdict.take(written, LABELLED, value.end if value.kind == "fence" else max(item.end for item in written))
    else:
        cut = value.read is not None and value.read.cut
        verdict.refuse("cut" if cut else "malformed", value.start, value.end, dialect="label")
    return False


def _take_named(verdict: Verdict, name: str, given: Block) -> None:
    """A name line and an input block."""
    start, end = given.begin, given.end
    value = next((part for part in given.parts if part.kind in ("value", "fence")), None)
    text = _input_text(verdict, given)
    if value is not None and not verdict.text[given.start : value.start].strip():
        end = value.end
        if value.read is not None and not value.read.cut:
            found = value.read
            verdict.take([Written(name, found.value, start, end, _dialect(verdict, given), found.fixes)], LABELLED, end)
            return
        if value.kind == "fence":
            text = verdict.text[value.inner : value.until].strip()
    if placeholder_in(text):
        verdict.refuse("placeholder", start, end, f"{text[:60]!r} is a placeholder, not a value", name=name)
        return
    cut = _is_cut_input(verdict, given, name, text) or (value is not None and not value.closed)
    verdict.take([Written(name, text, start, end, _dialect(verdict, given), cut=cut)], LABELLED, end)


def _answer(written: str) -> str:
    """The answer in the input of a final action: plain or quoted text, or an object that holds it."""
    if not written.startswith("{"):
        return str(unquoted(written)[0])
    try:
        found = read(written)
    except Unreadable:
        return written
    return written if found.cut or written[found.end :].strip() else answer_text(found.value) or written


def _answer_in_brackets(content: str, inside: str) -> str:
    """The answer in `Finish[…]` or `finish(answer="…")`."""
    try:
        call = read_call(content)
    except Unreadable:
        return _answer(inside.strip())
    if call.read.cut or content[call.read.end :].strip() or len(call.positional) + len(call.keywords) != 1:
        return _answer(inside.strip())
    return answer_text(call.keywords or call.positional[0]) or inside


def _input_text(verdict: Verdict, block: Block) -> str:
    return PARTIAL_STOP.sub("", without_tokens(verdict.text, block.start, block.end, [block])).strip()


def _is_cut_input(verdict: Verdict, given: Block, name: str, text: str) -> bool:
    """Does an input end in half a label, in an open quotation or in the middle of a value?"""
    if _ends_in_half_a_mark(verdict, given):
        return True
    if text.startswith(('"', "“", "「", "`")):
        return given.end == len(verdict.text) and (_is_cut(text) or not text.strip("`"))
    tool = verdict.names.find(name)
    return text.startswith(("{", "[")) and not (tool and _takes_text(tool[0], text)) and _is_cut(text)


def _ends_in_half_a_mark(verdict: Verdict, block: Block) -> bool:
    """Is the last line of a block that ends the reply the first half of a label?  Half an observation is a stop word's rest."""
    start, end = verdict.cut_mark, block.end
    if (
        start >= end
        or not block.parts
        or block.parts[-1].kind in ("fence", "noise")
        or not verdict.text[block.start : start].strip()
    ):
        return False
    return PARTIAL_STOP.search(verdict.text, start - 1) is None


def _takes_text(tool: Declared, text: str) -> bool:
    """The one parameter of the tool is text: then brackets in a bare input are data, not a cut object."""
    return tool.only_parameter is not None and _ENCODED.match(text) is None


def _is_cut(text: str) -> bool:
    """Does a value start here, and the text end inside of it?"""
    try:
        return read(text).cut
    except Unreadable:
        return False


def _take_line(verdict: Verdict, block: Block, name: str, rest: str) -> None:
    """The call in the action line itself, or a name and nothing."""
    text, names = verdict.text, verdict.names
    content = text[block.start : block.end].strip()
    final = _FINAL_BRACKET.match(content)
    if final is not None and names.find(re.split(r"[\[(]", content)[0].strip()) is None:
        verdict.conclude(_answer_in_brackets(content, final["text"]))
        return
    bracket = _BRACKET.match(name) or _BRACKET.match(content)
    if bracket is not None and names.find(bracket["name"]) is not None:
        bare = _QUOTED.sub("", content)  # a bracket within quotes opens nothing
        cut = block.end == len(text) and bare.count("[") > bare.count("]")
        written = Written(bracket["name"], bracket["input"], block.start, block.end, "react_bracket", cut=cut, typeless=True)
        verdict.take([written], LABELLED, block.end)
        return
    start = text.index(name, block.start)
    dialect = _dialect(verdict, block)
    if _ends_in_half_a_mark(verdict, block):
        verdict.take([Written(name, rest, start, block.end, dialect, cut=True)], LABELLED, block.end)
        return
    wide = _WIDE_BRACKETS.search(name) if not rest else None
    if wide is not None and (tool := names.find(name)) and tool[0].required:
        verdict.take([Written(name, wide["input"], start, block.end, dialect, typeless=True)], LABELLED, block.end)
        return
    found = verdict.read(start, block.end, "label", bounded=False)
    known = [_relabelled(item, dialect) for item in found if isinstance(item, WrittenAnswer) or names.find(item.name)]
    if known:
        verdict.take(known, LABELLED, max(item.end for item in known))
    elif names.find(name) is not None:
        end = block.end if rest else start + len(name)
        verdict.take([Written(name, rest or None, start, end, dialect)], LABELLED, end)
    elif found or _looks_like_name(name):
        verdict.take(found or [Written(name, rest, start, block.end, dialect)], LABELLED, block.end)
    elif (opened := _OPENED.match(content)) and names.find(opened["name"]) and not text[block.end :].strip():
        verdict.refuse("cut", block.begin, block.end, "the input is not closed", name=opened["name"], dialect="react_bracket")
    else:
        verdict.prose.append((block.begin, block.end))
        verdict.refuse("malformed", block.begin, block.end, "no tool is named")


def _looks_like_name(line: str) -> bool:
    return len(line) <= 80 and len(line.split()) <= _LONGEST_NAME and _NAME_LIKE.fullmatch(line) is not None


def _is_sentence(line: str) -> bool:
    return line.endswith((".", "。", "!", "！")) or len(line.split()) > _LONGEST_NAME


def _relabelled(item: Found, dialect: str) -> Found:
    return replace(item, dialect=dialect) if isinstance(item, Written) and item.dialect == "label" else item


def _dialect(verdict: Verdict, block: Block) -> str:
    """The dialect of a label: its own where a mark is the label, else by its decoration and language."""
    label = block.label
    if label is None or label.dialect:
        return label.dialect if label is not None else "react_en"
    written = verdict.text[label.start : label.end]
    if _DECORATED.search(written):
        return "react_md"
    return "react_en" if written.isascii() else "react_zh"
