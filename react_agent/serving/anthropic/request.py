"""The body of a message request as `Asked`.

    {"model": …, "max_tokens": …, "system": "…" | [{"type": "text", "text": …}],
     "messages": [{"role": "user" | "assistant", "content": "…" | [block, …]}],
     "tools": [{"name", "description", "input_schema"}], "tool_choice": {"type": "auto" | "any" | "none" | "tool", "name": …}}

    block = {"type": "text", "text"} | {"type": "tool_use", "id", "name", "input"}
          | {"type": "tool_result", "tool_use_id", "content", "is_error"} | {"type": "thinking", …} | {"type": "image", …}

In: the JSON.  Out: `Asked`, or a `Refusal` that names the field.  A user message with results becomes the results, in order,
and then what the user said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from react_agent.messages import Call, Json, Message, Result, Status, ToolSpec
from react_agent.serving import fields
from react_agent.serving.asked import Asked, Choice, declared, distinct, only
from react_agent.serving.chat.history import assistant, content
from react_agent.serving.chat.request import MAX_STOPS
from react_agent.serving.kept import Kept
from react_agent.serving.refusal import Refusal

from .images import only_shown, shown, without_images

_kept: Kept[tuple[ToolSpec, ...]] = Kept()
_PASSED = ("top_p", "top_k")


def read_request(body: Json) -> Asked:
    """What is asked.

    Raises:
        Refusal: a field is not what it must be.
    """
    fields.bounded(body)
    if not fields.objects(body, "messages"):
        raise Refusal("'messages' must hold at least one message", param="messages")
    instructions = content({"content": body.get("system")}, "system")
    seen: tuple[Json, ...] = ()
    if only_shown(body):
        seen, (body, _) = shown(body, instructions), without_images(body)
    items = fields.objects(body, "tools")
    tools = _kept(items, lambda: distinct([_tool(item, f"tools[{place}]") for place, item in enumerate(items)]))
    choice, name = _choice(body)
    if choice == "required" and not tools:
        raise Refusal("'tool_choice' demands a call, but there are no 'tools'", param="tool_choice")
    return Asked(
        model=fields.needed(body, "model"),
        history=tuple(_history(fields.objects(body, "messages"))),
        instructions=instructions,
        seen=seen,
        tools=() if choice == "none" else only(tools, name) if name else tools,
        choice=choice,
        parallel=not fields.flag(fields.mapping(body, "tool_choice"), "disable_parallel_tool_use", False),
        stop=fields.texts(body, "stop_sequences", MAX_STOPS),
        temperature=fields.number(body, "temperature", 1),
        max_tokens=fields.whole(body, "max_tokens"),
        stream=fields.flag(body, "stream", False),
        extra={key: body[key] for key in _PASSED if key in body},
    )


def _tool(item: Json, where: str) -> ToolSpec:
    if item.get("type") not in (None, "custom"):
        raise Refusal(f"'{where}.type': only tools of the client are known here, no {item['type']!r:.60}", param=where)
    name, description = fields.text(item, "name"), fields.text(item, "description")
    return declared(name, description, fields.mapping(item, "input_schema"), where)


def _choice(body: Json) -> tuple[Choice, str]:
    """How free the model is, and the name of the tool it must call."""
    match body.get("tool_choice"):
        case None | {"type": "auto"}:
            return "auto", ""
        case {"type": "none"}:
            return "none", ""
        case {"type": "any"}:
            return "required", ""
        case {"type": "tool", "name": str(name)}:
            return "required", name
        case other:
            raise fields.wrong("tool_choice", 'an object of type "auto", "any", "none" or "tool"', other)


def _history(messages: list[Json]) -> Iterator[Message]:
    names: dict[str, str] = {}
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        blocks = _blocks(message, where)
        match message.get("role"):
            case "assistant":
                calls = tuple(_calls(blocks))
                names |= {call.id: call.name for call in calls}
                yield assistant(_said(blocks, where), calls)
            case "user":
                yield from (_result(block, names, where) for block in blocks if block.get("type") == "tool_result")
                if said := _said(blocks, where):
                    yield Message("user", said)
            case "system":
                yield Message("system", _said(blocks, where))
            case role:
                raise fields.wrong(f"{where}.role", '"user" or "assistant"', role)


def _blocks(message: Json, where: str) -> list[Json]:
    said = message.get("content")
    return (
        [{"type": "text", "text": said}]
        if isinstance(said, str)
        else fields.objects({f"{where}.content": said}, f"{where}.content")
    )


def _said(blocks: list[Json], where: str) -> str:
    """The text of the blocks; thoughts and what has a place of its own are left out."""
    apart = ("tool_use", "tool_result", "thinking", "redacted_thinking")
    return content({"content": [block for block in blocks if block.get("type") not in apart]}, where)


def _calls(blocks: list[Json]) -> Iterator[Call]:
    for block in blocks:
        if block.get("type") == "tool_use":
            yield Call(fields.needed(block, "name"), fields.mapping(block, "input"), fields.text(block, "id"))


def _result(block: Json, names: dict[str, str], where: str) -> Message:
    call_id = fields.text(block, "tool_use_id")
    said: Any = content(block, where)
    status: Status = "error" if fields.flag(block, "is_error", False) else "ok" if said.strip() else "empty"
    return Message("tool", result=Result(call_id, names.get(call_id, "tool"), said, status))
