"""Answers in the shape of OpenAI's responses.

stream:  response.created, response.in_progress
         response.output_item.added                               a message, then each call
           response.content_part.added, response.output_text.delta …, response.output_text.done, response.content_part.done
           response.function_call_arguments.delta …, response.function_call_arguments.done
         response.output_item.done
         response.completed | response.incomplete | response.failed
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

from react_agent.events import Event, TextDelta
from react_agent.messages import Call, Json
from react_agent.serving.asked import Asked, Finish, Told
from react_agent.serving.chat.response import arguments_of, pieces
from react_agent.serving.encoding import data
from react_agent.serving.refusal import Refusal

_CUT: dict[Finish, str] = {"length": "max_output_tokens", "content_filter": "content_filter"}


class ResponseEncoder:
    """Writes the answer to one response request; `told_back` are fields of the request that answers repeat."""

    def __init__(self, asked: Asked, told_back: Json) -> None:
        self._base: Json = {
            "id": f"resp_{secrets.token_hex(12)}",
            "object": "response",
            "created_at": int(time.time()),
            "model": asked.model,
            "instructions": asked.instructions or None,
            "parallel_tool_calls": asked.parallel,
            "temperature": asked.temperature,
            "max_output_tokens": asked.max_tokens,
            **told_back,
            "error": None,
            "incomplete_details": None,
        }
        self._message = f"msg_{secrets.token_hex(12)}"
        self._number = -1
        self._text = ""

    def whole(self, answers: Sequence[Told]) -> Json:
        return self._ended(answers[0])

    def opened(self, index: int) -> bytes:
        started = {**self._base, "status": "in_progress", "output": []}
        return self._event("response.created", response=started) + self._event("response.in_progress", response=started)

    def shown(self, event: Event, index: int) -> bytes:
        if not isinstance(event, TextDelta):
            return b""
        start = b"" if self._text else self._message_starts()
        self._text += event.text
        return start + self._in_message("response.output_text.delta", delta=event.text, logprobs=[])

    def ended(self, told: Told, index: int) -> bytes:
        message = self._message_ends() if self._text else b""
        first = 1 if self._text else 0
        return message + b"".join(self._call(call, number) for number, call in enumerate(told.calls, first))

    def closed(self, answers: Sequence[Told]) -> bytes:
        response = self._ended(answers[0])
        return self._event(f"response.{response['status']}", response=response)

    def broken(self, refusal: Refusal) -> bytes:
        error = {"code": "server_error", "message": refusal.message}
        return self._event("response.failed", response={**self._base, "status": "failed", "output": [], "error": error})

    def _ended(self, told: Told) -> Json:
        cut = _CUT.get(told.finish)
        message = [self._written(told.text, "completed")] if told.text else []
        return {
            **self._base,
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": cut} if cut else None,
            "output": [*message, *(_item(call, "completed") for call in told.calls)],
            "usage": _usage(told),
        }

    def _written(self, text: str, status: str) -> Json:
        return {"id": self._message, "type": "message", "role": "assistant", "status": status, "content": [_part(text)]}

    def _message_starts(self) -> bytes:
        empty = {**self._written("", "in_progress"), "content": []}
        added = self._event("response.output_item.added", output_index=0, item=empty)
        return added + self._in_message("response.content_part.added", part=_part(""))

    def _message_ends(self) -> bytes:
        done = self._in_message("response.output_text.done", text=self._text, logprobs=[])
        part = self._in_message("response.content_part.done", part=_part(self._text))
        item = self._written(self._text, "completed")
        return done + part + self._event("response.output_item.done", output_index=0, item=item)

    def _call(self, call: Call, number: int) -> bytes:
        item, text = _item(call, "completed"), arguments_of(call)
        place = {"output_index": number, "item_id": item["id"]}
        started = {**item, "status": "in_progress", "arguments": ""}
        kind = "response.function_call_arguments"
        return b"".join([
            self._event("response.output_item.added", output_index=number, item=started),
            *(self._event(f"{kind}.delta", **place, delta=piece) for piece in pieces(text)),
            self._event(f"{kind}.done", **place, name=call.name, arguments=text),
            self._event("response.output_item.done", output_index=number, item=item),
        ])  # fmt: skip

    def _in_message(self, kind: str, **fields: Any) -> bytes:
        return self._event(kind, output_index=0, content_index=0, item_id=self._message, **fields)

    def _event(self, kind: str, **fields: Any) -> bytes:
        self._number += 1
        return data({"type": kind, "sequence_number": self._number, **fields}, kind)


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _item(call: Call, status: str) -> Json:
    return {
        "id": f"fc_{call.id.removeprefix('call_')}",
        "type": "function_call",
        "call_id": call.id,
        "name": call.name,
        "arguments": arguments_of(call),
        "status": status,
    }


def _usage(told: Told) -> Json:
    return {
        "input_tokens": told.usage.prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": told.usage.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": told.usage.total_tokens,
    }
