"""The rules by which something is taken for a call or not, by stable name; and the notes of one reading.

`Record` gathers which rule decided about what.  It exists only when somebody asked for an explanation: the code that decides
calls it through `Verdict.rule`, which does nothing otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from react_agent.messages import Call, Ruling

TAKEN: dict[str, str] = {
    "marked": "a tag or special token wraps it",
    "labelled": "it stands behind an action label",
    "whole": "the message is this one value",
    "fenced": "it stands alone in a code fence",
    "line": "it stands on lines of its own, or ends the reply",
    "hinted": "there is much prose around, but it is in a dialect that was expected",
    "loose_prose": "loose: there is much prose around",
    "loose_sentence": "loose: it stands inside a sentence",
    "loose_keys": "loose: its keys are unknown, but one member names a tool and one holds its arguments",
    "answer": "it writes the final answer",
}
REFUSED: dict[str, str] = {
    "unknown_tool": "no declared tool has this name",
    "invalid_arguments": "the arguments do not satisfy the tool's schema",
    "malformed": "it cannot be read as a call",
    "cut": "the reply ends in the middle of a value",
    "placeholder": "it holds a placeholder instead of a value",
    "example": "the prose around makes it an example",
    "quoted": "it stands inside quotation marks",
    "repaired": "strict: name and arguments must be valid as written",
    "weak_evidence": "strict: only calls in a wrapper or behind a label count",
    "too_many": "the reply makes more calls than are read",
    "data": "it has the shape of neither a call nor an answer",
    "reasoning": "it was drafted in the reasoning",
    "in_answer": "it stands in the final answer and belongs to it",
    "invented": "no tool gave it, or it stands behind the point where the reply stops counting",
    "outweighed": "something with stronger evidence was found",
}
RULES = {**TAKEN, **REFUSED}
"""Every rule and what it says, in a short sentence."""


@dataclass
class Record:
    """What was decided about each candidate, and the calls with their arguments as written."""

    rulings: list[Ruling] = field(default_factory=list)
    written: list[tuple[Call, object]] = field(default_factory=list)

    def rule(self, rule: str, span: tuple[int, int], name: str = "", dialect: str = "", detail: str = "") -> None:
        """Note that `rule` decided about what stands at `span`."""
        why = f"{RULES[rule]}: {detail}" if detail else RULES[rule]
        self.rulings.append(Ruling(rule, rule in TAKEN, why, name, dialect, span))
