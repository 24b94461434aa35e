"""Answers in the shape of chat completions.

stream:  delta {"role": "assistant", "content": ""}      first, once for each answer
         delta {"content": …} | {"reasoning_content": …}
         delta {"tool_calls": [{"index", "id", "type", "function": {"name", "arguments": ""}}]}
         delta {"tool_calls": [{"index", "function": {"arguments": …}}]}
         delta {}, finish_reason
         choices [], usage                               when asked for
         [DONE]
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from react_agent.events import Event, TextDelta, ThoughtDelta
from react_agent.messages import Call, Json, Usage
from react_agent.serving.asked import Told
from react_agent.serving.encoding import data, spaced
from react_agent.serving.refusal import Refusal, openai_error

PIECE = 256
"""Characters of a delta of arguments."""
DONE = b"data: [DONE]\n\n"


class ChatEncoder:
    """Writes the answer to one chat completion; `counts`: the stream ends with the usage."""

    def __init__(self, model: str, *, counts: bool = False) -> None:
        self._head = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": model}
        self._counts = counts

    def whole(self, answers: Sequence[Told]) -> Json:
        choices = [_choice(told, index) for index, told in enumerate(answers)]
        return {**self._head, "object": "chat.completion", "choices": choices, "usage": usage_of(answers)}

    def opened(self, index: int) -> bytes:
        return self._chunk(index, {"role": "assistant", "content": ""})

    def shown(self, event: Event, index: int) -> bytes:
        match event:
            case TextDelta(text):
                return self._chunk(index, {"content": text})
            case ThoughtDelta(text):
                return self._chunk(index, {"reasoning_content": text})
            case _:
                return b""

    def ended(self, told: Told, index: int) -> bytes:
        calls = (delta for number, call in enumerate(told.calls) for delta in _deltas(call, number))
        parts = [self._chunk(index, {"tool_calls": [delta]}) for delta in calls]
        return b"".join([*parts, self._chunk(index, {}, told.finish)])

    def closed(self, answers: Sequence[Told]) -> bytes:
        counts = {**self._head, "object": "chat.completion.chunk", "choices": [], "usage": usage_of(answers)}
        return (data(counts) if self._counts else b"") + DONE

    def broken(self, refusal: Refusal) -> bytes:
        return data(openai_error(refusal))

    def _chunk(self, index: int, delta: Json, finish: str | None = None) -> bytes:
        choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}
        return data({**self._head, "object": "chat.completion.chunk", "choices": [choice]})


def arguments_of(call: Call) -> str:
    """The arguments of a call as JSON text, in the order they were written."""
    return spaced(call.arguments)


def pieces(text: str) -> list[str]:
    """A long text in parts."""
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def usage_of(answers: Sequence[Told]) -> Json:
    """What all requests to the model took: repetitions and corrections are counted, for they were paid for."""
    total = sum((told.usage for told in answers), Usage())
    return {
        "prompt_tokens": total.prompt_tokens,
        "completion_tokens": total.completion_tokens,
        "total_tokens": total.total_tokens,
    }


def _choice(told: Told, index: int) -> Json:
    content = None if told.calls and not told.text else told.text
    message: Json = {"role": "assistant", "content": content, "refusal": None}
    if told.reasoning:
        message["reasoning_content"] = told.reasoning
    if told.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments_of(call)}}
            for call in told.calls
        ]
    return {"index": index, "message": message, "logprobs": None, "finish_reason": told.finish}


def _deltas(call: Call, number: int) -> list[Json]:
    first = {"index": number, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
    return [first, *({"index": number, "function": {"arguments": piece}} for piece in pieces(arguments_of(call)))]
