"""Segments to verdict: which of them are calls, what is the answer, what was thought.

In: the text, its segments, the declared names.  Out: `Parsed`.  The rules, in the order they bite:

1. All before a lone closing mark of reasoning was reasoning.
2. Labels cut the reply into blocks.  The first observation after a call, and every new thought, answer or question after
   one, ends what counts: the rest was invented.
3. A wrapped or labelled call counts when its name is known and its arguments are valid; a wrapped one not in a quotation or
   amid a sentence about it, and not where what is said before it plainly shows it as an example or forbids it, or what is said
   behind it takes it back (`announcing`, `retracting`).
4. Where there is none of these, weaker evidence is tried with stricter gates: the whole message, a fence, a line.  That is
   done at the end of the reply, and before every mark that would end it behind a call: what follows may be invented.
5. An answer label makes an answer unless a call stands before it; without a label the prose is the answer, unless
   something that tried to be a call was refused.
"""

from __future__ import annotations

from dataclasses import replace

from react_agent.messages import Parsed

from .announcing import disowns, is_mentioned, is_quoted, stands_alone
from .answering import begun_answer
from .blocks import Block, blocks_of, without_tokens
from .bodies import Body, Found, read_arguments, read_tool_tag
from .dialects.tokens import TEXT_MARK
from .evidence import LABELLED, MARKED
from .labelled import first_line, take_action
from .loose import take_loose
from .manner import NORMAL, Manner
from .names import ToolNames
from .reasoning import closing_mark, reasoning_before
from .retracting import takes_back
from .segments import Segment
from .settle import Written
from .verdict import Verdict
from .weak import take_weaker

_MADE_UP = ("tools_tag", "bracket_call", "cline_xml", "tag")
_NEXT = 40
"""How far apart the wrappers of a run may stand."""
_RUN, _SAID = 16, 300
"""So many parts, and so much of the prose behind them, are looked at for a remark about a run of wrappers."""
_NAME_LINES = ("name_line",)


def decide(text: str, segments: list[Segment], names: ToolNames, manner: Manner = NORMAL) -> Parsed:
    """The verdict on a whole reply."""
    return _Decision(Verdict(text, names, manner=manner)).run(segments)


class _Decision:
    """One walk over the blocks of a reply."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.text = verdict.text
        self.labelled = False
        self.acted = False
        self.shown = -_NEXT - 1

    def run(self, segments: list[Segment]) -> Parsed:
        verdict = self.verdict
        blocks = blocks_of(self._after_reasoning(segments), len(self.text))
        index = 0
        while index < len(blocks) and verdict.stop < 0:
            self.labelled = self.labelled or blocks[index].strong
            index = self._block(blocks, index)
        self._border(verdict.stop if verdict.stop >= 0 else len(self.text))
        return verdict.parsed()

    def _border(self, at: int) -> bool:
        """The reply may end at `at`: try the weaker evidence; True when what follows counts no more."""
        verdict = self.verdict
        if verdict.open and at > verdict.border:
            parts, start = verdict.weak, verdict.border
            take_weaker(verdict, at)
            if verdict.open and verdict.manner.strictness == "loose":
                take_loose(verdict, parts, start, at)
        return bool(verdict.calls or verdict.refused)

    def _after_reasoning(self, segments: list[Segment]) -> list[Segment]:
        mark = closing_mark(self.text, segments, self.verdict.names)
        if mark >= 0:
            self.verdict.thoughts.extend(reasoning_before(self.text, segments[:mark], segments[mark].dialect))
        return segments[mark + 1 :]

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, blocks: list[Block], index: int) -> int:
        """Read one block; the index of the next one to read."""
        block, verdict = blocks[index], self.verdict
        if block.label is not None and not block.strong and not self._weak_label_counts(blocks, index):
            verdict.as_prose(block.label)
            self._parts(block.parts)
            return index + 1
        match block.kind:
            case "observe" | "question":
                self._other_speaker(block)
            case "answer":
                self._answer_label(blocks, index)
            case "action":
                return index + self._action(blocks, index)
            case "thought":
                self._thought(block)
            case _:
                self._parts(block.parts)
        return index + 1

    def _weak_label_counts(self, blocks: list[Block], index: int) -> bool:
        block, before = blocks[index], blocks[index - 1].kind if index else ""
        match block.kind:
            case "input":
                return before == "action"
            case "action":
                return self.verdict.names.find(first_line(self.text, block)[0]) is not None
            case "answer":
                opens = index <= 1 and not self.text[: block.begin].strip()
                return opens or (self.labelled and before in ("thought", "action", "input", "observe", "question"))
        return self.labelled

    def _other_speaker(self, block: Block) -> None:
        """An observation or question after something real ends the reply; before anything it is only skipped."""
        verdict = self.verdict
        if self._border(block.begin) or verdict.answer is not None or (block.kind == "question" and verdict.spoken):
            verdict.stop = block.begin
        elif block.kind == "observe":
            self._invented(block)
        else:
            self._parts(block.parts)

    def _invented(self, block: Block) -> None:
        """An observation that no tool gave: it is neither prose nor kept; a wrapped call behind it still counts."""
        wrapped = (index for index, part in enumerate(block.parts) if part.kind == "call")
        first = next(wrapped, len(block.parts))
        until = block.parts[first].start if first < len(block.parts) else block.end
        self.verdict.invented.append((block.begin, until))
        self._parts(block.parts[first:])

    def _action(self, blocks: list[Block], index: int) -> int:
        """Read an action; how many blocks that took."""
        block = blocks[index]
        begun = begun_answer(self.text, block.start, self.verdict.names) if not self.acted else None
        self.acted = True
        if begun is not None:
            written = self.verdict.read(block.start, block.end, "label", bounded=index + 1 < len(blocks))
            answer = begun.among(written)
            self.verdict.take([answer], LABELLED, answer.end)
            return 1
        if any(part.kind == "call" for part in block.parts):
            self._parts(block.parts)
            return 1
        follows = blocks[index + 1] if index + 1 < len(blocks) else None
        if follows is not None and follows.kind == "input" and self._is_wrapped(block, follows):
            self._parts(follows.parts)
            return 2
        return 2 if take_action(self.verdict, block, follows) else 1

    def _is_wrapped(self, block: Block, given: Block) -> bool:
        """Does the whole call stand in a wrapper where its arguments should?"""
        first = next((part for part in given.parts if self.text[part.start : part.end].strip()), None)
        tool = self.verdict.names.find(first_line(self.text, block)[0])
        if tool is None or first is None or first.kind != "call":
            return False
        made = (self.verdict.names.find(item.name) for item in self._read_wrapped(first) if isinstance(item, Written))
        return any(other is not None and other[0] is tool[0] for other in made)

    def _thought(self, block: Block) -> None:
        """A thought's text is reasoning; what is wrapped, fenced or set apart in it may still be a call.  Behind a call it is
        invented."""
        self._border(block.begin)
        if self.verdict.calls:
            self.verdict.stop = block.begin
            return
        others = [part for part in block.parts if part.kind not in ("text", "doc")]
        self.verdict.thoughts.append(self.text[block.start : others[0].start if others else block.end])
        self._parts(others)

    def _answer_label(self, blocks: list[Block], index: int) -> None:
        """Everything up to an invented next turn belongs to the answer."""
        verdict, block = self.verdict, blocks[index]
        if self._border(block.begin):
            verdict.stop = block.begin
            return
        ends = (blocks[at].begin for at in range(index + 1, len(blocks)) if self._ends_answer(blocks, at))
        verdict.stop = next(ends, len(self.text))
        verdict.conclude(without_tokens(self.text, block.start, verdict.stop, blocks[index:]))

    def _ends_answer(self, blocks: list[Block], index: int) -> bool:
        """An invented next turn: a question or observation, or a thought or action that leads to a tool."""
        block = blocks[index]
        match block.kind if block.strong else "":
            case "question" | "observe":
                return True
            case "thought":
                return index + 1 < len(blocks) and blocks[index + 1].kind == "action" and self._ends_answer(blocks, index + 1)
            case "action":
                return self.verdict.names.find(first_line(self.text, block)[0]) is not None or self._makes_call(block)
        return False

    def _makes_call(self, block: Block) -> bool:
        """Does a value with the call of a tool stand right behind the label?"""
        first = next((part for part in block.parts if self.text[part.start : part.end].strip()), None)
        if first is None or first.kind not in ("value", "fence"):
            return False
        written = self.verdict.read(first.start, first.end, "label", bounded=True)
        return any(isinstance(item, Written) and self.verdict.names.find(item.name) for item in written)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _parts(self, parts: list[Segment]) -> None:
        """Read the parts of a block; a bare value behind the mark of a result is that result."""
        verdict, heard = self.verdict, False
        for index, part in enumerate(parts):
            if verdict.stop >= 0:
                return
            heard = part.kind == "observe" or (heard and part.kind not in ("think", "call"))
            match part.kind:
                case "think":
                    verdict.thoughts.append(self.text[part.inner : part.until])
                case "call":
                    self._wrapped(part, self._remark(parts, index))
                case "answer" if self._precedes_call(parts, index):
                    verdict.as_prose(part)
                case "answer":
                    self._answer_mark(part)
                case "observe" | "end":
                    self._end_mark(part)
                case "fence" | "value" | "python" | "doc" if not heard:
                    verdict.as_candidate(part)
                case "noise":
                    pass
                case _:
                    verdict.as_prose(part)

    def _end_mark(self, part: Segment) -> None:
        """The turn is over once anything was said; marks before that are skipped."""
        verdict = self.verdict
        if verdict.calls or verdict.refused or verdict.spoken:
            verdict.stop = part.start

    def _answer_mark(self, part: Segment) -> None:
        verdict = self.verdict
        if self._border(part.start):
            verdict.stop = part.start
            return
        verdict.stop = part.until if part.closed else len(self.text)
        verdict.conclude(self.text[part.inner : verdict.stop])

    def _precedes_call(self, parts: list[Segment], index: int) -> bool:
        """Is the part a text for the user with nothing but a call behind it, in a dialect that marks all such text?"""
        part = parts[index]
        if part.dialect != TEXT_MARK or not part.closed:
            return False
        behind = (later for later in parts[index + 1 : index + 1 + _RUN] if self.text[later.start : later.end].strip())
        return next((later.kind == "call" for later in behind if later.kind != "noise"), False)

    def _remark(self, parts: list[Segment], index: int) -> str:
        """The prose behind the run of wrappers that the part at `index` belongs to."""
        for part in parts[index + 1 : index + 1 + _RUN]:
            if part.kind == "text" and not self.text[part.start : part.end].isspace():
                return self.text[part.start : min(part.end, part.start + _SAID)].strip()
            if part.kind not in ("text", "call"):
                break
        return ""

    def _read_wrapped(self, part: Segment) -> list[Found]:
        if part.word:
            return self._header_call(part)
        return self.verdict.read(part.inner, part.until, part.dialect, bounded=part.closed)

    def _wrapped(self, part: Segment, remark: str) -> None:
        verdict = self.verdict
        written = self._read_wrapped(part)
        if not written:
            self._empty_wrapper(part)
        elif part.dialect in _NAME_LINES and not all(
            isinstance(item, Written) and verdict.names.find(item.name) for item in written
        ):
            verdict.as_prose(part)
        elif any(says(self.text, part.start, part.end, verdict.end) for says in (is_quoted, is_mentioned)):
            verdict.as_prose(part)
            verdict.note("quoted", part.start, part.end, dialect=part.dialect)
        elif self._is_disowned(part) or takes_back(remark):
            verdict.as_prose(part)
            verdict.note("example", part.start, part.end, dialect=part.dialect)
        else:
            verdict.take(written, MARKED, part.end)

    def _header_call(self, part: Segment) -> list[Found]:
        """The name stands in the header or is the tag: the body is the arguments alone."""
        source = self.text[part.inner : part.until]
        body = Body(source, 0, len(source), self.verdict.names, part.dialect, part.closed)
        name = self._recipient(part)
        known = self.verdict.names.find(name)
        if part.dialect == "cline_xml" and known is not None:
            written = read_tool_tag(body, known[0], stands_alone(self.text, part.start, part.end))
        else:
            written = read_arguments(body, name)
        return [] if written is None else [replace(written, start=part.start, end=part.end)]

    def _recipient(self, part: Segment) -> str:
        """The name in a header, without the form of the body that may be glued to it."""
        bare = part.word.removesuffix("json")
        return bare if part.dialect == "harmony" and self.verdict.names.find(part.word) is None else part.word

    def _empty_wrapper(self, part: Segment) -> None:
        """A wrapper with nothing in it that reads as a call."""
        inner = self.text[part.inner : part.until].strip()
        nothing = inner in ("[]", "{}", "null") or (part.closed and not inner)
        if part.dialect == "cline_xml" or (part.dialect in _MADE_UP and "{" not in inner and not nothing):
            self.verdict.as_prose(part)
        elif nothing:
            return
        else:
            self.verdict.refuse("malformed" if part.closed else "cut", part.start, part.end, dialect=part.dialect)

    def _is_disowned(self, part: Segment) -> bool:
        """Is it shown as an example, or forbidden?  What is said before a run of wrappers is said of all in it."""
        follows = self.shown <= part.start <= self.shown + _NEXT and not self.text[self.shown : part.start].strip()
        if not follows and not disowns(self.text, part.start):
            return False
        self.shown = part.end
        return True
