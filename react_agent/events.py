"""What happens: the events of a run, and the requests by which the pure core asks for effects.

The core (`parsing`, `engine`) only yields these; a driver answers the requests, and every event goes on to whoever
watches.  The same replies give the same events, so a log of them is a bug report.

    Event
    ├── parser    TextDelta ThoughtDelta AnswerDelta CallStarted ArgumentsDelta CallFinished CallRejected
    ├── engine    RunStarted StepStarted ReplyFinished ToolStarted ToolFinished Corrected GuardTripped ModeChanged
    │             HistoryShortened RunFinished
    ├── model     RetryWaiting ReplyRestarted
    └── Request   AskModel MoreFromModel StopModel CallTools CountTokens Approve
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

from .codec import decode, encode
from .errors import UsageError
from .messages import Approval, Call, Json, Mode, Parsed, Rejected, Result, RunResult, Usage, Value

R = TypeVar("R")


class Event(Value):
    """Something that happened; `to_dict` adds its class name as "event"."""

    __slots__ = ()

    def to_dict(self) -> Json:
        return {"event": type(self).__name__, **encode(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Any:
        """The event written by `to_dict`, of whichever class.

        Raises:
            UsageError: `data["event"]` is not the name of an event, or the rest is not what that event holds.
        """
        name = data.get("event") if isinstance(data, Mapping) else data
        kind = EVENTS.get(name) if isinstance(name, str) else None
        if kind is None:
            raise UsageError(f"not an event: {name!r:.80}; expected one of {', '.join(EVENTS)}")
        return decode(kind, {key: value for key, value in data.items() if key != "event"})


# --- what the parser sees, as early as it is certain -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextDelta(Event):
    """Prose: when the reply calls nothing and no `AnswerDelta` comes, the answer is what the joined texts end with."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta(Event):
    """Reasoning; the joined texts are `Parsed.thought`."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerDelta(Event):
    """Text that is certain to be the answer; the joined texts are `Parsed.answer`, unless the reply ends inside a value."""

    text: str


@dataclass(frozen=True, slots=True)
class CallStarted(Event):
    """A call of a declared tool stands here; `index` counts those of this reply from 0, `dialect` is that of the wrapper.

    It ends in a `CallFinished` or a `CallRejected` of the same index.
    """

    index: int
    name: str
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class ArgumentsDelta(Event):
    """More of a call's arguments, as the model writes them: JSON text, the inside of tags, or bare text.

    The deltas of a call stand one behind the other in the reply.  They are a preview: they stop where the form is not known,
    and say nothing of fixes; `CallFinished` has the arguments.  Calls with weak evidence have none.
    """

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class CallFinished(Event):
    """A call is complete and valid."""

    index: int
    call: Call


@dataclass(frozen=True, slots=True)
class CallRejected(Event):
    """Something shaped like a call will not run; `index` is that of its `CallStarted`, None when there was none.

    `rejected` is one of `Parsed.rejected`, or has the reason "withdrawn": the call was a draft in the reasoning, or waits for
    the result of another, and the model need not hear of it.
    """

    rejected: Rejected
    index: int | None = None


# --- what the engine does --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    """The first event of a run."""

    task: str
    tools: tuple[str, ...] = ()
    mode: Mode = "text"
    lang: str = ""


@dataclass(frozen=True, slots=True)
class StepStarted(Event):
    """A turn begins; `number` counts from 1, `closing` marks the last request, made without tools."""

    number: int
    mode: Mode = "text"
    closing: bool = False


@dataclass(frozen=True, slots=True)
class ReplyFinished(Event):
    """The model has spoken: the raw `text` as it came, and what was read in it."""

    number: int
    text: str
    parsed: Parsed
    reasoning: str = ""
    finish_reason: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class ToolStarted(Event):
    """A call has passed validation and is about to run."""

    call: Call


@dataclass(frozen=True, slots=True)
class ToolFinished(Event):
    """A tool gave its result."""

    result: Result


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """The model is told what was wrong; `reason` as in `Rejected.reason`, or one of those that docs/guards.md lists."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class GuardTripped(Event):
    """A guard ends or bends the run: "max_steps", "repeated_call", "format", "empty", "output" …"""

    guard: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ModeChanged(Event):
    """A mode turned out not to work; `refused`: the server said so, else the replies show it."""

    before: Mode
    after: Mode
    why: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class HistoryShortened(Event):
    """The history did not fit any more: `left_out` messages are not shown to the model now, and older results shortened.

    `summary` is what the model is shown in the place of what was left out.
    """

    left_out: int
    summary: str = ""


@dataclass(frozen=True, slots=True)
class RunFinished(Event):
    """The last event of a run."""

    result: RunResult


# --- requests: the only way out of the core --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constraint(Value):
    """What a reply may look like, said twice: a server is sent what it knows.

    `grammar` is in GBNF.  `schema` is a JSON Schema, None where a reply is more than one JSON value.
    """

    grammar: str
    schema: Json | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest(Value):
    """One chat completion in wire form: `messages` and `tools` are OpenAI-shaped dicts, sent as they are.

    `stop` and `tools` are left out of the body when empty.  `max_tokens` None means the server's default.  `seconds` is the
    time for the whole reply, repetitions and waits included; None sets no limit.  A `reasoning_content` among the messages is
    for servers that demand it back; models leave it out elsewhere.  `constraint` is what the server shall hold the reply to;
    a model that cannot have that says so with the failure "constraint_refused".
    """

    messages: tuple[Json, ...]
    tools: tuple[Json, ...] = ()
    tool_choice: str | None = None
    stop: tuple[str, ...] = ()
    temperature: float | None = 0.0
    max_tokens: int | None = None
    stream: bool = True
    extra_body: Json = field(default_factory=dict)
    seconds: float | None = None
    constraint: Constraint | None = None


@dataclass(frozen=True, slots=True)
class ToolCallDelta(Value):
    """A piece of a native tool call: pieces of one `index` belong together and are concatenated."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


STOPPED = "stopped"
"""Finish reason of a reply that was stopped because nothing more was wanted of it."""
FILTERED = "content_filter"
"""Finish reason of a reply that the server's filter has cut."""


@dataclass(frozen=True, slots=True)
class ModelChunk(Value):
    """A piece of a reply; `last` marks the end.  A reply that is not streamed is one chunk."""

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCallDelta, ...] = ()
    finish_reason: str = ""
    usage: Usage | None = None
    last: bool = False


FailureKind = Literal[
    "tools_refused",  # the server will not take `tools`
    "stop_refused",  # … `stop`
    "constraint_refused",  # … a grammar or schema, or it knows none
    "unreachable",  # no connection: wrong address, server down
    "unauthorized",  # 401, 403
    "unknown_model",  # 404, or 400 that names the model
    "rate_limited",  # 429 after the retries
    "context_overflow",  # the prompt does not fit
    "content_filter",  # what was asked or written is not let through
    "timeout",
    "deadline",  # the time for the whole request was up
    "broken_stream",  # the connection ended inside a reply
    "server",  # 5xx, other 4xx, and bodies that are no completion
]


@dataclass(frozen=True, slots=True)
class ModelFailure(Value):
    """The request failed: `message` is one sentence that says what to do, `status` the HTTP status (0: none).

    With a "context_overflow", `window` is the context window in tokens and `prompt` what the server counted for the request
    without its reply; each 0 where it does not say.
    """

    kind: FailureKind
    message: str
    status: int = 0
    window: int = 0
    prompt: int = 0


@dataclass(frozen=True, slots=True)
class RetryWaiting(Event):
    """A request failed for the moment and is made again after `seconds`; `attempt` counts the repetitions from 1."""

    attempt: int
    seconds: float
    failure: ModelFailure


@dataclass(frozen=True, slots=True)
class ReplyRestarted(Event):
    """The connection broke inside a reply, and the repeated request is answered differently: what was shown of it is void.

    When the repeated answer begins as the broken one, it just goes on, and this event does not come.
    """


ModelPiece = ModelChunk | ModelFailure | RetryWaiting | ReplyRestarted
"""What a model's stream consists of: chunks, at most one failure as the last piece, and what there is to tell in between."""


class Request(Event, Generic[R]):
    """An event that wants a reply of type `R`; the core gets it by `reply = yield from ask(request)`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AskModel(Request[ModelPiece]):
    """Send a request; the reply is the first piece of the answer.  `number` is the step, `purpose` what the answer is for."""

    request: ModelRequest
    number: int = 0
    purpose: Literal["step", "summary"] = "step"


@dataclass(frozen=True, slots=True)
class MoreFromModel(Request[ModelPiece]):
    """The next piece of the answer being read."""


@dataclass(frozen=True, slots=True)
class StopModel(Request[None]):
    """Nothing more is wanted of the answer being read: close the connection."""


@dataclass(frozen=True, slots=True)
class CallTools(Request[tuple[Result, ...]]):
    """Run these calls; the results come in the order of the calls.  `number` is the step.

    `done` says of each call how often it has been done in this run already (none given: never); with the run it makes its key.
    """

    calls: tuple[Call, ...]
    number: int = 0
    done: tuple[int, ...] = ()


Note = Callable[[int, Result | None], None]
"""Whoever runs `CallTools` tells it of a call, by its place: None before it begins, then its result."""


@dataclass(frozen=True, slots=True)
class CountTokens(Request[int | None]):
    """Count the tokens of `text` as the model does; None where nobody can."""

    text: str


@dataclass(frozen=True, slots=True)
class Approve(Request[Approval]):
    """May this call run?  The answer holds for `digest` alone, the tool and its exact arguments in canonical form.

    `why`: "dangerous" (the tool is), "policy" (which says to ask), "unclear" (a dangerous call that was mended, or is not
    surely one), "dictated" (the text of a tool asks for it) or "quoted" (the user may only have wanted to see it).  `number` is
    the step.
    """

    call: Call
    digest: str
    why: str = "dangerous"
    number: int = 0


Flow = Generator[Event, Any, R]
"""A pure flow: yields events, is sent the replies to its requests, returns an `R`."""


def ask(request: Request[R]) -> Flow[R]:
    """`reply = yield from ask(request)`: the typed way to ask."""
    return cast(R, (yield request))


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        TextDelta, ThoughtDelta, AnswerDelta, CallStarted, ArgumentsDelta, CallFinished, CallRejected,
        RunStarted, StepStarted, ReplyFinished, ToolStarted, ToolFinished, Corrected, GuardTripped, ModeChanged,
        HistoryShortened, RunFinished,
        RetryWaiting, ReplyRestarted, AskModel, MoreFromModel, StopModel, CallTools, CountTokens, Approve,
    )
}  # fmt: skip
