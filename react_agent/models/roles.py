"""Messages written otherwise, for servers and templates that do not take all roles.

In: OpenAI-shaped messages.  Out: messages that say the same.  The rules: nothing that was said is lost, the order stays, and
equal beginnings give equal beginnings, so that the server's prefix cache goes on working.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from react_agent.messages import Json

from .facts import EmptyContent

Messages = list[Json]

REASONING = "reasoning_content"
ID_CHARS = 9
_SHORT_ID = re.compile(rf"[a-zA-Z0-9]{{{ID_CHARS}}}")
FILLED = "…"
_GAP = "\n\n"


def folded(messages: Messages) -> Messages:
    """System texts in front of the first user message."""
    system = [message for message in messages if message.get("role") == "system"]
    others = [message for message in messages if message.get("role") != "system"]
    if not system:
        return messages
    said = {"role": "user", "content": _content(system)}
    first = next((place for place, message in enumerate(others) if message.get("role") == "user"), None)
    if first is None:
        return [said, *others]
    return [*others[:first], _joined(said, others[first]), *others[first + 1 :]]


def alternating(messages: Messages) -> Messages:
    """Neighbours of one role as one message; results of tools stay single, each has its id."""
    merged: Messages = []
    for message in messages:
        if merged and merged[-1].get("role") == message.get("role") != "tool":
            merged[-1] = _joined(merged[-1], message)
        else:
            merged.append(message)
    return merged


def without_tool_role(messages: Messages) -> Messages:
    """Tool calls as text of the assistant, their results as text of the user: both in the form most models were trained on."""
    return alternating([_as_text(message) for message in messages])


def short_ids(messages: Messages) -> Messages:
    """Ids of calls as nine letters and digits; equal ids stay equal."""
    return [_with_short_ids(message) for message in messages]


def never_empty(messages: Messages, instead: EmptyContent) -> Messages:
    """No message with the text "": null beside calls, or a mark of omission."""
    return [
        message if message.get("content", FILLED) else {**message, "content": _instead(message, instead)}
        for message in messages
    ]


def with_reasoning(messages: Messages) -> Messages:
    """Reasoning on every message of the assistant: "" where there was none."""
    return [
        {**message, REASONING: message.get(REASONING, "")} if message.get("role") == "assistant" else message
        for message in messages
    ]


def without_reasoning(messages: Messages) -> Messages:
    """No reasoning on any message."""
    return [{name: value for name, value in message.items() if name != REASONING} for message in messages]


def ids_of(messages: Messages) -> Iterator[str]:
    """The ids of the calls that the messages make."""
    return (str(call.get("id")) for message in messages for call in message.get("tool_calls") or ())


def is_short(identity: str) -> bool:
    """Whether an id is nine letters and digits."""
    return _SHORT_ID.fullmatch(identity) is not None


def _instead(message: Json, instead: EmptyContent) -> str | None:
    return None if instead == "null" and message.get("tool_calls") else FILLED


def _as_text(message: Json) -> Json:
    if message.get("role") == "tool":
        return {"role": "user", "content": f"<tool_response>\n{message.get('content')}\n</tool_response>"}
    if not message.get("tool_calls"):
        return message
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    said = [message.get("content") or "", *(_call_text(call.get("function") or {}) for call in message["tool_calls"])]
    return {**rest, "content": "\n".join(filter(None, said))}


def _call_text(function: Json) -> str:
    """As Hermes models write it; arguments stay as they are written, valid or not."""
    name = json.dumps(function.get("name"), ensure_ascii=False)
    arguments = function.get("arguments") or "{}"
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f'<tool_call>\n{{"name": {name}, "arguments": {written}}}\n</tool_call>'


def _with_short_ids(message: Json) -> Json:
    if message.get("tool_calls"):
        return {**message, "tool_calls": [{**call, "id": _short(call.get("id"))} for call in message["tool_calls"]]}
    if "tool_call_id" in message:
        return {**message, "tool_call_id": _short(message["tool_call_id"])}
    return message


def _short(identity: object) -> str:
    known = str(identity)
    return known if is_short(known) else hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:ID_CHARS]


def _joined(before: Json, after: Json) -> Json:
    """Two messages of one role as one."""
    calls = [*(before.get("tool_calls") or ()), *(after.get("tool_calls") or ())]
    joined = {**before, **after, "content": _content([before, after])}
    return {**joined, "tool_calls": calls} if calls else joined


def _content(messages: Iterable[Json]) -> Any:
    """What messages say, as text; as a list of parts when one of them is such a list."""
    said = [message["content"] for message in messages if message.get("content")]
    if not any(isinstance(content, list) for content in said):
        return _GAP.join(map(str, said))
    return [
        part for content in said for part in (content if isinstance(content, list) else [{"type": "text", "text": content}])
    ]
