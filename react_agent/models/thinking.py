"""Did stop words end a reply inside its reasoning?

    "stop": ["\\nThought:"]        reasoning: «So I should write ⏎»        text: nothing, finish_reason "stop"

In: what was sent, and the reasoning and text of a reply.  Out: whether it is reasoning alone, and what a reply teaches.
Servers look for stop words in all that a model writes, or only behind its reasoning; in the first case a thought that holds
one is the end (vllm-project/vllm issue 52393, sgl-project/sglang issue 40529).  A model may also fall silent by itself, so
nothing is taken as a fact before the same request without stop words has brought more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .facts import Lesson

SPARED: Lesson = {"stop_spares_thinking": True}
CUT: Lesson = {"stop_spares_thinking": False}

_OPENER, _CLOSER = "<think>", "</think>"


class Said(NamedTuple):
    """What a reply has said: its reasoning, what came behind that, and whether it made a native call."""

    reasoning: str
    text: str
    called: bool

    @property
    def thought_only(self) -> bool:
        """Whether there is reasoning and nothing else."""
        return bool(self.reasoning.strip()) and not self.text.strip() and not self.called


def said(reasoning: str, content: str, called: bool) -> Said:
    """A reply; reasoning that a server has left in the content is reasoning too."""
    text = content.lstrip()
    if not text.startswith(_OPENER):
        return Said(reasoning, content, called)
    thought, _, rest = text.removeprefix(_OPENER).partition(_CLOSER)
    return Said(reasoning + thought, rest, called)


def lesson_of_stops(sent: Mapping[str, Any], reply: Said) -> Lesson:
    """What a complete reply teaches: stop words that were sent, stand in its reasoning and did not end it."""
    stops = sent.get("stop") or ()
    spared = not reply.thought_only and any(word in reply.reasoning for word in stops)
    return SPARED if spared else {}
