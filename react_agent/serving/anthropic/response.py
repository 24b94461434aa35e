"""Answers in the shape of Anthropic's messages.

stream:  message_start
         content_block_start, content_block_delta …, content_block_stop      one after the other: text, then tool_use
         message_delta                                                       stop_reason, usage
         message_stop
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from react_agent.events import Event, TextDelta
from react_agent.messages import Call, Json
from react_agent.serving.asked import Finish, Told
from react_agent.serving.chat.response import arguments_of, pieces
from react_agent.serving.encoding import data
from react_agent.serving.refusal import Refusal, anthropic_error

_REASONS: dict[Finish, str] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
}


class MessageEncoder:
    """Writes the answer to one message request."""

    def __init__(self, model: str) -> None:
        self._head: Json = {"id": f"msg_{secrets.token_hex(12)}", "type": "message", "role": "assistant", "model": model}
        self._block = -1
        self._open = False

    def whole(self, answers: Sequence[Told]) -> Json:
        told = answers[0]
        text = [{"type": "text", "text": told.text}] if told.text else []
        return {
            **self._head,
            "content": [*text, *(_tool_use(call, call.arguments) for call in told.calls)],
            "stop_reason": _REASONS[told.finish],
            "stop_sequence": None,
            "usage": _usage(told),
        }

    def opened(self, index: int) -> bytes:
        usage = {"input_tokens": 0, "output_tokens": 0}
        message = {**self._head, "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        return _event("message_start", message=message)

    def shown(self, event: Event, index: int) -> bytes:
        if not isinstance(event, TextDelta):
            return b""
        start = b"" if self._open else self._start({"type": "text", "text": ""})
        return start + self._delta({"type": "text_delta", "text": event.text})

    def ended(self, told: Told, index: int) -> bytes:
        blocks = b"".join(self._call(call) for call in told.calls)
        stop = {"stop_reason": _REASONS[told.finish], "stop_sequence": None}
        return self._stop_after(blocks) + _event("message_delta", delta=stop, usage=_usage(told))

    def closed(self, answers: Sequence[Told]) -> bytes:
        return _event("message_stop")

    def broken(self, refusal: Refusal) -> bytes:
        return data(anthropic_error(refusal), "error")

    def _call(self, call: Call) -> bytes:
        start = self._start(_tool_use(call, {}))  # first, as it counts the blocks
        parts = [self._delta({"type": "input_json_delta", "partial_json": piece}) for piece in pieces(arguments_of(call))]
        return b"".join([start, *parts])

    def _start(self, block: Json) -> bytes:
        before = self._stop()
        self._block += 1
        self._open = True
        return before + _event("content_block_start", index=self._block, content_block=block)

    def _delta(self, delta: Json) -> bytes:
        return _event("content_block_delta", index=self._block, delta=delta)

    def _stop(self) -> bytes:
        was_open, self._open = self._open, False
        return _event("content_block_stop", index=self._block) if was_open else b""

    def _stop_after(self, blocks: bytes) -> bytes:
        return blocks + self._stop()


def _event(kind: str, **fields: object) -> bytes:
    return data({"type": kind, **fields}, kind)


def _tool_use(call: Call, arguments: Json) -> Json:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments}


def _usage(told: Told) -> Json:
    return {"input_tokens": told.usage.prompt_tokens, "output_tokens": told.usage.completion_tokens}
