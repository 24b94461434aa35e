"""A `ModelRequest` as the JSON body of a chat completion.

In: the request, the model's name, the caller's extra fields, the server's ways to hold a reply to a form.  Out: the body that
is wanted.  The rule: nothing the request leaves open is sent, because strict servers refuse fields they do not know; extra
fields come last and win.  What an endpoint does not take is left out by `fitting`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from react_agent.events import ModelRequest
from react_agent.messages import Json

from .constraining import Way, held


def body_of(request: ModelRequest, *, model: str, extra: Mapping[str, Any], ways: Iterable[Way] = ()) -> Json:
    """The body that is wanted; a stream is asked to end with the token counts."""
    body: Json = {"model": model, "messages": list(request.messages)}
    if request.tools:
        body["tools"] = list(request.tools)
        if request.tool_choice is not None:
            body["tool_choice"] = request.tool_choice
    if request.stop:
        body["stop"] = list(request.stop)
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body["max_tokens"] = request.max_tokens
    if request.stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    if request.constraint is not None:
        body |= held(request.constraint, ways)
    return {**body, **extra, **request.extra_body}


def cleaned(body: Json) -> Json:
    """The body with surrogate pairs joined and lone halves replaced, so that it can be sent as UTF-8.

    Halves come from models and tools whose JSON escapes (`\\ud83d`) were cut in two.
    """
    text = json.dumps(body)  # escapes, which put the two halves of a pair side by side
    clean: Json = json.loads(json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace"))
    return clean
