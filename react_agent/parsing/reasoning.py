"""Where does reasoning end whose opening mark stood in the prompt, and where the reasoning that a reply begins with?

In: the segments of a reply, of which some are closing marks without an opener («unthink»).  Out: the texts of the reasoning, in
order, and the segments behind it.  All that stands before the last such mark is reasoning: what was drafted there is not made.

The one exception keeps an answer that is being shown from being taken back: in a reply that begins with a label, a closing mark
behind the answer label only ends the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .answering import begun_answer
from .dialects import OPENERS
from .names import ToolNames
from .places import STRIPPED_THOUGHT, THINK_CLOSERS
from .segments import Segment


def closing_mark(text: str, segments: Sequence[Segment], names: ToolNames) -> int:
    """The index of the segment that ends the reasoning, -1 when there is none."""
    found, led, acted, answering, blank = -1, False, False, False, True
    if not any(part.kind == "unthink" for part in segments):
        return found
    for index, part in enumerate(segments):
        if part.kind == "unthink" and not answering:
            found = index
        if part.kind in ("think", "unthink"):
            led, acted, blank = False, False, True
            continue
        strong = part.kind == "label" and part.strong
        led = led or (strong and blank)
        answering = answering or (led and strong and part.word == "answer")
        if part.kind == "label" and part.word == "action" and not acted:
            acted = True
            answering = answering or (led and begun_answer(text, part.end, names) is not None)
        blank = blank and (part.kind == "noise" or not text[part.start : part.end].strip())
    return found


def leading(text: str, thought: str) -> int:
    """Where the reasoning ends that a reply begins with, 0 when it begins with none; `thought` is what was read as reasoning.

    >>> leading("<think>hm</think>Oslo", "hm"), leading("hm</think>Oslo", "hm"), leading("Oslo", "")
    (17, 10, 0)
    """
    at = 0
    for _ in range(_MAX_BLOCKS):
        begun = text[at : at + _HEAD].lstrip()
        opener = next((opener for opener in _SET_APART if begun.startswith(opener.literal)), None)
        _, end = _first(text, opener.closers, at) if opener else (0, 0)
        if not end:
            break
        at = end
    return at or (_unopened(text, thought) if thought else 0)


def _unopened(text: str, thought: str) -> int:
    """Where reasoning ends whose opening mark stood in the prompt."""
    mark = _CLOSER.search(text)
    head = text[: mark.start()].strip() if mark else ""
    return mark.end() if mark and head and head in thought else 0


_SET_APART = tuple(
    opener for opener in OPENERS.values() if opener.kind == "think" and set(opener.closers) <= set(THINK_CLOSERS)
)
"""Marks of reasoning that is over at its closing mark, and not at the head of the next part."""
_CLOSER = re.compile("|".join(map(re.escape, sorted(THINK_CLOSERS, key=len))))
_MAX_BLOCKS = 8
_HEAD = 64  # characters in which a mark begins that stands next


def _first(text: str, closers: Sequence[str], start: int) -> tuple[int, int]:
    """Where the first closing mark begins and ends; (0, 0) when there is none."""
    found = ((at, at + len(closer)) for closer in closers if (at := text.find(closer, start)) >= 0)
    return min(found, default=(0, 0))


def reasoning_before(text: str, segments: Sequence[Segment], dialect: str = "") -> Iterator[str]:
    """The texts of the reasoning in `segments`: between its marks, or up to the next mark; without a leading thought label.

    `dialect` of the mark behind it: what is left of a harmony head is no reasoning.
    """
    if dialect == "harmony_stripped" and segments and text.startswith(STRIPPED_THOUGHT, segments[0].start):
        yield text[segments[0].start + len(STRIPPED_THOUGHT) : segments[-1].end]
        return
    start = -1
    for part in segments:
        if part.kind in ("think", "unthink"):
            if start >= 0:
                yield text[start : part.start]
            start = -1
            if part.kind == "think":
                yield text[part.inner : part.until]
        elif start < 0 and part.kind != "noise":
            if part.kind == "label" and part.strong and part.word == "thought":
                start = part.end
            elif text[part.start : part.end].strip():
                start = part.start
    if start >= 0 and segments:
        yield text[start : segments[-1].end]
