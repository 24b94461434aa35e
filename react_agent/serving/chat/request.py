"""The body of a chat completion as `Asked`.

    {"model": …, "messages": […], "tools": [{"type": "function", "function": {"name", "description", "parameters"}}],
     "tool_choice": "auto" | "none" | "required" | {"type": "function", "function": {"name": …}}, …}

In: the JSON.  Out: `Asked`, or a `Refusal` that names the field.  Fields that are not understood here go to the upstream as
they are.  The older `functions` and `function_call` are read as the newer fields that replace them.
"""

from __future__ import annotations

from typing import Any

from react_agent.errors import SchemaError
from react_agent.messages import Json, ToolSpec
from react_agent.schema import checker
from react_agent.serving import fields
from react_agent.serving.asked import Asked, Choice, declared, distinct, only
from react_agent.serving.kept import Kept
from react_agent.serving.refusal import Refusal

from .history import read_history

MAX_COUNT = 16
MAX_STOPS = 16
_OURS = frozenset((
    "model", "messages", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call", "response_format", "stop",
    "temperature", "max_tokens", "max_completion_tokens", "n", "stream", "stream_options",
))  # fmt: skip


_kept: Kept[tuple[ToolSpec, ...]] = Kept()


def passes_through(body: Json) -> bool:
    """Whether there is nothing to do: no tools, no traces of tools in the history, no schema for the answer."""
    asks = body.get("tools") or body.get("functions") or _format_type(body) == "json_schema"
    messages = body.get("messages")
    return not asks and isinstance(messages, list) and not any(_is_of_tools(message) for message in messages)


def _is_of_tools(message: object) -> bool:
    return isinstance(message, dict) and bool(message.get("tool_calls") or message.get("role") in ("tool", "function"))


def _format_type(body: Json) -> object:
    kind = body.get("response_format")
    return kind.get("type") if isinstance(kind, dict) else None


def read_request(body: Json) -> Asked:
    """What is asked.

    Raises:
        Refusal: a field is not what it must be.
    """
    fields.bounded(body)
    instructions, history = read_history(fields.objects(body, "messages"))
    tools = _tools(body)
    choice, name = read_choice(body)
    if choice == "required" and not tools:
        raise Refusal("'tool_choice' demands a call, but there are no 'tools'", param="tool_choice")
    return Asked(
        model=fields.needed(body, "model"),
        history=history,
        instructions=instructions,
        tools=() if choice == "none" else only(tools, name) if name else tools,
        choice=choice,
        parallel=fields.flag(body, "parallel_tool_calls", True),
        schema=_schema(body),
        stop=fields.texts(body, "stop", MAX_STOPS),
        temperature=fields.number(body, "temperature", 2),
        max_tokens=fields.whole(body, "max_completion_tokens") or fields.whole(body, "max_tokens"),
        count=fields.whole(body, "n", 1, most=MAX_COUNT) or 1,
        stream=fields.flag(body, "stream", False),
        extra={key: value for key, value in body.items() if key not in _OURS},
    )


def wants_usage(body: Json) -> bool:
    """Whether a stream is to end with the token counts.

    Raises:
        Refusal: `stream_options` is not what it must be.
    """
    return fields.flag(fields.mapping(body, "stream_options"), "include_usage", False)


def _tools(body: Json) -> tuple[ToolSpec, ...]:
    items, old = fields.objects(body, "tools"), fields.objects(body, "functions")
    return _kept((items, old), lambda: _read_tools(items, old)) if items or old else ()


def _read_tools(items: list[Json], old: list[Json]) -> tuple[ToolSpec, ...]:
    found = [_tool(item, f"tools[{place}]") for place, item in enumerate(items)]
    return distinct([*found, *(_function(item, f"functions[{place}]") for place, item in enumerate(old))])


def _tool(item: Json, where: str) -> ToolSpec:
    if item.get("type", "function") != "function":
        raise Refusal(f"'{where}.type' must be \"function\": no other kind of tool is known here", param=where)
    return _function(fields.mapping(item, "function"), f"{where}.function")


def _function(function: Json, where: str) -> ToolSpec:
    name, description = fields.text(function, "name"), fields.text(function, "description")
    return declared(name, description, fields.mapping(function, "parameters"), where)


def read_choice(body: Json) -> tuple[Choice, str]:
    """How free the model is, and the name of the tool it must call.

    Raises:
        Refusal: it is none of the known choices.
    """
    choice: Any = body.get("tool_choice", body.get("function_call"))
    match choice:
        case None | "auto":
            return "auto", ""
        case "none" | "required":
            return choice, ""
        case {"function": {"name": str(name)}} | {"name": str(name)}:
            return "required", name
        case _:
            raise fields.wrong("tool_choice", '"auto", "none", "required" or the name of a function', choice)


def _schema(body: Json) -> Json | None:
    """The schema the answer must satisfy; any object satisfies `json_object`."""
    chosen = fields.mapping(body, "response_format")
    match chosen.get("type"):
        case "json_schema":
            inner = fields.mapping(chosen, "json_schema")
            return checked_schema(fields.mapping(inner, "schema"), "response_format")
        case "json_object":
            return {"type": "object"}
        case None | "text":
            return None
        case other:
            raise fields.wrong("response_format.type", '"text", "json_object" or "json_schema"', other)


def checked_schema(schema: Json, where: str) -> Json:
    """A schema for answers.

    Raises:
        Refusal: it is none that can be checked.
    """
    try:
        checker(schema)
    except (SchemaError, RecursionError) as error:
        raise Refusal(f"'{where}': the schema cannot be used: {error}", param=where) from None
    return schema
