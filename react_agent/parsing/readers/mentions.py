"""Is a mark only spoken of?

Wrap each call in <tool_call> tags.          用 <tool_call> 标签
"""

from __future__ import annotations

import re

import regex

from react_agent.parsing.buffer import Buffer, Reading
from react_agent.parsing.dialects import Opener
from react_agent.parsing.places import LABEL_BEHIND, MENTION, MENTION_NOUN, TAG_END, THINK_CLOSERS

_WORD = re.compile(r"\w")
_LOOK_BACK = 200
_SENTENCE_ENDS = ".!?。！？…"


def is_mentioned(buffer: Buffer, match: regex.Match[str], opener: Opener | None, tools: tuple[str, ...]) -> Reading[bool]:
    """Do words lead to the mark on its line, and words that name none of `tools` go on behind it?

    Not so where reasoning ends with its sentence, or a label begins behind it: `要查书。</think>行动：…`.
    """
    since = max(0, match.start() - _LOOK_BACK)
    if not _WORD.search(buffer.text, max(since, buffer.text.rfind("\n", since, match.start()) + 1), match.start()):
        return False
    if match.group() in THINK_CLOSERS:
        if buffer.text[match.start() - 1] in _SENTENCE_ENDS:
            return False
        if (yield from buffer.match(LABEL_BEHIND, match.end())) is not None:
            return False
    if opener is not None and opener.kind not in ("call", "noise"):
        return (yield from buffer.match(MENTION_NOUN, match.end())) is not None
    tag_end = (yield from buffer.match(TAG_END, match.end())) if opener is None else None
    behind = yield from buffer.match(MENTION, tag_end.end() if tag_end else match.end())
    return behind is not None and (behind["word"] or behind["words"]) not in tools
