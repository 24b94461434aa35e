"""Calls behind an action label.

Action: f              a name line, its input behind an input label
Action: {…}            a value, a fence, a wrapper or code
Action: f[x]           the input on the action line, in any of the body grammars
Action: Finish[x]      not a call but the answer
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.repair.reader import Unreadable, read

from .blocks import Block, without_tokens
from .bodies import Found, WrittenAnswer
from .evidence import LABELLED
from .labels import PARTIAL_STOP
from .names import Declared
from .segments import Segment
from .settle import Written, placeholder_in, unquoted
from .verdict import Verdict

_NO_ACTION = re.compile(
    r"\s*(?:none|n/?a|无|没有|无需|不需要.{0,10}|null|no action.{0,30}|not? needed|nothing)\s*[.。]?\s*\Z", re.I
)
_FINAL = re.compile(
    r"\s*[\"'`*]*(?:final[ _]?answer|finish|final|最终答案|最终回答|完成|directly[_-]answer|answer)[\"'`*]*\s*\Z", re.I
)
_FINAL_BRACKET = re.compile(r"\s*(?:finish|final[ _]?answer|answer|完成|最终答案)\s*[\[(](?P<text>.*)[\])]\s*\Z", re.I | re.S)
_BRACKET = re.compile(r"\s*(?P<name>[^\s\[\](){}<>:：\"']{1,128})\s*\[(?P<input>.*)\]\s*\Z", re.S)
_ENCODED = re.compile(r"\s*[{\[]\s*[\"'“]?\w+[\"'”]?\s*[:：]")
_NAME_LIKE = re.compile(r"[`*\"'{\[<（(]*[\w.\-: ]{1,64}[`*\"'}\]>）)]*")


def take_action(verdict: Verdict, block: Block, follows: Block | None) -> bool:
    """Read an action block; True when it used the input block that follows."""
    value = next((part for part in block.parts if part.kind in ("value", "fence", "python")), None)
    if value is not None and not verdict.text[block.start : value.start].strip(" \t\r\n*`"):
        _take_value(verdict, block, value, bounded=follows is not None)
        return False
    name, rest = first_line(verdict.text, block)
    given = follows if follows is not None and follows.kind == "input" else None
    if not name or _NO_ACTION.match(name):
        return given is not None
    if _FINAL.match(name) and verdict.names.find(name) is None:
        verdict.conclude(rest if given is None else str(unquoted(_input_text(verdict, given))[0]))
    elif given is not None:
        _take_named(verdict, name, given)
    else:
        _take_line(verdict, block, name, rest)
    return given is not None


def first_line(text: str, block: Block) -> tuple[str, str]:
    """The first line of a block with something on it, and what follows it."""
    content = text[block.start : block.end].lstrip()
    line, _, rest = content.partition("\n")
    return line.strip(), rest.strip()


def _take_value(verdict: Verdict, block: Block, value: Segment, bounded: bool) -> None:
    written = verdict.read(value.start, block.end, "label", bounded=bounded)
    if written:
        verdict.take(written, LABELLED, value.end if value.kind == "fence" else max(item.end for item in written))
    else:
        cut = value.read is not None and value.read.cut
        verdict.refuse("cut" if cut else "malformed", value.start, value.end, dialect="label")


def _take_named(verdict: Verdict, name: str, given: Block) -> None:
    """A name line and an input block."""
    start, end = given.begin, given.end
    value = next((part for part in given.parts if part.kind in ("value", "fence")), None)
    text = _input_text(verdict, given)
    if value is not None and not verdict.text[given.start : value.start].strip():
        end = value.end
        if value.read is not None:
            verdict.take([Written(name, value.read.value, start, end, "react", value.read.fixes)], LABELLED, end)
            return
        text = verdict.text[value.inner : value.until].strip()
    if placeholder_in(text):
        verdict.refuse("placeholder", start, end, f"{text[:60]!r} is a placeholder, not a value", name=name)
        return
    tool = verdict.names.find(name)
    cut = text.startswith(("{", "[")) and not (tool and _takes_text(tool[0], text)) and _is_cut(text)
    verdict.take([Written(name, text, start, end, "react", cut=cut)], LABELLED, end)


def _input_text(verdict: Verdict, block: Block) -> str:
    return PARTIAL_STOP.sub("", without_tokens(verdict.text, block.start, block.end, [block])).strip()


def _takes_text(tool: Declared, text: str) -> bool:
    """The one parameter of the tool is text: then brackets in a bare input are data, not a cut object."""
    return tool.only_parameter is not None and _ENCODED.match(text) is None


def _is_cut(text: str) -> bool:
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
        verdict.conclude(str(unquoted(final["text"])[0]))
        return
    bracket = _BRACKET.match(name) or _BRACKET.match(content)
    if bracket is not None and names.find(bracket["name"]) is not None:
        verdict.take([Written(bracket["name"], bracket["input"], block.start, block.end, "react_bracket")], LABELLED, block.end)
        return
    start = text.index(name, block.start)
    written = verdict.read(start, block.end, "label", bounded=False)
    known = [_relabelled(item) for item in written if isinstance(item, WrittenAnswer) or names.find(item.name)]
    if known:
        verdict.take(known, LABELLED, max(item.end for item in known))
    elif names.find(name) is not None:
        end = block.end if rest else start + len(name)
        verdict.take([Written(name, rest or None, start, end, "react")], LABELLED, end)
    elif written or _looks_like_name(name):
        verdict.take(written or [Written(name, rest, start, block.end, "react")], LABELLED, block.end)
    else:
        verdict.prose.append((block.begin, block.end))
        verdict.refuse("malformed", block.begin, block.end, "no tool is named")


def _looks_like_name(line: str) -> bool:
    return len(line) <= 80 and len(line.split()) <= 4 and _NAME_LIKE.fullmatch(line) is not None


def _relabelled(item: Found) -> Found:
    return replace(item, dialect="react") if isinstance(item, Written) and item.dialect == "label" else item
