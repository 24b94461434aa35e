"""How a run is to be done: one frozen record of choices and limits, with defaults for a small local model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from react_agent.expected import check, flag, instance, number, one_of, or_none, text, whole
from react_agent.messages import Value

from .limits import LIMITS, Limits

LangChoice = Literal["auto", "zh", "en"]

HOUSE_DIALECT = "zh_json_steps"
"""The dialect to write in where nothing says otherwise."""
SummaryChoice = Literal["none", "extract", "model"]
MIN_CONTEXT = 256
"""Tokens: less holds no task."""

_LABELS = ("\n观察：", "\nObservation:", "\n思考：", "\nThought:")
STOPS: dict[str, tuple[str, ...]] = {
    "zh_json_steps": _LABELS,
    "json_steps": _LABELS[:2],
    "action_json": _LABELS[:2],
    "react": _LABELS,
    "hermes": ("<tool_response>", *_LABELS[:2]),
    "fenced_json": _LABELS[:2],
}
"""The dialects to write in, and the words at which each has left the call behind and begins to invent.

At most four, which is what the OpenAI API takes.  A thought stands at the very start of a reply, so a later one is a new step.
"""


@dataclass(frozen=True, slots=True)
class Settings(Value):
    """Choices and limits of a run.

    `lang`: of the prompt; "auto" takes the user's.  `dialect`: how a model in text mode is told to write its calls.
    `instructions`: the user's own system text.  `few_shot`: worked examples in the prompt.

    `max_steps`: replies with tool calls before the closing question.  `max_tokens`: of one reply; None is the server's
    default.  `limits`: those of the guards.

    `context_tokens`: the room of a request with its reply; older history is shortened and left out to stay below it.  None sets
    no limit, until a server says that a request was too long.  `max_rounds`: replies of the model that are shown to it at most.
    `summary`: what stands in the place of what is left out: "extract" for lines taken from it, "model" for a summary that the
    model is asked for, "none" for a mere notice.

    `stop_early`: the model is stopped as soon as nothing more can be wanted of its reply: by stop words, and by hanging up.
    False lets it write to its own end, to see what it would write, or where a server does not notice that nobody listens.

    `check_numbers`: in text mode, a call whose required numbers stand neither in the conversation nor in the tool's schema
    is sent back once in a run, to be looked up.

    Raises:
        UsageError: a value that is not what its entry in `_EXPECTED` says.
    """

    lang: LangChoice = "auto"
    dialect: str = HOUSE_DIALECT
    instructions: str = ""
    few_shot: int = 0
    temperature: float | None = 0.0
    max_tokens: int | None = 2048
    max_steps: int = 10
    limits: Limits = LIMITS
    context_tokens: int | None = None
    stop_early: bool = True
    check_numbers: bool = True
    max_rounds: int | None = None
    summary: SummaryChoice = "extract"

    def __post_init__(self) -> None:
        check(_EXPECTED, **{name: getattr(self, name) for name in _EXPECTED})


_EXPECTED = {
    "lang": one_of(*get_args(LangChoice)),
    "dialect": one_of(*STOPS),
    "instructions": text,
    "few_shot": whole(0),
    "temperature": or_none(number()),
    "max_tokens": or_none(whole(1)),
    "max_steps": whole(1),
    "limits": instance(Limits, "a Limits", "Limits(max_slips=2) changes one of them"),
    "context_tokens": or_none(whole(MIN_CONTEXT)),
    "stop_early": flag,
    "check_numbers": flag,
    "max_rounds": or_none(whole(1)),
    "summary": one_of(*get_args(SummaryChoice)),
}
