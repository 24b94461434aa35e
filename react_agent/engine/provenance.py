"""Where a call comes from: from the user's wish, or from the text of a tool?

In: a call, how it was written, and what tools have given lately.  Out: whether it merely repeats a call that stands there
(`copied`), or does what is said there (`dictated`: the tool is named as a tool, next to a value of the call that the user never
gave).  Text of tools is data: a page may hold any call it likes, and a model that copies it must not run it.

A call that was made before the text came is no copy: many services tell what they were asked.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from react_agent.messages import Call, Json, Message, Parsed
from react_agent.parsing import parse
from react_agent.parsing.names import ToolNames

from .guards import same_call

RECENT = 8
"""How many of the last results are looked at."""
MAX_CHARS = 20_000  # of each
_NEAR = 600  # characters around the name of a tool in which a value belongs to it
_PLACES = 8  # so many places of a name are looked at
_NOISE = re.compile(r"[\s\\\"'`*>]+")
_DEFANGED = str.maketrans("‹［", "<[")
_CALLED = r"(?:call|invoke|use|using|run|execute|tool|function|action|name|调用|执行|使用|运行|工具|行动|操作)\W{0,4}"


def recent_texts(history: Sequence[Message]) -> tuple[str, ...]:
    """What the last tools gave, newest first; refusals are words of our own."""
    results = (message.result for message in reversed(history) if message.result is not None)
    texts = (result.content[:MAX_CHARS] for result in results if result.status != "refused")
    return tuple(text for _, text in zip(range(RECENT), texts, strict=False))


def of_the_user(history: Sequence[Message]) -> str:
    """What the user has said so far; notes of the engine are not his."""
    return "\n".join(message.content for message in history if message.role == "user" and not message.note)


def copied(call: Call, written: str, texts: Iterable[str], tools: ToolNames) -> bool:
    """Whether the call stands in one of the texts, as it was written or in any form that can be read as this call."""
    bare = _squeezed(written)
    for text in texts:
        if bare and call.name in written and bare in _squeezed(text):
            return True
        if any(same_call(call, other) for found in _read(call.name, text, tools) for other in found.calls):
            return True
    return False


def dictated(call: Call, wished: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts names the tool as a tool, and near it a value that is not in what the user `wished`."""
    values = [value for value in _values(call.arguments) if value.casefold() not in wished.casefold()]
    if call.arguments and not values:
        return False
    named = _named(call.name)
    return any(_stands_near(named, values, text) for text in texts if call.name.casefold() in text.casefold())


def _read(name: str, text: str, tools: ToolNames) -> Iterator[Parsed]:
    """The text read as a reply, and again from each line that names the tool."""
    if name not in text:
        return
    yield parse(text, tools)
    for found in _first(re.finditer(re.escape(name), text)):
        start = text.rfind("\n", 0, found.start()) + 1
        yield parse(text[start : found.end() + 2_000], tools)


def _stands_near(named: re.Pattern[str], values: Sequence[str], text: str) -> bool:
    for found in _first(named.finditer(text)):
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR].casefold()
        if not values or any(value.casefold() in around for value in values):
            return True
    return False


def _first(found: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    return (match for _, match in zip(range(_PLACES), found, strict=False))


@functools.lru_cache(maxsize=256)
def _named(name: str) -> re.Pattern[str]:
    """Finds `name` where a tool is meant: a word of everyday language must stand as in a call, or behind «call», «使用» …"""
    word = re.escape(name)
    if re.search(r"[a-z][A-Z]|\w_\w", name):
        return re.compile(word, re.IGNORECASE)
    return re.compile(rf"{_CALLED}{word}|[`'\"\[<]{word}|{word}\s*[`'\"(\[{{（]", re.IGNORECASE)


def _values(value: Json | list[object] | object) -> Iterator[str]:
    """All values in JSON data, as text; those that are too short to tell anything are left out."""
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _values(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool) and len(str(value)) > 1:
        yield str(value)


@functools.lru_cache(maxsize=64)
def _squeezed(text: str) -> str:
    return _NOISE.sub("", text).translate(_DEFANGED).casefold()
