"""Messages of the chat API as the neutral history.

In: messages as any client writes them: content as text or as parts, null beside calls, ids that are missing or used twice,
arguments that are broken JSON or an object.  Out: the system texts that stand before everything else, and `Message`s.  A result
belongs to the latest call of its id; one without a call keeps its content and is shown as the result of a tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

from react_agent.messages import Call, Json, Message, Result, Status
from react_agent.repair import repair
from react_agent.serving import fields
from react_agent.serving.refusal import Refusal

_SYSTEM = ("system", "developer")
_GAP = "\n\n"


def read_history(messages: list[Json]) -> tuple[str, tuple[Message, ...]]:
    """The instructions and the history.

    Raises:
        Refusal: there are no messages, or one of them cannot be read.
    """
    if not messages:
        raise Refusal("'messages' must hold at least one message", param="messages")
    leading = list(takewhile(lambda message: message.get("role") in _SYSTEM, messages))
    instructions = _GAP.join(content(message, f"messages[{place}]") for place, message in enumerate(leading))
    return instructions, tuple(_read(messages, len(leading)))


def _read(messages: list[Json], start: int) -> Iterator[Message]:
    names: dict[str, str] = {}
    for place, message in enumerate(messages[start:], start):
        where = f"messages[{place}]"
        match message.get("role"):
            case "user":
                yield Message("user", content(message, where))
            case "system" | "developer":
                yield Message("system", content(message, where))
            case "assistant":
                calls = tuple(_calls(message, where))
                names |= {call.id: call.name for call in calls}
                yield assistant(content(message, where), calls, fields.text(message, "reasoning_content"))
            case "tool" | "function":
                yield result(fields.text(message, "tool_call_id"), fields.text(message, "name"), content(message, where), names)
            case role:
                raise fields.wrong(f"{where}.role", '"system", "developer", "user", "assistant" or "tool"', role)


def assistant(said: str, calls: tuple[Call, ...], reasoning: str = "") -> Message:
    """What the model said earlier."""
    return Message("assistant", said, calls, reasoning=reasoning, native=bool(calls))


def result(call_id: str, name: str, said: str, names: dict[str, str]) -> Message:
    """What a tool gave; `names` are those of the calls so far, by their ids."""
    status: Status = "ok" if said.strip() else "empty"
    return Message("tool", result=Result(call_id, names.get(call_id) or name or "tool", said, status))


def content(message: Json, where: str) -> str:
    """The text of a message; its parts are joined.

    Raises:
        Refusal: a part is no text.
    """
    said = message.get("content")
    if said is None or isinstance(said, str):
        return said or ""
    if not isinstance(said, list):
        raise fields.wrong(f"{where}.content", "a string or a list of parts", said)
    return "\n".join(_part(part, f"{where}.content") for part in said)


def _part(part: Any, where: str) -> str:
    match part:
        case str():
            return part
        case {"text": str(said)} | {"refusal": str(said)}:
            return said
        case _:
            raise Refusal(f"'{where}': beside tools only text can be passed on, no images, sound or files", param=where)


def _calls(message: Json, where: str) -> Iterator[Call]:
    old = message.get("function_call")
    calls: Iterable[Json] = fields.objects(message, "tool_calls") or ([{"function": old}] if isinstance(old, dict) else [])
    for number, call in enumerate(calls):
        function = fields.mapping(call, "function")
        name = fields.needed(function, "name")
        yield Call(name, arguments(function.get("arguments")), fields.text(call, "id") or f"{where}.{number}")


def arguments(written: object) -> Json:
    """The arguments of an earlier call; what cannot be read has none, as the call is over."""
    value = repair(written).value if isinstance(written, str) and written.strip() else written
    return value if isinstance(value, dict) else {}
