"""Segments to verdict: which of them are calls, what is the answer, what was thought.

In: the text, its segments, the declared names.  Out: `Parsed`.  The rules, in the order they bite:

1. All before a lone closing mark of reasoning was reasoning.
2. Labels cut the reply into blocks.  The first observation after a call, and every new thought, answer or question after
   one, ends what counts: the rest was invented.
3. A wrapped or labelled call counts when its name is known and its arguments are valid.
4. Where there is none of these, weaker evidence is tried with stricter gates: the whole message, a fence, a line.
5. An answer label makes an answer unless a call stands before it; without a label the prose is the answer, unless
   something that tried to be a call was refused.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from react_agent.messages import Call, Parsed, Rejected

from .bodies import Body, Found, WrittenAnswer, named_tags, read_body
from .evidence import FENCED, LABELLED, LINE, MARKED, WHOLE
from .labels import PARTIAL_STOP
from .names import Declared, ToolNames
from .segments import Segment
from .settle import Written, placeholder_in, settle, unquoted

_EXAMPLE = re.compile(
    r"例如|比如|示例|举例|样例|格式|形如|类似|模板|如下所示|for example|for instance|e\.g\.|example|looks? like|look like|format|template|"
    r"would (?:be|emit|look|send|call)|schema|syntax|语法|写法|such as|sample|文档|日志|\blogs?\b|will not|won't|不会|不要|不能|不应|would destroy",
    re.I,
)
_SENTENCE = re.compile(r"[。.!！?？\n](?=\s|\Z|[^\s\d])")
_NO_ACTION = re.compile(r"\s*(?:none|n/?a|无|没有|无需|不需要.{0,10}|null|no action.{0,30}|not? needed|nothing)\s*[.。]?\s*\Z", re.I)
_FINAL_NAME = re.compile(r"\s*[\"'`*]*(?:final[ _]?answer|finish|final|最终答案|最终回答|完成|directly[_-]answer|answer)[\"'`*]*\s*\Z", re.I)
_FINAL_BRACKET = re.compile(r"\s*(?:finish|final[ _]?answer|answer|完成|最终答案)\s*[\[(](?P<text>.*)[\])]\s*\Z", re.I | re.S)
_BRACKET = re.compile(r"\s*(?P<name>[^\s\[\](){}<>:：\"']{1,128})\s*\[(?P<input>.*)\]\s*\Z", re.S)
_SHORT = 240
_MAX_CANDIDATES = 200


@dataclass
class _Block:
    """A label and what follows it, up to the next one; the first block has no label."""

    label: Segment | None
    parts: list[Segment] = field(default_factory=list)
    end: int = 0

    @property
    def kind(self) -> str:
        return self.label.word if self.label is not None else ""

    @property
    def start(self) -> int:
        return self.label.end if self.label is not None else (self.parts[0].start if self.parts else self.end)


@dataclass
class _Verdict:
    calls: list[Call] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    refused: bool = False
    answer: str | None = None
    thoughts: list[str] = field(default_factory=list)
    prose: list[tuple[int, int]] = field(default_factory=list)
    weak: list[Segment] = field(default_factory=list)
    stop: int = -1
    end: int = 0


def decide(text: str, segments: list[Segment], names: ToolNames) -> Parsed:
    """The verdict on a whole reply."""
    return Decision(text, names).run(segments)


class Decision:
    """One walk over the blocks of a reply."""

    def __init__(self, text: str, names: ToolNames) -> None:
        self.text = text
        self.names = names
        self.found = _Verdict()
        self._plain: list[tuple[int, int]] | None = None

    def run(self, segments: list[Segment]) -> Parsed:
        found = self.found
        segments = self._after_reasoning(segments)
        blocks = _blocks(segments, len(self.text))
        self._labelled = any(block.label is not None and block.label.strong for block in blocks)
        index = 0
        while index < len(blocks) and found.stop < 0:
            index = self._block(blocks, index)
        if not found.calls and found.answer is None:
            self._weaker()
        if found.calls:
            found.answer = None
        elif found.answer is None and not found.refused:
            found.answer = self._prose() or None
        thought = "\n".join(part for part in map(str.strip, found.thoughts) if part) or None
        end = found.end if found.calls else (found.stop if found.stop >= 0 else len(self.text))
        cut = any(item.reason == "cut" for item in found.rejected)
        return Parsed(tuple(found.calls), found.answer, thought, tuple(found.rejected), cut, end)

    def _after_reasoning(self, segments: list[Segment]) -> list[Segment]:
        last = max((i for i, segment in enumerate(segments) if segment.kind == "unthink"), default=-1)
        if last < 0:
            return segments
        self.found.thoughts.append("".join(self._inner(segment) for segment in segments[:last]))
        return segments[last + 1 :]

    def _inner(self, segment: Segment) -> str:
        if segment.kind == "think":
            return self.text[segment.inner : segment.until]
        return self.text[segment.start : segment.end]

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, blocks: list[_Block], index: int) -> int:
        """Read one block; the index of the next one to read."""
        block = blocks[index]
        kind = block.kind
        label = block.label
        if label is not None and not label.strong and not self._weak_label_counts(blocks, index):
            self.found.prose.append((label.start, label.end))
            self._free(block)
            return index + 1
        if kind in ("observe", "question") and label is not None:
            return self._stop_or_skip(block, label, index)
        if kind == "answer" and label is not None:
            self._answer_label(blocks, index)
            return len(blocks)
        if kind == "action":
            return self._action(blocks, index)
        if kind == "thought" and label is not None:
            if self.found.calls:
                self.found.stop = label.start
                return len(blocks)
            self._thought(block)
            return index + 1
        self._free(block)
        return index + 1

    def _weak_label_counts(self, blocks: list[_Block], index: int) -> bool:
        kind = blocks[index].kind
        before = blocks[index - 1].kind if index else ""
        if kind == "input":
            return before == "action"
        if kind == "action":
            first_line = self.text[blocks[index].start : blocks[index].end].strip().split("\n")[0]
            return self.names.find(first_line.strip()) is not None
        if kind == "answer":
            opens = blocks[index].label is not None and not self.text[: blocks[index].label.start].strip()  # type: ignore[union-attr]
            return opens or (self._labelled and before in ("thought", "action", "input", "observe", "question"))
        return self._labelled

    def _stop_or_skip(self, block: _Block, label: Segment, index: int) -> int:
        """An observation or question after something real ends the reply; before anything it is only skipped."""
        found = self.found
        if found.calls or found.refused or found.answer is not None:
            found.stop = label.start
        elif block.kind == "question" and any(self.text[a:b].strip() for a, b in found.prose):
            found.stop = label.start
        else:
            self._free(block)
        return index + 1

    def _answer_label(self, blocks: list[_Block], index: int) -> None:
        """Everything up to an invented next turn belongs to the answer."""
        found, label = self.found, blocks[index].label
        assert label is not None
        if found.calls or found.refused:
            found.stop = label.start
            return
        end = len(self.text)
        for at in range(index + 1, len(blocks)):
            label_ = blocks[at].label
            if label_ is not None and label_.strong and self._ends_answer(blocks, at):
                end = label_.start
                break
        self._set_answer(self._without_tokens(label.end, end, blocks[index:]))
        found.stop = end

    def _ends_answer(self, blocks: list[_Block], index: int) -> bool:
        """An invented next turn: a question or observation, or a thought or action that leads to a tool."""
        if blocks[index].kind in ("question", "observe"):
            return True
        if blocks[index].kind == "thought":
            return index + 1 < len(blocks) and blocks[index + 1].kind == "action" and self._ends_answer(blocks, index + 1)
        return blocks[index].kind == "action" and self.names.find(self._name_line(blocks[index])[0]) is not None

    def _set_answer(self, text: str) -> None:
        answer = text.strip()
        if answer and not placeholder_in(answer):
            self.found.answer = answer
        elif answer:
            self.found.refused = True
            self.found.rejected.append(Rejected("placeholder", text=answer))

    def _without_tokens(self, start: int, end: int, blocks: list[_Block]) -> str:
        """text[start:end] up to the first token that ends the turn, without tokens that mean nothing."""
        kept, index = [], start
        for block in blocks:
            for part in block.parts:
                if start <= part.start < end and part.kind in ("end", "noise", "think", "observe"):
                    kept.append(self.text[index : part.start])
                    index = part.end
                    if part.kind in ("end", "observe"):
                        return "".join(kept)
        kept.append(self.text[index:end])
        return "".join(kept)

    def _thought(self, block: _Block) -> None:
        """A thought's text is reasoning; what is wrapped, fenced or set apart in it may still be a call."""
        own = [part for part in block.parts if part.kind in ("text", "doc", "label")]
        weak = [part for part in block.parts if part not in own]
        first = weak[0].start if weak else block.end
        self.found.thoughts.append(self.text[block.start : first])
        if weak:
            self._parts(weak)

    def _free(self, block: _Block) -> None:
        self._parts(block.parts)

    def _parts(self, parts: list[Segment]) -> None:
        found = self.found
        for part in parts:
            if found.stop >= 0:
                return
            match part.kind:
                case "think":
                    found.thoughts.append(self.text[part.inner : part.until])
                case "call":
                    self._wrapped(part)
                case "answer":
                    self._answer_mark(part)
                case "observe" | "end":
                    if found.calls or found.refused or any(self.text[a:b].strip() for a, b in found.prose) or found.weak:
                        found.stop = part.start
                case "fence" | "value" | "python":
                    found.weak.append(part)
                    found.prose.append((part.start, part.end))
                case "doc":
                    found.weak.append(part)
                    found.prose.append((part.start, part.end))
                case "noise":
                    pass
                case _:
                    found.prose.append((part.start, part.end))

    def _answer_mark(self, part: Segment) -> None:
        if self.found.calls:
            self.found.stop = part.start
            return
        end = part.until if part.closed else len(self.text)
        text = self.text[part.inner : end].lstrip(":： ")
        if not self.found.refused:
            self._set_answer(text)
            self.found.stop = end

    # --- wrapped calls ------------------------------------------------------------------------------------------------

    def _wrapped(self, part: Segment) -> None:
        written = self._header_call(part) if part.word else self._read(part.inner, part.until, part.dialect, part.closed)
        weak = part.dialect in ("glm4_plain", "chatglm3")
        if not written:
            self._no_body(part)
            return
        if weak and not all(isinstance(item, Written) and self.names.find(item.name) for item in written):
            self.found.prose.append((part.start, part.end))
            return
        if self._quoted(part):
            self.found.prose.append((part.start, part.end))
            self.found.rejected.append(Rejected("quoted", text=self.text[part.start : part.end][:2000], span=(part.start, part.end)))
            return
        self._take(written, MARKED, part.end)

    def _quoted(self, part: Segment) -> bool:
        """Does the wrapper stand inside quotation marks on its line?"""
        line = self.text[self.text.rfind("\n", 0, part.start) + 1 : part.start]
        after = self.text[part.end : part.end + 200].split("\n")[0]
        return any(line.count(a) > line.count(b) and b in after for a, b in ("“”", "「」", "『』", "‘’")) or (
            line.count('"') % 2 == 1 and '"' in after
        )

    def _read(self, start: int, end: int, dialect: str, bounded: bool) -> list[Found]:
        """The calls and answers in text[start:end], placed in the whole text."""
        source = self.text[start:end]
        found = read_body(Body(source, 0, len(source), self.names, dialect, bounded))
        return [replace(item, start=item.start + start, end=item.end + start) for item in found]

    def _header_call(self, part: Segment) -> list[Found]:
        """The name stands in the header or the tag: the body is the arguments alone."""
        known = self.names.find(part.word)
        source = self.text[part.inner : part.until]
        if part.dialect == "cline_xml" and known is not None:
            keyed = named_tags(source, known[0].properties)
            if keyed is not None or not known[0].required:
                return [Written(part.word, keyed or {}, part.start, part.end, "cline_xml", typeless=True)]
        return [Written(part.word, source, part.start, part.end, part.dialect)] if source.strip() else []

    def _no_body(self, part: Segment) -> None:
        """A wrapper with nothing in it that reads as a call."""
        inner = self.text[part.inner : part.until].strip()
        if inner in ("", "[]", "{}", "null") and part.closed:
            return
        if part.dialect in ("tools_tag", "bracket_call", "cline_xml", "tag") and self._prose_like(part):
            self.found.prose.append((part.start, part.end))
            return
        self.found.refused = True
        reason = "malformed" if part.closed else "cut"
        self.found.rejected.append(Rejected(reason, text=self.text[part.start : part.end][:2000], dialect=part.dialect, span=(part.start, part.end)))

    def _prose_like(self, part: Segment) -> bool:
        return "{" not in self.text[part.inner : part.until]

    def _take(self, written: list[Found], evidence: str, end: int) -> None:
        found = self.found
        for item in written:
            if isinstance(item, WrittenAnswer):
                if not found.calls and not found.refused and found.answer is None:
                    found.thoughts.append(item.thought)
                    if item.cut:
                        found.refused = True
                        found.rejected.append(Rejected("cut", text=item.text[:2000], span=(item.start, item.end)))
                    else:
                        self._set_answer(item.text)
                continue
            found.thoughts.append(item.thought)
            verdict = settle(item, self.names, evidence, self.text, later=bool(found.calls))
            if isinstance(verdict, Call):
                found.calls.append(verdict)
                found.end = max(found.end, end)
            else:
                found.rejected.append(verdict)
                found.refused = found.refused or not found.calls

    # --- labelled calls -----------------------------------------------------------------------------------------------

    def _action(self, blocks: list[_Block], index: int) -> int:
        block = blocks[index]
        follows = blocks[index + 1] if index + 1 < len(blocks) else None
        content = self.text[block.start : block.end]
        wrapped = [part for part in block.parts if part.kind == "call"]
        if wrapped:
            self._parts(block.parts)
            return index + 1
        value = next((part for part in block.parts if part.kind in ("value", "fence", "python")), None)
        if value is not None and not self.text[block.start : value.start].strip(" \t\r\n*`"):
            return self._action_value(blocks, index, value)
        name, rest, rest_at = self._name_line(block)
        if not name or _NO_ACTION.match(name):
            self._aside(block, follows)
            return index + (2 if follows and follows.kind == "input" else 1)
        if follows is not None and follows.kind == "input":
            return self._named_action(name, follows, index)
        if _FINAL_NAME.match(name) and self.names.find(name) is None:
            self._set_answer(rest)
            return index + 1
        bracket = _FINAL_BRACKET.match(content.strip())
        if bracket is not None and self.names.find(content.split("[")[0].strip()) is None:
            self._set_answer(str(unquoted(bracket["text"])[0]))
            return index + 1
        self._inline_action(block, name, rest, rest_at)
        return index + 1

    def _action_value(self, blocks: list[_Block], index: int, value: Segment) -> int:
        block = blocks[index]
        written = self._read(value.start, block.end, "label", index + 1 < len(blocks))
        if not written:
            self._no_body(replace(value, inner=value.start, until=value.end, dialect="label", closed=not (value.read and value.read.cut)))
            return index + 1
        self._take(written, LABELLED, max(item.end for item in written) if value.kind != "fence" else value.end)
        return index + 1

    def _name_line(self, block: _Block) -> tuple[str, str, int]:
        """The first line with something on it, what follows it, and where that starts."""
        text = self.text
        start = block.start
        while start < block.end and text[start] in " \t\r\n":
            start += 1
        stop = text.find("\n", start, block.end)
        stop = block.end if stop < 0 else stop
        return text[start:stop].strip(), text[stop : block.end].strip(), stop

    def _aside(self, block: _Block, follows: _Block | None) -> None:
        """«Action: None»: nothing is to be done; prose around it may be the answer."""

    def _named_action(self, name: str, given: _Block, index: int) -> int:
        """A name line and an input block."""
        if _FINAL_NAME.match(name) and self.names.find(name) is None:
            self._set_answer(str(unquoted(self._input_text(given))[0]))
            return index + 2
        end = given.end
        value = next((part for part in given.parts if part.kind in ("value", "fence")), None)
        raw: object = self._input_text(given)
        fixes: tuple[object, ...] = ()
        cut = False
        if value is not None and not self.text[given.start : value.start].strip():
            if value.kind == "value" and value.read is not None:
                raw, end = value.read.value, value.end
                written = Written(name, raw, given.label.start if given.label else given.start, end, "react", value.read.fixes)
                self._take([written], LABELLED, end)
                return index + 2
            raw, end = self.text[value.inner : value.until].strip(), value.end
        text = str(raw)
        tool = self.names.find(name)
        if text.lstrip().startswith(("{", "[")) and not (tool and _wants_text(tool[0], text)):
            cut = self._is_cut(text)
        if placeholder_in(text):
            self.found.refused = True
            self.found.rejected.append(Rejected("placeholder", name, text[:2000], (f"{text[:60]!r} is a placeholder",)))
            return index + 2
        del fixes
        written = Written(name, text, given.start, end, "react", cut=cut)
        self._take([written], LABELLED, end)
        return index + 2

    def _is_cut(self, text: str) -> bool:
        from react_agent.repair.reader import Unreadable, read

        try:
            return read(text, bounded=False).cut
        except Unreadable:
            return False

    def _input_text(self, block: _Block) -> str:
        text = self._without_tokens(block.start, block.end, [block])
        return PARTIAL_STOP.sub("", text).strip()

    def _inline_action(self, block: _Block, name: str, rest: str, rest_at: int) -> None:
        """The call in the action line itself: `f[x]`, `f(x=1)`, `f {…}`, or a name and nothing."""
        whole = self.text[block.start : block.end].strip()
        bracket = _BRACKET.match(name) or _BRACKET.match(whole)
        if bracket is not None and self.names.find(bracket["name"]) is not None:
            self._take([Written(bracket["name"], bracket["input"], block.start, block.end, "react_bracket")], LABELLED, block.end)
            return
        start = self.text.index(name, block.start)
        written = self._read(start, block.end, "label", bounded=False)
        known = [item for item in written if isinstance(item, WrittenAnswer) or self.names.find(item.name)]
        if known:
            end = max(item.end for item in known)
            self._take([_relabelled(item) for item in known], LABELLED, end)
            return
        if self.names.find(name) is not None:
            stop = start + len(name)
            raw = rest or None
            self._take([Written(name, raw, start, block.end if raw else stop, "react")], LABELLED, block.end if raw else stop)
            return
        if written or _looks_like_name(name):
            self._take(written or [Written(name, rest, start, block.end, "react")], LABELLED, block.end)
            return
        self.found.prose.append((block.label.start if block.label else block.start, block.end))
        self.found.refused = True
        self.found.rejected.append(Rejected("malformed", text=whole[:2000], problems=("no tool is named",)))

    # --- weaker evidence ----------------------------------------------------------------------------------------------

    def _weaker(self) -> None:
        """Calls without wrapper or label, each level with its gate."""
        found = self.found
        if found.refused:
            return
        candidates = [part for part in found.weak if part.kind != "doc" or part is found.weak[-1]]
        for part in candidates[:_MAX_CANDIDATES]:
            written = self._weak_calls(part)
            if not written:
                continue
            evidence = self._evidence(part)
            if evidence is None:
                found.rejected.extend(self._example(item, part) for item in written if isinstance(item, Written))
                continue
            self._take_weak(written, evidence, part)
        if not found.calls and found.answer is None and not found.refused:
            self._only_arguments()

    def _weak_calls(self, part: Segment) -> list[Found]:
        dialect = "fenced_json" if part.kind == "fence" else ""
        inner, until = (part.inner, part.until) if part.kind != "value" else (part.start, part.end)
        if part.kind == "doc":
            inner, until = part.inner, part.until
            if inner >= until or self.text[part.end :].strip(" \t\r\n。.") or self._announced(part):
                return []
        written = self._read(inner, until, "", part.closed and not (part.read and part.read.cut))
        if part.kind in ("fence", "doc") and written and self.text[max(item.end for item in written) : until].strip(" \t\r\n;)]#"):
            return []
        if part.kind in ("fence", "python", "doc") and not all(
            isinstance(item, WrittenAnswer) or self.names.find(item.name) or item.dialect not in ("pythonic", "glm45", "glm4_plain")
            for item in written
        ):
            return []
        return [_restyled(item, dialect) for item in written if isinstance(item, WrittenAnswer) or item.explicit or self.names.find(item.name)]

    def _evidence(self, part: Segment) -> str | None:
        """The level of a weak candidate, None when its surroundings make it an example."""
        before, after = self._around(part)
        if not before and not after:
            return WHOLE
        if self._announced(part):
            return None
        if part.kind == "fence":
            return FENCED if len(after) <= _SHORT and not _EXAMPLE.search(after) else None
        if len(after) > _SHORT or _EXAMPLE.search(after):
            return None
        return LINE

    def _around(self, part: Segment) -> tuple[str, str]:
        """The prose before and behind a candidate, without other candidates."""
        if self._plain is None:
            weak = {segment.start for segment in self.found.weak if segment.kind != "doc"}
            self._plain = [(a, b) for a, b in self.found.prose if a not in weak and not self.text[a:b].isspace()]
        at = bisect.bisect_left(self._plain, (part.start, part.start))
        return self._some(reversed(self._plain[max(0, at - 40) : at])), self._some(iter(self._plain[at : at + 40]))

    def _some(self, pieces: Iterator[tuple[int, int]]) -> str:
        """As much of these pieces of prose as the gates look at."""
        kept, size = [], 0
        for a, b in pieces:
            kept.append(self.text[a:b].strip())
            size += len(kept[-1])
            if size > _SHORT:
                break
        return " ".join(kept)

    def _announced(self, part: Segment) -> bool:
        """Does the sentence before say that an example follows?"""
        before = self.text[max(0, part.start - 200) : part.start].rstrip(" \t\r\n:：")
        sentence = _SENTENCE.split(before)[-1] if before else ""
        return _EXAMPLE.search(sentence) is not None

    def _take_weak(self, written: list[Found], evidence: str, part: Segment) -> None:
        found = self.found
        calls, refused, rejected = list(found.calls), found.refused, list(found.rejected)
        self._take(written, evidence, part.end)
        if found.refused and not refused and evidence != WHOLE and not self._insists(part):
            found.refused = refused
        if evidence == LINE and len(found.rejected) > len(rejected) and len(found.calls) == len(calls):
            known = any(isinstance(item, Written) and self.names.find(item.name) for item in written)
            found.refused = refused or (known and self._insists(part))

    def _insists(self, part: Segment) -> bool:
        """A refused candidate that ends a short reply tried to be a call: the model must hear of it."""
        before, after = self._around(part)
        return len(before) <= _SHORT and not after

    def _example(self, item: Written, part: Segment) -> Rejected:
        return Rejected("example", item.name, self.text[part.start : part.end][:2000], dialect=item.dialect, span=(part.start, part.end))

    def _only_arguments(self) -> None:
        """The whole message is the arguments of the only tool."""
        found = self.found
        values = [part for part in found.weak if part.kind in ("value", "fence")]
        if len(self.names.tools) != 1 or len(values) != 1 or self._evidence(values[0]) != WHOLE:
            return
        tool = next(iter(self.names.tools.values()))
        part = values[0]
        read = part.read
        if read is None or not isinstance(read.value, dict) or not read.value or read.cut:
            return
        if set(read.value) <= set(tool.properties) and set(tool.required) <= set(read.value):
            self._take([Written(tool.name, read.value, part.start, part.end, "bare_arguments", read.fixes)], WHOLE, part.end)

    def _prose(self) -> str:
        found = self.found
        pieces = [self.text[a:b] for a, b in sorted(set(found.prose)) if found.stop < 0 or a < found.stop]
        text = "".join(pieces).strip()
        return "" if _degenerate(text) or placeholder_in(text) else text


def _blocks(segments: list[Segment], size: int) -> list[_Block]:
    blocks = [_Block(None)]
    for segment in segments:
        if segment.kind == "label":
            blocks[-1].end = segment.start
            blocks.append(_Block(segment))
        else:
            blocks[-1].parts.append(segment)
    blocks[-1].end = size
    return blocks


def _restyled(item: Found, dialect: str) -> Found:
    if isinstance(item, Written) and dialect and item.dialect == "bare_json":
        return replace(item, dialect=dialect)
    return item


def _relabelled(item: Found) -> Found:
    if isinstance(item, Written) and item.dialect == "label":
        return replace(item, dialect="react")
    return item


def _looks_like_name(line: str) -> bool:
    return len(line) <= 80 and re.fullmatch(r"[`*\"'{\[<（(]*[\w.\-: ]{1,64}[`*\"'}\]>）)]*", line) is not None and len(line.split()) <= 4


def _wants_text(tool: Declared, text: str) -> bool:
    """The one parameter of the tool is text: then brackets in a bare input are data, not a cut object."""
    only = tool.only_parameter
    return only is not None and not re.match(r"\s*[{\[]\s*[\"'“]?\w+[\"'”]?\s*[:：]", text)


def _degenerate(text: str) -> bool:
    """Nothing but punctuation and line breaks, over and over."""
    return len(text) > 40 and not re.search(r"\w", text)
