"""The body of a response request as `Asked`.

    {"model": …, "instructions": …, "input": "…" | [item, …],
     "tools": [{"type": "function", "name", "description", "parameters"}], "tool_choice": …,
     "text": {"format": {"type": "json_schema", "schema": …}}, "max_output_tokens": …}

    item = {"role", "content": "…" | [{"type": "input_text" | "output_text", "text"}]}
         | {"type": "function_call", "call_id", "name", "arguments"} | {"type": "function_call_output", "call_id", "output"}
         | {"type": "reasoning", …}

In: the JSON.  Out: `Asked`, or a `Refusal` that names the field.  Nothing is kept from one request to the next, so a request
that leans on an earlier response is refused.  Calls that stand in a row were made together, and belong to the text before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from react_agent.messages import Call, Json, Message, ToolSpec
from react_agent.serving import fields
from react_agent.serving.asked import Asked, declared, distinct, only
from react_agent.serving.chat.history import arguments, assistant, content, result
from react_agent.serving.chat.request import checked_schema, read_choice
from react_agent.serving.kept import Kept
from react_agent.serving.refusal import Refusal

_kept: Kept[tuple[ToolSpec, ...]] = Kept()
_PASSED = ("top_p", "user", "metadata", "seed")


def told_back(body: Json) -> Json:
    """The fields of a request that its response repeats.

    Raises:
        Refusal: a field is not what it must be.
    """
    choice, name = read_choice(body)
    return {
        "tool_choice": {"type": "function", "name": name} if name else choice,
        "tools": fields.objects(body, "tools"),
        "top_p": fields.number(body, "top_p", 1),
        "metadata": _metadata(body),
    }


def _metadata(body: Json) -> Json:
    metadata = fields.mapping(body, "metadata")
    if wrong := next((key for key, value in metadata.items() if not isinstance(value, str)), None):
        raise fields.wrong(f"metadata.{wrong}", "a string", metadata[wrong])
    return metadata


def read_request(body: Json) -> Asked:
    """What is asked.

    Raises:
        Refusal: a field is not what it must be, or leans on what is not kept here.
    """
    fields.bounded(body)
    for name in ("previous_response_id", "conversation", "prompt"):
        if body.get(name):
            raise Refusal(f"'{name}': no conversation is kept here; send the items of the whole conversation", param=name)
    items = fields.objects(body, "tools")
    tools = _kept(items, lambda: distinct([_tool(item, f"tools[{place}]") for place, item in enumerate(items)]))
    choice, name = read_choice(body)
    if choice == "required" and not tools:
        raise Refusal("'tool_choice' demands a call, but there are no 'tools'", param="tool_choice")
    return Asked(
        model=fields.needed(body, "model"),
        history=_joined(_read(body)),
        instructions=fields.text(body, "instructions"),
        tools=() if choice == "none" else only(tools, name) if name else tools,
        choice=choice,
        parallel=fields.flag(body, "parallel_tool_calls", True),
        schema=_schema(body),
        temperature=fields.number(body, "temperature", 2),
        max_tokens=fields.whole(body, "max_output_tokens"),
        stream=fields.flag(body, "stream", False),
        extra={key: body[key] for key in _PASSED if body.get(key)},
    )


def _tool(item: Json, where: str) -> ToolSpec:
    if item.get("type") != "function":
        raise Refusal(f"'{where}.type' must be \"function\": no other kind of tool is known here", param=where)
    fields.flag(item, "strict", False)  # every call is checked; it is only told back
    name, description = fields.text(item, "name"), fields.text(item, "description")
    return declared(name, description, fields.mapping(item, "parameters"), where)


def _schema(body: Json) -> Json | None:
    chosen = fields.mapping(fields.mapping(body, "text"), "format")
    match chosen.get("type"):
        case "json_schema":
            return checked_schema(fields.mapping(chosen, "schema"), "text.format")
        case "json_object":
            return {"type": "object"}
        case _:
            return None


def _read(body: Json) -> Iterator[Message]:
    said = body.get("input")
    items = [{"role": "user", "content": said}] if isinstance(said, str) else fields.objects(body, "input")
    if not items:
        raise Refusal("'input' must be a text or hold at least one item", param="input")
    names: dict[str, str] = {}
    for place, item in enumerate(items):
        yield from _item(item, names, f"input[{place}]")


def _item(item: Json, names: dict[str, str], where: str) -> Iterator[Message]:
    match item:
        case {"type": "function_call"}:
            call = Call(fields.needed(item, "name"), arguments(item.get("arguments")), fields.text(item, "call_id"))
            names[call.id] = call.name
            yield assistant("", (call,))
        case {"type": "function_call_output"}:
            yield result(fields.text(item, "call_id"), "", _output(item.get("output"), where), names)
        case {"type": "reasoning"}:
            return
        case {"role": "assistant"}:
            yield assistant(content(item, where), ())
        case {"role": "user"}:
            yield Message("user", content(item, where))
        case {"role": "system" | "developer"}:
            yield Message("system", content(item, where))
        case _:
            raise fields.wrong(where, "a message, a function_call or a function_call_output", item)


def _output(output: Any, where: str) -> str:
    return content({"content": output}, where)


def _joined(messages: Iterator[Message]) -> tuple[Message, ...]:
    """Items of the model in a row as one message of it."""
    joined: list[Message] = []
    for message in messages:
        before = joined[-1] if joined else None
        if before is not None and message.calls and before.role == "assistant":
            joined[-1] = replace(before, calls=(*before.calls, *message.calls), native=True)
        else:
            joined.append(message)
    return tuple(joined)
