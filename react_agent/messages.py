"""What is said: the frozen values that flow through every part.

Equal by content, without ids of storage, without behaviour beyond plain arithmetic and `to_dict` / `from_dict`.
Shapes follow the OpenAI chat API where it has a word for the thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from .codec import decode, encode

Json = dict[str, Any]
Role = Literal["system", "user", "assistant", "tool"]
Mode = Literal["native", "constrained", "text"]
Status = Literal["ok", "error", "empty", "truncated", "refused"]


class Value:
    """Gives a frozen dataclass its plain form: `type(v).from_dict(v.to_dict()) == v`."""

    __slots__ = ()

    def to_dict(self) -> Json:
        """The value as JSON data; fields at their default are left out."""
        plain: Json = encode(self)
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Any:
        """The value written by `to_dict`; unknown keys are ignored.

        Raises:
            UsageError: `data` is no such value.
        """
        return decode(cls, data)


@dataclass(frozen=True, slots=True)
class ToolSpec(Value):
    """What a model may be told of a tool: `parameters` is a JSON Schema of type object."""

    name: str
    description: str = ""
    parameters: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fix(Value):
    """One liberty taken while reading: its name in `react_agent.repair.fixes.COSTS`, where, and what changed."""

    name: str
    path: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Call(Value):
    """A tool call.

    `arguments` satisfies the tool's schema when the call comes from `Parsed.calls`.  `fixes` names what was bent to get
    there, `dialect` how it was written, `evidence` how surely it is a call (see `parsing.evidence`), `span` where it
    stands in the reply (start, end in characters).  `id` pairs it with its `Result`.
    """

    name: str
    arguments: Json = field(default_factory=dict)
    id: str = ""
    fixes: tuple[Fix, ...] = ()
    dialect: str = ""
    evidence: str = ""
    span: tuple[int, ...] = ()

    def with_id(self, id: str) -> Call:
        """The same call under another id."""
        return Call(self.name, self.arguments, id, self.fixes, self.dialect, self.evidence, self.span)


@dataclass(frozen=True, slots=True)
class Rejected(Value):
    """Something shaped like a call that must not run.

    `reason` is one of: unknown_tool, invalid_arguments, malformed, cut, placeholder, example, quoted, invented (only an
    observation, which no tool gave), too_many (it and what follows), and, read strictly, repaired.  `problems` says in words
    what is wrong, for the model.
    """

    reason: str
    name: str = ""
    text: str = ""
    problems: tuple[str, ...] = ()
    arguments: Json | None = None
    id: str = ""
    dialect: str = ""
    span: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch(Value):
    """text[start:end] was taken for `kind`, as named in `parsing.explaining.KINDS`."""

    kind: str
    start: int
    end: int
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class Ruling(Value):
    """A candidate at `span` was taken for a call or answer, or not, by a rule of `parsing.rules`; `why` says so in words."""

    rule: str
    taken: bool
    why: str
    name: str = ""
    dialect: str = ""
    span: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Change(Value):
    """What a fix of the call number `call` (from 0) changed, in at most 80 characters each way."""

    call: int
    fix: str
    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Explanation(Value):
    """How a reply was read: its stretches in order, a ruling for every candidate, and what each fix changed."""

    stretches: tuple[Stretch, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed(Value):
    """What a reply says.

    `calls` are to be run, in order.  `answer` is the text for the user, None when there is none (calls win over an
    answer that follows them).  `thought` is reasoning and thought labels.  `rejected` tells what looked like a call and
    why it is none.  `cut` is True when the reply ends inside a value.  `end` is how much of the text (characters) counts:
    what follows was invented and must not be kept.  `invented` are the spans before it that must not be kept either:
    observations that no tool gave.  `explanation` says how that was found, when it was asked for; it does
    not count when two verdicts are compared.
    """

    calls: tuple[Call, ...] = ()
    answer: str | None = None
    thought: str | None = None
    rejected: tuple[Rejected, ...] = ()
    cut: bool = False
    end: int = 0
    invented: tuple[tuple[int, int], ...] = ()
    explanation: Explanation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Result(Value):
    """What a tool call gave: `content` is what the model will read.

    Of a truncated one, `rest` is what was left out, and `gap` where the note on that stands in `content` (start, end in
    characters).  The results in a history go without.
    """

    call_id: str
    name: str
    content: str
    status: Status = "ok"
    seconds: float = 0.0
    rest: str = ""
    gap: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Approval(Value):
    """The user's word on a call: `digest` is that of the `Approve` it answers, `reason` is told to the model with a no."""

    allowed: bool
    digest: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Message(Value):
    """One entry of the neutral history: it is rendered for the wire by mode and dialect, never stored in wire form.

    assistant: `content` is the reply as the model wrote it, behind its reasoning and up to the last call that counts, `calls`
    what was read in it, `native` whether those came as native tool calls.  tool: one `result`.  `pinned`: always shown to
    the model, however long the history.  `note`: a remark of the engine that stands in the user's place.
    """

    role: Role
    content: str = ""
    calls: tuple[Call, ...] = ()
    result: Result | None = None
    reasoning: str = ""
    native: bool = False
    pinned: bool = False
    note: bool = False


@dataclass(frozen=True, slots=True)
class View(Value):
    """Where the part of a history that a model is shown stands, so that a later run shows it alike.

    Shown are the messages at `head`, then a notice with the `summary`, then those from `start` on, with the results that
    `limits` names as (index, characters) cut.  `ratio` is counted to guessed tokens, 0: not known.
    """

    start: int = 0
    head: tuple[int, ...] = ()
    limits: tuple[tuple[int, int], ...] = ()
    summary: str = ""
    ratio: float = 0.0


@dataclass(frozen=True, slots=True)
class Conversation(Value):
    """All that was said, and what of it the model is shown: what `Agent.run` goes on with."""

    messages: tuple[Message, ...] = ()
    view: View = View()


@dataclass(frozen=True, slots=True)
class Usage(Value):
    """Tokens as the server counted them; `requests` counts model requests.

    `estimated`: some were guessed, because a reply was stopped before its end or the server does not count.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 0
    estimated: bool = False

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.requests + other.requests,
            self.estimated or other.estimated,
        )


class Outcome(str, Enum):
    """How a run ended."""

    COMPLETED = "completed"
    STEP_LIMIT = "step_limit"
    LOOP_GUARD = "loop_guard"
    FORMAT_FAILED = "format_failed"
    EMPTY_REPLY = "empty_reply"
    OUTPUT_LIMIT = "output_limit"
    CONTENT_FILTER = "content_filter"
    BUDGET = "budget"
    CONTEXT_OVERFLOW = "context_overflow"
    RATE_LIMITED = "rate_limited"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    SERVER_ERROR = "server_error"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Step(Value):
    """One turn of the model: the raw `reply`, what was read in it and what the tools gave."""

    number: int
    mode: Mode
    reply: str = ""
    thought: str | None = None
    calls: tuple[Call, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    results: tuple[Result, ...] = ()
    feedback: str = ""
    finish_reason: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class RunResult(Value):
    """The end of a run.

    `answer` is text for the user or None; never an error text.  `error` is one sentence when the outcome is a failure of
    the world.  `messages` is the neutral history, `view` what of it the model was shown at last; `conversation` is both.
    """

    answer: str | None
    outcome: Outcome
    steps: tuple[Step, ...] = ()
    usage: Usage = Usage()
    error: str = ""
    mode: Mode = "text"
    messages: tuple[Message, ...] = ()
    view: View = View()

    @property
    def conversation(self) -> Conversation:
        """What a later run goes on with."""
        return Conversation(self.messages, self.view)

    @property
    def ok(self) -> bool:
        """True when the run completed with an answer."""
        return self.outcome is Outcome.COMPLETED and self.answer is not None
