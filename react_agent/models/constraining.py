"""How a server is told what a reply may look like.

In: a `Constraint`, and the ways that the vendor's row in `vendors` names.  Out: the member `HELD` of the body that is wanted:
the fields of each way by name, in the order they are to be tried.  `fitting` sends the first one that is not known to be
refused, and `HELD` itself never.  Each way is a fact of its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from react_agent.events import Constraint
from react_agent.messages import Json

from .facts import Facts

Way = Literal["grammar", "structured_outputs", "guided_grammar", "ebnf", "json_schema"]

HELD = "(held to)"
"""No field of any server."""

_FIELDS: dict[Way, Callable[[Constraint], Json]] = {
    "grammar": lambda held: {"grammar": held.grammar},  # llama.cpp
    "structured_outputs": lambda held: {"structured_outputs": {"grammar": held.grammar}},  # vLLM from 0.11
    "guided_grammar": lambda held: {"guided_grammar": held.grammar},  # vLLM before 0.12, and servers made from it
    "ebnf": lambda held: {"ebnf": held.grammar},  # SGLang; its default engine, XGrammar, reads GBNF
    "json_schema": lambda held: {
        "response_format": {"type": "json_schema", "json_schema": {"name": "action", "schema": held.schema}}
    },
}

GRAMMARS: tuple[Way, ...] = tuple(way for way in get_args(Way) if way != "json_schema")
"""The ways that can hold a reply to any dialect."""


def held(constraint: Constraint, ways: Iterable[Way]) -> Json:
    """The member of the body; a way that only knows JSON is left out where a reply is more than that."""
    return {HELD: {way: _FIELDS[way](constraint) for way in ways if way in GRAMMARS or constraint.schema is not None}}


def chosen(body: Mapping[str, Any], facts: Facts) -> Way | None:
    """The way to go for this body: the first that is not known to be refused."""
    if facts.options is False:
        return None
    return next((way for way in body.get(HELD, ()) if getattr(facts, way) is not False), None)


def way_in(sent: Mapping[str, Any]) -> Way | None:
    """The way that a body went which was sent."""
    form = sent.get("response_format")
    if isinstance(form, dict) and form.get("type") == "json_schema":
        return "json_schema"
    return next((way for way in GRAMMARS if way in sent), None)


def is_free(wanted: Mapping[str, Any], facts: Facts) -> bool:
    """Whether a reply that was to be held to a form would not be."""
    return HELD in wanted and chosen(wanted, facts) is None
