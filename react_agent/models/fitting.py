"""A body as one endpoint takes it.

In: the body that is wanted, and the facts.  Out: the body to send.  One row of `FITS` for each fact: what to send instead of
what is refused.  A fact that is not known changes nothing, but for reasoning, which goes back only where the server demands
it: most vendors forbid it or bill for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from react_agent.messages import Json

from .constraining import HELD, chosen
from .facts import Facts
from .roles import alternating, folded, never_empty, short_ids, with_reasoning, without_reasoning, without_tool_role
from .vendors import THINKING_FIELDS

BARE = ("model", "messages", "tools", "stream")
LIMITS = ("max_tokens", "max_completion_tokens")


def fitted(body: Json, facts: Facts) -> Json:
    """The body without what is refused, and with the rest written as it is taken."""
    for fit in FITS:
        body = fit(body, facts)
    return body


def _held(body: Json, facts: Facts) -> Json:
    """The way to hold the reply to a form that is not refused; the caller's own fields win."""
    way = chosen(body, facts)
    fields: Json = body[HELD][way] if way else {}
    return {**fields, **_without(body, [HELD])}


def _options(body: Json, facts: Facts) -> Json:
    return {name: body[name] for name in body if name in BARE} if facts.options is False else body


def _fields(body: Json, facts: Facts) -> Json:
    """Fields that are refused as such."""
    whole = facts.stream is False or (facts.stream_tools is False and "tools" in body)
    refused = {
        "tool_choice": facts.tool_choice,
        "parallel_tool_calls": facts.parallel_tool_calls,
        "stop": facts.stop,
        "stream": not whole,
        "stream_options": facts.stream_usage if not whole else False,
        "temperature": facts.temperature,
        **dict.fromkeys(THINKING_FIELDS, facts.thinking_switch),
    }
    return _without(body, [name for name, taken in refused.items() if taken is False])


def _stops(body: Json, facts: Facts) -> Json:
    """The first stop words are those that matter most; where they end a thought, none is better."""
    if facts.stop_spares_thinking is False:
        return _without(body, ["stop"])
    if facts.max_stops is None or not isinstance(body.get("stop"), list):
        return body
    return {**body, "stop": body["stop"][: facts.max_stops]}


def _limit(body: Json, facts: Facts) -> Json:
    value = next((body[name] for name in LIMITS if name in body), None)
    if value is None or facts.token_limit is None:
        return body
    rest = _without(body, LIMITS)
    return rest if facts.token_limit == "none" else {**rest, facts.token_limit: value}


def _format(body: Json, facts: Facts) -> Json:
    kind = body["response_format"].get("type") if isinstance(body.get("response_format"), dict) else None
    if kind == "json_schema" and facts.json_schema is False:
        body, kind = {**body, "response_format": {"type": "json_object"}}, "json_object"
    return _without(body, ["response_format"]) if kind == "json_object" and facts.json_object is False else body


def _messages(body: Json, facts: Facts) -> Json:
    messages = list(body.get("messages") or ())
    messages = with_reasoning(messages) if facts.replay_reasoning else without_reasoning(messages)
    if facts.tool_role is False:
        messages = without_tool_role(messages)
    if facts.empty_content is not None:
        messages = never_empty(messages, facts.empty_content)
    if facts.long_ids is False:
        messages = short_ids(messages)
    if facts.system_role is False:
        messages = folded(messages)
    if facts.free_roles is False:
        messages = alternating(messages)
    return {**body, "messages": messages}


FITS: tuple[Callable[[Json, Facts], Json], ...] = (_held, _options, _fields, _stops, _limit, _format, _messages)


def _without(body: Json, names: Collection[str]) -> Json:
    return {name: value for name, value in body.items() if name not in names}
