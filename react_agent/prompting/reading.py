"""Messages of the chat API as the neutral history: the way back of `history`.

In: messages as any client writes them: content as text or as parts, null beside calls, ids that are missing or used twice,
arguments that are broken JSON or an object; `Message`s and the objects of an SDK (pydantic models) may stand among them.
Out: `Message`s.  A result belongs to the latest call of its id, without an id to the first call that waits for one; one
without a call keeps its content and is shown as the result of a tool.

A server takes a call only with its result right behind it: `paired` gives every call one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Protocol

from react_agent.errors import UsageError
from react_agent.messages import Call, Json, Message, Result, Status
from react_agent.repair import repair

SYSTEM = ("system", "developer")
REASONING = ("thinking", "redacted_thinking", "reasoning")
"""Types of parts that no server wants back."""
NO_RESULT = "(No result: the call was not finished.)"
"""Stands where a call has no result."""


class Dumpable(Protocol):
    """A message of an SDK, as that of openai: a pydantic model."""

    def model_dump(self) -> dict[str, Any]:
        """The message as a dict."""


Readable = Message | Mapping[str, Any] | Dumpable


class UnreadableError(UsageError):
    """A message cannot be read; `where` names the field."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where


def read_messages(items: Sequence[Readable], whole: str, start: int = 0) -> Iterator[Message]:
    """The messages from `start` on; `whole` is the name of the list, for errors.

    Raises:
        UnreadableError: one of them is no message.
    """
    names: dict[str, str] = {}
    waiting: list[Call] = []
    for place, item in enumerate(items[start:], start):
        message = item if isinstance(item, Message) else _read(item, f"{whole}[{place}]", names, waiting)
        if message.role == "assistant":
            names |= {call.id: call.name for call in message.calls}
            waiting = list(message.calls)
        elif message.result is not None:
            waiting = [call for call in waiting if call.id != message.result.call_id]
        yield message


def with_pinned_lead(messages: Sequence[Message]) -> list[Message]:
    """`messages` where the system text that they begin with is pinned: it holds for all that follows."""
    lead = list(takewhile(lambda message: message.role == "system", messages))
    return [*(replace(message, pinned=True) for message in lead), *messages[len(lead) :]]


def plain(item: object) -> object:
    """`item`, or what it is as a dict where it is the object of an SDK."""
    return item.model_dump() if hasattr(type(item), "model_dump") else item  # type: ignore[attr-defined]


def _read(item: object, where: str, names: Mapping[str, str], waiting: Sequence[Call]) -> Message:
    item = plain(item)
    if not isinstance(item, Mapping):
        raise wrong(where, "a message with a role", item)
    match item.get("role"):
        case "user":
            return Message("user", content(item, where))
        case "system" | "developer":
            return Message("system", content(item, where))
        case "assistant":
            return assistant(content(item, where), tuple(_calls(item, where)), _text(item, "reasoning_content", where))
        case "tool" | "function":
            id, name = _text(item, "tool_call_id", where), _text(item, "name", where)
            found = id or next((call.id for call in waiting if name in ("", call.name)), "")
            return result(found, name, content(item, where), names)
        case role:
            raise wrong(f"{where}.role", '"system", "developer", "user", "assistant" or "tool"', role)


def assistant(said: str, calls: tuple[Call, ...], reasoning: str = "") -> Message:
    """What the model said earlier."""
    return Message("assistant", said, calls, reasoning=reasoning, native=bool(calls))


def result(call_id: str, name: str, said: str, names: Mapping[str, str]) -> Message:
    """What a tool gave; `names` are those of the calls so far, by their ids."""
    status: Status = "ok" if said.strip() else "empty"
    return Message("tool", result=Result(call_id, names.get(call_id) or name or "tool", said, status))


def content(message: Mapping[str, Any], where: str) -> str:
    """The text of a message; its parts are joined, without those that are reasoning.

    Raises:
        UnreadableError: a part is no text.
    """
    said = message.get("content")
    if said is None or isinstance(said, str):
        return said or ""
    if not isinstance(said, (list, tuple)):
        raise wrong(f"{where}.content", "a string or a list of parts", said)
    parts = [plain(part) for part in said]
    return "\n".join(_part(part, f"{where}.content") for part in parts if not _is_reasoning(part))


def _is_reasoning(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") in REASONING


def _part(part: object, where: str) -> str:
    match part:
        case str():
            return part
        case {"text": str(said)} | {"refusal": str(said)}:
            return said
        case _:
            raise UnreadableError(f"'{where}': only text can be passed on here, no images, sound or files", where)


def _calls(message: Mapping[str, Any], where: str) -> Iterator[Call]:
    calls, old = message.get("tool_calls"), message.get("function_call")
    if calls and not isinstance(calls, (list, tuple)):
        raise wrong(f"{where}.tool_calls", "a list", calls)
    for number, item in enumerate(calls or ()):
        call, place = plain(item), f"{where}.tool_calls[{number}]"
        if not isinstance(call, Mapping):
            raise wrong(place, "an object", call)
        yield _call(call.get("function") or {}, f"{place}.function", _text(call, "id", place) or f"{where}.{number}")
    if not calls and isinstance(old, Mapping):
        yield _call(old, f"{where}.function_call", f"{where}.0")


def _call(function: object, where: str, id: str) -> Call:
    function = plain(function)
    if not isinstance(function, Mapping):
        raise wrong(where, "an object", function)
    if not (name := _text(function, "name", where)):
        raise UnreadableError(f"'{where}.name' is required", f"{where}.name")
    return Call(name, arguments(function.get("arguments")), id)


def arguments(written: object) -> Json:
    """The arguments of an earlier call; what cannot be read has none, as the call is over."""
    value = repair(written).value if isinstance(written, str) and written.strip() else written
    return value if isinstance(value, dict) else {}


def _text(item: Mapping[str, Any], name: str, where: str) -> str:
    value = item.get(name)
    if value is not None and not isinstance(value, str):
        raise wrong(f"{where}.{name}", "a string", value)
    return value or ""


def wrong(where: str, expected: str, came: object) -> UnreadableError:
    """The error for a field that is not what it must be."""
    return UnreadableError(f"'{where}' must be {expected}, but {kind(came)} came", where)


def kind(value: object) -> str:
    """A JSON value in a word or two."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"the number {value!r:.20}"
        case str():
            return f"the string {value!r:.40}"
        case list() | tuple():
            return "a list"
        case Mapping():
            return "an object"
        case _:
            return f"a value of type {type(value).__name__}"


# --- calls and results in pairs --------------------------------------------------------------------------------------


def paired(messages: Sequence[Message]) -> list[Message]:
    """`messages` with a result for every call right behind it; results that stand elsewhere belong to no call any more."""
    sound: list[Message] = []
    waiting: list[Call] = []
    for message in messages:
        if message.role != "tool":
            sound += _unanswered(waiting)
            waiting = list(message.calls)
            sound.append(message)
        elif message.result is not None:
            ids = [call.id for call in waiting]
            if message.result.call_id in ids:
                del waiting[ids.index(message.result.call_id)]
                sound.append(message)
            else:
                sound.append(replace(message, result=replace(message.result, call_id="")))
    return [*sound, *_unanswered(waiting)]


def _unanswered(calls: Iterable[Call]) -> list[Message]:
    return [Message("tool", result=Result(call.id, call.name, NO_RESULT, "error")) for call in calls]
