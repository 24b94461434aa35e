"""What servers send, as `ModelChunk`s.

In: the JSON documents of one reply, in order: chunks of a stream, or one whole completion (its `message` is read as a `delta`,
so both take one path).  Out: one `ModelChunk` per document.  Servers are tolerated: no field is trusted to have its type, and
what cannot be read is left out.  What a reply means is for the parser.

Oddities met, with their cure:

    tool call without `index`, or with null    an id that is known goes on with its call, a new one or a name starts the next,
                                               the rest belongs to the last
    every parallel call at index 0             a name under a new id starts the next call
    name repeated in every delta               sent on once
    arguments as an object                     as JSON text
    old `function_call`                        a tool call without id
    one call instead of a list                 a list of one
    name and arguments beside the id           the same as inside `function`
    a number as id                             its digits
    `content` as a list of parts               their text
    `reasoning` for `reasoning_content`        the same
    an index as text                           its number
    a `message` behind deltas                  what they have said (text, reasoning, calls) is left out, the rest is read
    every delta repeats the text so far        what it adds (`growing`), of reasoning and arguments too
    choices that nobody wanted                 left out: the first index is the reply, and a choice without one is
    other words for finish_reason "length"     "length"
    … and for "content_filter"                 "content_filter"
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from react_agent.events import FILTERED, ModelChunk, ToolCallDelta
from react_agent.messages import Json, Usage

from .facts import Lesson
from .faults import Fault
from .growing import Growing

_REASONING = ("reasoning_content", "reasoning")
_CALLS = {"tool_calls", "function_call"}
_SAYINGS = ({"content", "refusal"}, {*_REASONING}, _CALLS)  # fields that say one thing
_TEXT_ALONE = {"role", "content"}
_ARGUMENTS = ("arguments", "parameters", "input")
_DIGITS = 4  # of an index
_FINISHES = {
    **dict.fromkeys(("max_tokens", "max_output_tokens", "max_length", "model_length"), "length"),
    "model_context_window_exceeded": "length",  # Zhipu, Anthropic behind gateways
    "sensitive": FILTERED,  # Zhipu
    "refusal": FILTERED,  # Anthropic behind gateways
    **dict.fromkeys(("safety", "recitation", "blocklist", "prohibited_content", "spii"), FILTERED),  # Gemini
    **dict.fromkeys(("content_filtered", "guardrail_intervened"), FILTERED),  # Bedrock
}
NOTHING = ModelChunk()


class Pieces:
    """Translates the documents of one reply.

    `finish_reason` is "" until the server gave one; `usage` is None until it counted; `called` is True once a call has begun,
    `streamed` once there was a delta that said something.
    """

    def __init__(self) -> None:
        self.finish_reason = ""
        self.usage: Usage | None = None
        self._calls = _CallNumbers()
        self.called = False
        self._reasoning = ""
        self._choice: int | None = None
        self._told: set[str] = set()  # fields of deltas that said something
        self._text, self._thoughts = Growing(), Growing()
        self._arguments: dict[int, Growing] = {}
        self._spoken = False

    @property
    def streamed(self) -> bool:
        return bool(self._told)

    def lesson(self) -> Lesson:
        """What the reply teaches of its server, as new values of facts; most replies nothing."""
        tools = {"tools": "works"} if self.called else {}
        return {**tools, "reasoning": self._reasoning} if self._reasoning else tools

    def read(self, document: Json) -> ModelChunk:
        """The chunk this document adds."""
        if self._goes_on and (text := self._text_alone(document)):
            self._told.add("content")
            return ModelChunk(text)
        self.usage = _usage(document.get("usage")) or self.usage
        choice = self._chosen(document.get("choices"))
        part = self._part(_object(choice.get("delta")), _object(choice.get("message")))
        finish = _finish(choice.get("finish_reason"))
        self.finish_reason = finish or self.finish_reason
        text, calls = _content(part.get("content")) or _text(part.get("refusal")), _CALLS & part.keys()
        reasoning = self._thoughts.take(self._thought(part))
        if text and not self._spoken:  # the reasoning is over
            reasoning, self._spoken = reasoning + self._thoughts.rest(), True
        chunk = ModelChunk(self._text.take(text), reasoning, self._deltas(part) if calls else (), finish)
        if not finish or (rest := self.rest()) is NOTHING:
            return chunk
        return joined([chunk, rest])

    def rest(self) -> ModelChunk:
        """What was kept back of the reply, when nothing more comes: mostly `NOTHING`."""
        text, thoughts, calls = self._text.rest(), self._thoughts.rest(), self._rest_of_calls() if self._arguments else ()
        return ModelChunk(text, thoughts, calls) if text or thoughts or calls else NOTHING

    def _rest_of_calls(self) -> tuple[ToolCallDelta, ...]:
        arguments = ((number, text.rest()) for number, text in self._arguments.items())
        return tuple(ToolCallDelta(number, arguments=text) for number, text in arguments if text)

    def take_texts(self, waiting: deque[Json | Fault], room: int) -> str:
        """What the documents at the front add that hold some text and nothing else, up to `room` characters; they are taken.

        White space alone is left to be read, and counted, one by one.
        """
        if not self._goes_on:
            return ""
        texts: list[str] = []
        while waiting and room > 0 and (text := self._text_alone(waiting[0])) and not text.isspace():
            waiting.popleft()
            texts.append(text)
            room -= len(text)
        if texts:
            self._told.add("content")
        return "".join(texts)

    @property
    def _goes_on(self) -> bool:
        """Whether the text has begun and is one of deltas, so that one more is to be added as it is."""
        return self._spoken and self._text.is_of_deltas

    def _text_alone(self, document: Json | Fault) -> str:
        """The text of a document that goes on with the reply and holds nothing else, as most do; "" for any other."""
        if type(document) is not dict or document.get("usage") is not None:
            return ""
        choices = document.get("choices")
        if type(choices) is not list or len(choices) != 1 or type(choice := choices[0]) is not dict:
            return ""
        if choice.get("index") != self._choice or choice.get("finish_reason") is not None or "message" in choice:
            return ""
        delta = choice.get("delta")
        if type(delta) is not dict or not delta.keys() <= _TEXT_ALONE:
            return ""
        text = delta.get("content")
        return text if type(text) is str else ""

    def _part(self, delta: Json, message: Json) -> Json:
        """The delta, and of a message what no delta has said."""
        self._told.update([name for name, value in delta.items() if value])
        if not message:
            return delta
        repeated = {name for saying in _SAYINGS if saying & self._told for name in saying}
        said = {name: value for name, value in message.items() if name not in repeated}
        return {**said, **{name: value for name, value in delta.items() if value}}

    def _thought(self, part: Json) -> str:
        for name in _REASONING:
            if name in part and (thought := _text(part[name])):
                self._reasoning = name
                return thought
        return ""

    def _deltas(self, part: Json) -> tuple[ToolCallDelta, ...]:
        calls = tuple(self._added(self._calls.number(call, place)) for place, call in enumerate(_wire_calls(part)))
        self.called = self.called or bool(calls)
        return calls

    def _added(self, delta: ToolCallDelta) -> ToolCallDelta:
        if (arguments := self._arguments.get(delta.index)) is None:
            arguments = self._arguments[delta.index] = Growing()
        return replace(delta, arguments=arguments.take(delta.arguments))

    def _chosen(self, choices: Any) -> Json:
        """The choice of the index that came first; servers that leave the index out have one."""
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                index = _index(choice.get("index"))
                if self._choice is None:
                    self._choice = index
                if index is None or index == self._choice:
                    return choice
        return {}


class Gathered:
    """Chunks that came together, to be handed out as one."""

    def __init__(self) -> None:
        self._chunks: list[ModelChunk] = []
        self._spoken = False

    def fits(self, chunk: ModelChunk) -> bool:
        """Whether it can be added without changing the order of what is said: reasoning, then text."""
        return not (chunk.reasoning and self._spoken)

    def add(self, chunk: ModelChunk) -> None:
        if chunk is NOTHING:
            return
        self._chunks.append(chunk)
        self._spoken = self._spoken or bool(chunk.text)

    def taken(self) -> ModelChunk:
        """All of them as one; nothing is left."""
        chunks, self._chunks, self._spoken = self._chunks, [], False
        return chunks[0] if len(chunks) == 1 else joined(chunks)


def lengthened(chunk: ModelChunk, more: str) -> ModelChunk:
    """A chunk of a document with more text."""
    return ModelChunk(chunk.text + more, chunk.reasoning, chunk.tool_calls, chunk.finish_reason)


def joined(chunks: Sequence[ModelChunk]) -> ModelChunk:
    """Chunks as one."""
    return ModelChunk(
        text="".join([chunk.text for chunk in chunks]),
        reasoning="".join([chunk.reasoning for chunk in chunks]),
        tool_calls=tuple([delta for chunk in chunks for delta in chunk.tool_calls]),
        finish_reason=next((chunk.finish_reason for chunk in reversed(chunks) if chunk.finish_reason), ""),
    )


class _CallNumbers:
    """Gives each delta of a tool call the number of its call, counted from 0."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._names: list[str] = []
        self._by_index: dict[int, int] = {}
        self._by_id: dict[str, int] = {}
        self._before = 0  # calls that had begun before this document

    def number(self, call: Json, place: int) -> ToolCallDelta:
        """`place` is where the delta stands in its document: neighbours without an index are different calls."""
        if place == 0:
            self._before = len(self._ids)
        function = _function(call)
        index, identity, name = _index(call.get("index")), _id(call.get("id")), _text(function.get("name"))
        number = self._unindexed(place, identity, name) if index is None else self._indexed(index, identity, name)
        return ToolCallDelta(number, self._new_id(number, identity), self._new_name(number, name), _arguments(function))

    def _indexed(self, index: int, identity: str, name: str) -> int:
        number = self._by_index.get(index)
        if number is None or (name and identity and identity != (self._ids[number] or identity)):
            number = self._by_index[index] = self._start()
        return number

    def _unindexed(self, place: int, identity: str, name: str) -> int:
        """An id tells more than the place; under the id of a neighbour a name is another call."""
        known = self._by_id.get(identity)
        if known is not None and (known < self._before or not name):
            return known
        last = len(self._ids) - 1
        goes_on = not name and not (identity and self._ids and self._ids[last])
        return last if self._ids and place == 0 and goes_on else self._start()

    def _start(self) -> int:
        self._ids.append("")
        self._names.append("")
        return len(self._ids) - 1

    def _new_id(self, number: int, identity: str) -> str:
        if self._ids[number]:
            return ""
        self._ids[number] = identity
        if identity:
            self._by_id[identity] = number
        return identity

    def _new_name(self, number: int, name: str) -> str:
        if name == self._names[number]:
            return ""
        self._names[number] += name
        return name


def _wire_calls(part: Json) -> list[Json]:
    calls = part.get("tool_calls")
    if isinstance(calls, dict):
        return [calls]
    if isinstance(calls, list):
        return [call for call in calls if isinstance(call, dict)]
    old = part.get("function_call")
    return [{"index": 0, "function": old}] if isinstance(old, dict) else []


def _function(call: Json) -> Json:
    """Name and arguments: inside the call, as the API has it, or beside its id."""
    function = call.get("function", call)
    return {**call, "name": function} if isinstance(function, str) else _object(function)


def _index(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) <= _DIGITS:
        return int(value)
    return value if isinstance(value, int) else None


def _finish(value: Any) -> str:
    if not (reason := _text(value)):
        return ""
    return _FINISHES.get(reason.lower(), reason)


def _id(value: Any) -> str:
    return str(value) if isinstance(value, int) else _text(value)


def _arguments(function: Json) -> str:
    arguments = next((value for key in _ARGUMENTS if (value := function.get(key)) is not None), None)
    if isinstance(arguments, str) or arguments is None:
        return arguments or ""
    return json.dumps(arguments, ensure_ascii=False)


def _content(content: Any) -> str:
    if isinstance(content, list):
        return "".join(_text(_object(part).get("text")) for part in content)
    return _text(content)


def _usage(counts: Any) -> Usage | None:
    """Counts may come with every chunk and are then running totals, so the last ones stand."""
    if not isinstance(counts, dict):
        return None
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")), 1)


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
