"""One turn of the model: ask, read the reply as it comes, stop it as soon as it has said enough.

In: the state of the run.  Out: events and a `Reply`.  The content goes through the parser in every mode, so a call that
leaks into native content is found.  A server that refuses `tools`, a constraint or `stop` is asked again without, in the same
turn.  What the reply means for the run is left to `loop`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from react_agent.events import (
    STOPPED,
    AnswerDelta,
    AskModel,
    CallFinished,
    CallRejected,
    CallStarted,
    Constraint,
    Event,
    Flow,
    GuardTripped,
    ModelChunk,
    ModelFailure,
    ModelRequest,
    MoreFromModel,
    ReplyFinished,
    ReplyRestarted,
    RetryWaiting,
    StopModel,
    TextDelta,
    ThoughtDelta,
    ToolCallDelta,
    ask,
)
from react_agent.messages import Call, Json, Parsed, Rejected, Usage
from react_agent.parsing import Parser
from react_agent.parsing.reasoning import leading
from react_agent.prompting import Prompt, constraint
from react_agent.prompting.wire_tools import wire_tools

from .correcting import go_down
from .guards import Watch, same_call
from .native import assemble, settle_native
from .objections import from_nowhere
from .reply import CUT, Reply
from .room import TOO_LONG, counted, messages, shrunk
from .state import State
from .together import together, without_dropped

_MORE = MoreFromModel()
MAX_REPLY_CHARS = 1_000_000
REPEATED = "repetition"
"""Finish reason of a reply that was cut because it only repeated itself."""
MAX_SHOWN = 80
"""Characters of a repetition that its event shows."""


def turn(state: State, *, closing: bool = False) -> Flow[Reply]:
    """Ask until there is a reply or a failure that asking otherwise cannot mend."""
    state.shrunk = False
    while True:
        reply = yield from _attempt(state, closing)
        if reply.failure is None or not (yield from _adapted(state, reply.failure)):
            return reply


def _adapted(state: State, failure: ModelFailure) -> Flow[bool]:
    """Change what the server refused; False when there is nothing to change."""
    if failure.kind == "tools_refused" and state.mode == "native" and state.auto:
        yield from go_down(state, f"the server refused tools: {failure.message}", refused=True)
        return True
    if failure.kind == "constraint_refused" and state.mode == "constrained":
        yield from go_down(state, failure.message, refused=True)
        return True
    if failure.kind == "stop_refused" and state.stop:
        state.stop = ()
        return True
    return failure.kind == "context_overflow" and failure is not TOO_LONG and shrunk(state, failure)


def _attempt(state: State, closing: bool) -> Flow[Reply]:
    said = yield from messages(state)
    if isinstance(said, ModelFailure):
        return Reply(state.mode, failure=said)
    reader = _Reader(state)
    piece = yield from ask(AskModel(_request(state, said, closing), state.number))
    while True:
        match piece:
            case ModelChunk():
                yield from reader.take(piece)
                if piece.last:
                    break
            case ModelFailure():
                yield from reader.look()
                return Reply(state.mode, reader.text, reader.prose, failure=piece)
            case RetryWaiting():
                yield piece
            case ReplyRestarted():
                yield piece
                reader = _Reader(state)
        if reader.done:
            yield from ask(StopModel())
            break
        piece = yield from ask(_MORE)
    reply = counted(state, (yield from reader.finish()))
    if not state.prompt.specs:
        reply = yield from _as_chat(reply)
    yield ReplyFinished(state.number, reply.text, reply.parsed, reply.reasoning, reply.finish_reason, reply.usage)
    return reply


def _as_chat(reply: Reply) -> Flow[Reply]:
    """Without tools nothing is a call and nothing observed: what looks like that is what the user asked to see.

    An answer behind a label is one all the same, as earlier runs with tools may have been asked for it.
    """
    said = reply.parsed
    if said.answer is not None and said.answer != reply.prose:
        return reply
    text = reply.text[leading(reply.text, said.thought or "") :].strip()
    if not text:
        return reply
    if text.startswith(reply.prose) and text != reply.prose:
        yield TextDelta(text[len(reply.prose) :])
    return replace(reply, prose=text, parsed=replace(said, answer=text, rejected=(), invented=(), end=0))


def _request(state: State, said: tuple[Json, ...], closing: bool) -> ModelRequest:
    native = state.mode == "native"
    return ModelRequest(
        said,
        tools=(*state.prompt.wire_tools, *wire_tools(state.extra, state.prompt.names)) if native and not closing else (),
        stop=() if native else state.stop,
        temperature=state.settings.temperature,
        max_tokens=state.settings.max_tokens,
        constraint=_constraint(state, closing) if state.mode == "constrained" else None,
    )


def _constraint(state: State, closing: bool) -> Constraint:
    """The same for every request with the same tools, so that a server need not compile it again."""
    tools = () if closing else (*state.prompt.specs, *state.extra)
    names = tuple(tool.name for tool in tools)
    if names not in state.constraints:
        state.constraints[names] = constraint(state.prompt, tools)
    return state.constraints[names]


class _Reader:
    """Takes the pieces of one reply."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._parser = Parser(state.tools, one_action=True, aloud=state.aloud)
        self._content: list[str] = []
        self._rest = ""
        self._length = 0
        self._prose: list[str] = []
        self._calls = 0
        self._answered = False
        self._reasoning: list[str] = []
        self._deltas: list[ToolCallDelta] = []
        self._finish_reason = ""
        self._usage = Usage(requests=1)
        least = state.settings.limits.max_repetition if state.settings.stop_early else None
        self._said, self._thought = Watch(least), Watch(least)

    @property
    def text(self) -> str:
        """The content so far."""
        return "".join(self._content)

    @property
    def prose(self) -> str:
        """What of it is neither call nor thought."""
        return "".join(self._prose)

    @property
    def done(self) -> bool:
        """Nothing more is wanted; native pieces are read to their end, unless there is no end of them."""
        if self._parser.done and self._state.settings.stop_early and self._state.prompt.specs and not self._deltas:
            return True
        return self._length > MAX_REPLY_CHARS or self._said.found is not None or self._thought.found is not None

    def take(self, chunk: ModelChunk) -> Sequence[Event]:
        """One more piece; what it makes certain."""
        events: list[Event] = []
        if chunk.reasoning and (thought := self._thought.take(chunk.reasoning)):
            self._reasoning.append(thought)
            events.append(ThoughtDelta(thought))
        if chunk.tool_calls:
            self._deltas += chunk.tool_calls
            self._length += sum(len(delta.arguments) for delta in chunk.tool_calls)
        self._finish_reason = chunk.finish_reason or self._finish_reason
        if chunk.usage is not None:
            self._usage = chunk.usage if chunk.usage.requests == 1 else replace(chunk.usage, requests=1)
        if chunk.text and (text := self._said.take(chunk.text)):
            self._content.append(text)
            self._length += len(text)
            if chunk.last:
                self._rest = text
            elif seen := self._parser.feed(text):
                events += self._told(seen)
        return events

    def look(self) -> Sequence[Event]:
        """What the pieces so far make certain; no more of them come."""
        return self._told(self._parser.look())

    def finish(self) -> Flow[Reply]:
        """Close the parser, judge the native calls, put the reply together."""
        events = self._parser.close(self._rest)
        text, said = self._counted()
        parsed = together(said, text, self._leans)
        yield from self._told(without_dropped(events, parsed))
        native = self._native()
        yield from _native_events(native, self._calls)
        reasoning = self._thought.once("".join(self._reasoning))
        repeated = self._said.sample(text) if text != self.text else self._thought.sample(reasoning)
        if repeated:
            yield GuardTripped("repetition", repeated[:MAX_SHOWN])
        return Reply(
            self._state.mode,
            text,
            self.prose[: len(text)].strip(),
            reasoning,
            _united(_without_copies(parsed, self._state.prompt, self._state.task), native, self._state),
            native,
            tuple(call.name for call in said.calls[len(parsed.calls) :]),
            REPEATED if repeated else self._finish_reason or STOPPED,
            self._usage,
            repeated,
            self._lead(text, parsed),
        )

    def _counted(self) -> tuple[str, Parsed]:
        """The content and what it says: without its repetition, unless that stands behind all that counts."""
        text, said = self.text, self._parser.result
        once = self._said.once(text)
        if once == text or 0 < said.end <= len(once):
            return text, said
        return once, self._read(once)

    def _read(self, text: str) -> Parsed:
        parser = Parser(self._state.tools, one_action=True)
        parser.feed(text)
        parser.close()
        return parser.result

    def _lead(self, text: str, parsed: Parsed) -> int:
        """Reasoning at the start is kept where the dialect has the thoughts of its examples there."""
        return 0 if self._state.prompt.thinks_apart else leading(text, parsed.thought or "")

    def _leans(self, call: Call) -> bool:
        return not self._state.parallel or bool(from_nowhere(self._state, call))

    def _told(self, events: Iterable[Event]) -> list[Event]:
        """What the parser has told, as it is told on; the prose is remembered, and how many calls there are."""
        told: list[Event] = []
        for event in events:
            if isinstance(event, AnswerDelta):
                if self._may_call:
                    event = TextDelta(event.text)
                else:
                    self._answered = True
            if isinstance(event, TextDelta):
                self._prose.append(event.text)
            elif isinstance(event, CallStarted):
                self._calls = event.index + 1
            told.append(event)
        return told

    @property
    def _may_call(self) -> bool:
        """Whether a native call may follow what has been read, so that nothing of it is certain to be the answer."""
        return self._state.mode == "native" and bool(self._state.prompt.specs)

    def _native(self) -> tuple[Call | Rejected, ...]:
        """The native calls; those that nobody asked for do not take back an answer that was told."""
        if not self._deltas or self._answered:
            return ()
        return settle_native(
            assemble(self._deltas, self._state.prompt.names.tool),
            self._state.tools,
            self._state.prompt.names,
            cut=self._finish_reason in CUT or (self._length > MAX_REPLY_CHARS and not self._finish_reason),
            taken=self._state.taken_ids,
            prefix=self._state.id_prefix,
        )


def _without_copies(parsed: Parsed, prompt: Prompt, task: str) -> Parsed:
    """The example call of the prompt, copied as it stands, is no call."""
    copies = tuple(call for call in parsed.calls if prompt.is_example(call) and not _stands_in(task, call))
    if not copies:
        return parsed
    rejected = tuple(
        Rejected("placeholder", call.name, problems=("the values are those of the example",), span=call.span) for call in copies
    )
    calls = tuple(call for call in parsed.calls if call not in copies)
    return replace(parsed, calls=calls, rejected=(*parsed.rejected, *rejected))


def _stands_in(task: str, call: Call) -> bool:
    return any(isinstance(value, str) and value in task for value in call.arguments.values())


def _native_events(native: tuple[Call | Rejected, ...], first: int) -> Iterator[Event]:
    """Native calls come as a whole: each starts and ends at once, counted from `first`."""
    for index, verdict in enumerate(native, first):
        yield CallStarted(index, verdict.name)
        yield CallFinished(index, verdict) if isinstance(verdict, Call) else CallRejected(verdict, index)


def _united(parsed: Parsed, native: tuple[Call | Rejected, ...], state: State) -> Parsed:
    """Native calls first, then those of the text that are not the same; all with ids."""
    calls = [verdict for verdict in native if isinstance(verdict, Call)]
    rejected = [verdict for verdict in native if isinstance(verdict, Rejected)]
    for number, call in enumerate(parsed.calls, len(native)):
        if not any(same_call(call, other) for other in calls if native):
            calls.append(call.with_id(f"{state.id_prefix}_{number}"))
    answer = None if native else parsed.answer
    return replace(parsed, calls=tuple(calls), rejected=(*rejected, *parsed.rejected), answer=answer)
