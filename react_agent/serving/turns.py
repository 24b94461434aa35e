"""One request of a client as a pure flow: turns of the engine until there is something sound to tell.

In: `Asked`, the engine's `State` made of it, and how often the model may be asked again.  Out: the engine's events, of which
`TextDelta` and `ThoughtDelta` are to be shown when the client wants a stream, and `Told` as the last one.

The rules: a call that is told is declared and valid, and is told when the reply is over, since only then nothing can take it
back.  A reply that is of no use is answered with a correction, within the budget; what still fails is told as text with the
reason.  Of a later reply text is told only if it makes no call, for the client has seen the beginning of the first one.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from react_agent.engine.correcting import correct, give_up_native, kept
from react_agent.engine.guards import Slip, is_slip, rejected_slip, slip_of
from react_agent.engine.objections import from_nowhere, to_answer, to_calls
from react_agent.engine.reply import CUT, Reply
from react_agent.engine.signals import StopRun
from react_agent.engine.state import State
from react_agent.engine.turn import turn
from react_agent.events import (
    FILTERED,
    AnswerDelta,
    AskModel,
    Event,
    Flow,
    ModelChunk,
    ModelFailure,
    ModelRequest,
    MoreFromModel,
    ReplyRestarted,
    TextDelta,
    ThoughtDelta,
)
from react_agent.messages import Call, Fix, Message
from react_agent.prompting.defang import defang

from .asked import Asked, Finish, Told
from .shaping import Shaped, shaped

FINISHES: dict[str, Finish] = {"length": "length", FILTERED: "content_filter"}
BROKE_OFF = ModelFailure("broken_stream", "The upstream broke off and then answered differently from what was already sent.")


@dataclass
class _Telling:
    """What has been told so far; `live`: text goes out as it comes."""

    live: bool
    shown: str = ""
    held: str = ""
    thought: str = ""
    torn: bool = False

    def take(self, text: str) -> Event | None:
        if self.live:
            self.shown += text
            return TextDelta(text)
        self.held += text
        return None

    def begin(self) -> None:
        """The model is asked once more: what it says to that must not follow what was shown."""
        self.live, self.held = self.live and not self.shown, ""

    def restart(self) -> None:
        self.torn = self.torn or bool(self.shown)
        self.held = ""

    def say(self, text: str) -> TextDelta | None:
        """More text at the end, parted from what was shown."""
        if not text:
            return None
        more = f"\n\n{text}" if self.shown else text
        self.shown += more
        return TextDelta(more)


def told(asked: Asked, state: State, *, budget: int, seed: str) -> Flow[Told]:
    """The flow of one request; `seed` begins the ids of calls, which must be unique among all requests."""
    # where a call is required, no text is certain to be the answer before the last round is over
    telling = _Telling(asked.stream and asked.schema is None and asked.choice != "required")
    try:
        last = yield from _rounds(asked, state, telling, budget, seed)
    except StopRun as stop:
        last = _failed(state, telling, ModelFailure("deadline", stop.reason or "The time for this request was up."))
    yield last
    return last


def _rounds(asked: Asked, state: State, telling: _Telling, budget: int, seed: str) -> Flow[Told]:
    for left in range(budget, -1, -1):
        reply = yield from _heard(turn(state), asked, telling)
        state.usage += reply.usage
        if reply.failure is not None or telling.torn:
            return _failed(state, telling, reply.failure or BROKE_OFF)
        if reply.leaked:
            yield from give_up_native(state, f"the reply wrote a call as text ({reply.parsed.calls[0].dialect})")
        if calls := _calls(asked, state, reply, seed):
            doubted = to_calls(state, reply, calls[:1]) if left else {}
            if not doubted:
                return (yield from _ended(asked, state, telling, reply, calls))
            yield from correct(state, reply, doubted[calls[0].id])
            continue
        verdict = _judged(asked, state, telling, reply)
        if not left or (verdict.slip is None and verdict.ok):
            return (yield from _answered(asked, state, telling, reply, verdict))
        yield from _again(state, reply, verdict)
    raise AssertionError("the last round returns")


@dataclass(frozen=True)
class _Verdict(Shaped):
    """A reply without calls: its slip, or what is wrong with the shape of its answer."""

    slip: Slip | None = None


def _judged(asked: Asked, state: State, telling: _Telling, reply: Reply) -> _Verdict:
    slip = _slip(asked, state, reply)
    if slip is not None or asked.schema is None or reply.finish_reason in CUT:
        return _Verdict(True, telling.held, slip=slip)
    answer = shaped(telling.held, asked.schema, state.prompt.lang)
    return _Verdict(answer.ok, answer.text, answer.fixes, answer.problem)


def _again(state: State, reply: Reply, verdict: _Verdict) -> Flow[None]:
    """Say to the model what was wrong."""
    if verdict.slip is not None:
        yield from correct(state, reply, verdict.slip)
    else:
        state.history += [Message("assistant", kept(reply)), Message("user", defang(verdict.problem))]


def _answered(asked: Asked, state: State, telling: _Telling, reply: Reply, verdict: _Verdict) -> Flow[Told]:
    telling.held = verdict.text
    note = _note(verdict.slip) if verdict.slip else ""
    last = yield from _ended(asked, state, telling, reply, (), note)
    return replace(last, fixes=verdict.fixes, note=note or verdict.problem)


def _heard(flow: Flow[Reply], asked: Asked, telling: _Telling) -> Generator[Event, Any, Reply]:
    """The events of a turn, its requests amended; what is to be shown goes through `telling`."""
    answer: Any = None
    while True:
        try:
            event = flow.send(answer)
        except StopIteration as end:
            reply: Reply = end.value
            return reply
        answer = None
        match event:
            case AskModel():
                telling.begin()
                request = _amended(event.request, asked)
                answer = yield event if request is event.request else replace(event, request=request)
                yield from _raw(asked, telling, answer)
            case MoreFromModel():
                answer = yield event
                yield from _raw(asked, telling, answer)
            case TextDelta() | AnswerDelta():
                if asked.tools and (shown := telling.take(event.text)):
                    yield shown
            case ThoughtDelta():
                if asked.tools:
                    telling.thought += event.text
                    yield event
            case ReplyRestarted():
                telling.restart()
                yield event
            case _:
                answer = yield event


def _raw(asked: Asked, telling: _Telling, piece: object) -> Generator[Event, Any, None]:
    """Without tools nothing is read in a reply: it is told as it stands."""
    if asked.tools or not isinstance(piece, ModelChunk):
        return
    if piece.reasoning:
        telling.thought += piece.reasoning
        yield ThoughtDelta(piece.reasoning)
    if piece.text and (shown := telling.take(piece.text)):
        yield shown


def _amended(request: ModelRequest, asked: Asked) -> ModelRequest:
    """The engine's request with what the client wants besides."""
    choice = "required" if request.tools and asked.choice == "required" else None
    if not (asked.stop or asked.extra or choice):
        return request
    stop = tuple(dict.fromkeys((*asked.stop, *request.stop)))
    return replace(request, stop=stop, tool_choice=choice, extra_body={**request.extra_body, **asked.extra})


def _calls(asked: Asked, state: State, reply: Reply, seed: str) -> tuple[Call, ...]:
    """The calls to tell: in text, none behind the first that holds numbers from nowhere, as they wait for its result."""
    calls = reply.parsed.calls if asked.tools else ()
    if not asked.parallel:
        calls = calls[:1]
    elif not reply.native:
        calls = (*calls[:1], *takewhile(lambda call: not from_nowhere(state, call), calls[1:]))
    return tuple(call.with_id(f"call_{seed}{number}") for number, call in enumerate(calls))


def _dropped(reply: Reply, calls: tuple[Call, ...]) -> tuple[Fix, ...]:
    """The calls of a reply that are not passed on, so that whoever wonders about them finds a sign."""
    late = (call.name for call in reply.parsed.calls[len(calls) :])
    invalid = (rejected.name for rejected in reply.parsed.rejected if is_slip(rejected))
    return tuple(Fix("call_dropped", note=name) for name in (*late, *invalid, *reply.dropped))


def _slip(asked: Asked, state: State, reply: Reply) -> Slip | None:
    """What is wrong with a reply that makes no call."""
    if not asked.tools or reply.finish_reason in CUT:
        return None
    native = next((item for item in reply.native if not isinstance(item, Call)), None)
    if native is not None:
        return rejected_slip(native)
    slip = slip_of(reply, tools=True) or to_answer(state, reply)
    if slip is None and asked.choice == "required":
        return Slip("format", quote=reply.text.strip())
    return slip


def _ended(asked: Asked, state: State, telling: _Telling, reply: Reply, calls: tuple[Call, ...], note: str = "") -> Flow[Told]:
    """Tell what has not been told; a note stands for a call that failed, and for text that there is none of."""
    rest = telling.held.strip() if asked.tools else telling.held
    rest = "" if calls and telling.shown else "\n\n".join(filter(None, (rest, note)))
    if said := telling.say(rest):
        yield said
    return Told(
        telling.shown,
        telling.thought or reply.reasoning,
        calls,
        "tool_calls" if calls else FINISHES.get(reply.finish_reason, "stop"),
        state.usage,
        reply.mode,
        calls[0].dialect if calls else "",
        (*(fix for call in calls for fix in call.fixes), *(_dropped(reply, calls) if calls else ())),
        state.usage.requests,
        note,
    )


def _failed(state: State, telling: _Telling, failure: ModelFailure) -> Told:
    return Told(telling.shown, telling.thought, usage=state.usage, mode=state.mode, tries=state.usage.requests, failure=failure)


def _note(slip: Slip) -> str:
    """Why a call that was meant is not made, for the reader of the answer."""
    if slip.reason in ("format", "announced", "cut"):
        return ""
    if slip.reason == "empty":
        return "(The model gave no answer.)"
    meant = f"a call of {slip.name}" if slip.name else "a tool call"
    why = "; ".join(slip.problems) or slip.reason.replace("_", " ")
    return f"(The model tried {meant}, which was not made: {why}.)"
