"""Single replies: what is wrong with one that makes no call, and how often that may happen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from react_agent.engine.reply import Reply
from react_agent.messages import Json, Parsed, Rejected, Step

Family = Literal["format", "empty", "bad_call", "bad_arguments", "output", "repetition"]

_FAMILIES: dict[str, Family] = {
    "empty": "empty",
    "cut": "output",
    "unknown_tool": "bad_call",
    "invalid_arguments": "bad_arguments",
    "repetition": "repetition",
}
_ONE_LESS = ("empty", "bad_call")
_NO_CALL = {"example", "quoted"}  # rejected as documentation: not a slip
_REMARK = 80  # characters of the sentence beside a wrapper that is no call, when there is nothing else
_TWO_SENTENCES = re.compile(r"[.!?。！？]\s*\w")


@dataclass(frozen=True, slots=True)
class Slip:
    """Why a reply was of no use, with the facts for the correction."""

    reason: str
    name: str = ""
    quote: str = ""
    problems: tuple[str, ...] = ()
    arguments: Json | None = None

    @property
    def family(self) -> Family:
        """The budget it counts against."""
        return _FAMILIES.get(self.reason, "format")


def slip_of(reply: Reply, *, tools: bool) -> Slip | None:
    """What is wrong with a reply that makes no call; None when it is an answer.  `tools`: whether there are any."""
    parsed = reply.parsed
    if reply.repeated:
        return Slip("repetition", quote=reply.repeated)
    meant = next(filter(is_slip, parsed.rejected), None)
    if meant is not None and tools and (parsed.answer is None or not parsed.answer.strip()):
        return rejected_slip(meant)
    if parsed.answer is not None and parsed.answer.strip():
        return Slip("format", quote=parsed.answer.strip()) if tools and _only_a_wrapper(parsed) else None
    if reply.cut:
        return Slip("cut")
    quote = reply.text.strip()
    return Slip("format", quote=quote) if quote else Slip("empty")


def _only_a_wrapper(parsed: Parsed) -> bool:
    """Whether the answer is the raw text of wrapped calls that were not made, with no more than a short sentence beside it."""
    answer, beside = parsed.answer or "", parsed.answer or ""
    for rejected in parsed.rejected:
        if rejected.reason in _NO_CALL and rejected.dialect:
            beside = beside.replace(rejected.text.strip() or "\0", " ")
    beside = beside.strip()
    return beside != answer.strip() and len(beside) <= _REMARK and _TWO_SENTENCES.search(beside) is None


def is_slip(rejected: Rejected) -> bool:
    """A call that was meant; an example or a quotation is prose."""
    return rejected.reason not in _NO_CALL


def rejected_slip(rejected: Rejected) -> Slip:
    """The slip that a rejected call is."""
    return Slip(rejected.reason, rejected.name, rejected.text, rejected.problems, rejected.arguments)


def spent(slips: Sequence[Slip], limit: int) -> bool:
    """Whether the slips since the last useful reply use up the budget of the last one's kind.

    Form, length and repetition get `limit` corrections, the last of which is the plain question; silence and unknown tools are
    given up one earlier.  All kinds together get twice as many.  Wrong arguments have a budget of their own.
    """
    families = [slip.family for slip in slips]
    own = families[-1]
    allowed = limit - 1 if own in _ONE_LESS else limit
    counted = [family for family in families if family != "bad_arguments"]
    return (own != "bad_arguments" and families.count(own) > allowed) or len(counted) > 2 * limit


def bad_arguments(steps: Iterable[Step], name: str) -> int:
    """How often a tool was called with wrong arguments since it last ran."""
    count = 0
    for step in steps:
        if any(result.name == name and result.status != "refused" for result in step.results):
            count = 0
        count += any(rejected.name == name and rejected.reason == "invalid_arguments" for rejected in step.rejected)
    return count
