"""What an answer teaches.

In: a refusal and the body it was an answer to; or a body that was taken.  Out: a lesson, which is new values of facts.  The
table `CASES` says for each meaning of a refusal what may be concluded; of several conclusions the first one that leads to
another body counts, so a server that goes on refusing is met with the next.  A refusal that nobody understands teaches nothing;
what is tried then stands in `exchange`.  A request that is to be held to a form is not sent without one: that is for the engine
to decide.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from react_agent.messages import Json

from .constraining import is_free, way_in
from .facts import Facts, Lesson
from .faults import Fault
from .fitting import LIMITS, fitted
from .roles import REASONING, Messages, ids_of, is_short
from .vendors import THINKING_FIELDS
from .windows import prompt_in, window_in
from .wordings import Meaning, has_name, has_sign, means, mentions, normal

LEAST_ROOM = 64  # tokens; a shorter reply is of no use
WORDLESS = (400, 405, 422, 501)
"""Statuses of servers that refuse a body and need not say what in it."""

_COUNT = re.compile(
    r"(?:maximum length|at most|up to|no more than|maximum(?: of)?|max(?:imum)? (?:items|number)\D{0,20}) (\d{1,2})\b"
)
_SCHEMA = re.compile(
    r"\bschema|\b(?:tools|functions)[.\[]\d|function_declarations|\b(?:one|any|all)of\b|additionalproperties|\$(?:ref|defs)"
)


class Case(NamedTuple):
    """`means` is what the server said, `lessons` are what that may mean for us, to be tried in this order."""

    means: Meaning
    lessons: Callable[[Json, str], Iterable[Lesson]]


def _always(*lessons: Lesson) -> Callable[[Json, str], Iterable[Lesson]]:
    return lambda _sent, _words: lessons


def _stops(sent: Json, words: str) -> Iterator[Lesson]:
    """Too many are not the same as none at all."""
    count = _COUNT.search(normal(words))
    if count and int(count[1]):
        yield {"max_stops": int(count[1])}
    elif "too long" in words or "too many" in words:
        yield {"max_stops": max(1, len(sent.get("stop", ())) // 2)}
    yield {"stop": False}


def _limits(_sent: Json, words: str) -> Iterator[Lesson]:
    if "max_completion_tokens" in words:
        yield {"token_limit": "max_completion_tokens"}
    yield {"token_limit": "none"}


def _streams(sent: Json, words: str) -> Iterator[Lesson]:
    """Some servers stream every reply but those to requests with tools."""
    if "tools" in sent and mentions(words, "tools"):
        yield {"stream_tools": False}
    yield {"stream": False}


def _ways(sent: Json, _words: str) -> Iterator[Lesson]:
    if way := way_in(sent):
        yield {way: False}


CASES = (
    Case("empty_content", _always({"empty_content": "null"}, {"empty_content": "filled"})),
    Case("ids", _always({"long_ids": False})),
    Case("reasoning_missing", _always({"replay_reasoning": True})),
    Case("reasoning_sent", _always({"replay_reasoning": False})),
    Case("tool_choice", _always({"tool_choice": False})),
    Case("parallel_tool_calls", _always({"parallel_tool_calls": False})),
    Case("constraint", _ways),
    Case("stop", _stops),
    Case("stream_options", _always({"stream_usage": False})),
    Case("response_format", _always({"json_schema": False}, {"json_schema": False, "json_object": False})),
    Case("max_tokens", _limits),
    Case("max_completion_tokens", _always({"token_limit": "max_tokens"}, {"token_limit": "none"})),
    Case("temperature", _always({"temperature": False})),
    Case("thinking", _always({"thinking_switch": False})),
    Case("stream", _streams),
    Case("system", _always({"system_role": False})),
    Case("tool_role", _always({"tool_role": False})),
    Case(
        "roles",
        _always(
            {"free_roles": False},
            {"free_roles": False, "tool_role": False},
            {"free_roles": False, "tool_role": False, "system_role": False},
        ),
    ),
)


def lesson_of(fault: Fault, wanted: Json, facts: Facts) -> Lesson:
    """What a refusal teaches about a body that was sent as the facts allow; {} when nothing can be sent instead."""
    if fault.trouble not in ("status", "reported"):
        return {}
    sent = fitted(wanted, facts)
    for lesson in _conclusions(fault, sent):
        taught = dataclasses.replace(facts, **lesson)
        if fitted(wanted, taught) != sent:
            return {} if is_free(wanted, taught) else lesson
    return {}


def is_unexplained(fault: Fault) -> bool:
    """Whether a refusal of the body says nothing that is understood."""
    known: tuple[Meaning, ...] = ("tools", "context", "model", "quota", "constraint", "filter")
    return fault.status in WORDLESS and not any(means(fault.words, meaning) for meaning in known)


def is_of_one_tool(words: str, sent: Json) -> bool:
    """Whether a refusal speaks of one of the tools that were sent, or of its schema: of other tools that says nothing."""
    text, names = normal(words), [tool.get("function", {}).get("name") for tool in sent.get("tools", ())]
    return bool(_SCHEMA.search(text)) or has_name(text, [name.lower() for name in names if name])


def _conclusions(fault: Fault, sent: Json) -> Iterator[Lesson]:
    words = fault.words
    if has_sign(normal(words), "tools") and not mentions(words, "stream"):
        # nothing to send instead: the engine goes on in text
        return
    for case in CASES:
        if means(words, case.means):
            yield from case.lessons(sent, words)


def shortened(wanted: Json, fault: Fault) -> Json:
    """The body with a shorter reply, when the refusal says that the prompt fits and the reply does not."""
    room = window_in(fault.words) - prompt_in(fault.words)
    field = next((name for name in LIMITS if isinstance(wanted.get(name), int)), None)
    if field is None or not prompt_in(fault.words) or not LEAST_ROOM <= room < wanted[field]:
        return wanted
    return {**wanted, field: room}


# --- what was taken --------------------------------------------------------------------------------------------------


def accepted(sent: Json) -> Lesson:
    """What a body teaches that the server has taken."""
    fields = {name: True for name in ("tool_choice", "parallel_tool_calls", "stop", "temperature") if name in sent}
    kind = sent["response_format"].get("type") if isinstance(sent.get("response_format"), dict) else None
    return {
        **fields,
        **({"stream_usage": True} if "stream_options" in sent else {}),
        **({kind: True} if kind in ("json_schema", "json_object") else {}),
        **({way: True} if (way := way_in(sent)) else {}),
        **next(({"token_limit": name} for name in LIMITS if name in sent), {}),
        **({"thinking_switch": True} if THINKING_FIELDS & sent.keys() else {}),
        **_roles(sent.get("messages") or []),
    }


def _roles(messages: Messages) -> Lesson:
    roles = [message.get("role") for message in messages]
    taken = {
        "system_role": "system" in roles,
        "tool_role": "tool" in roles,
        "free_roles": any(one == other != "tool" for one, other in itertools.pairwise(roles)),
        "long_ids": not all(map(is_short, ids_of(messages))),
        "replay_reasoning": any(REASONING in message for message in messages),
    }
    return {name: True for name, yes in taken.items() if yes}
