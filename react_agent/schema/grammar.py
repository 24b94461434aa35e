"""A JSON Schema as grammar rules, for servers that can hold a model to a grammar.

In: a schema, as `clean` gives it.  Out: rules in GBNF (the notation of llama.cpp, which vLLM and SGLang read too) under which
every text is JSON of the schema's shape.  A grammar is looser than its schema: bounds, patterns and the like are left to the
validator, and what cannot be said becomes any JSON value.  It is tighter in one thing: members come in the order of the
schema, the required ones first, because a grammar that allowed every order would grow beyond bounds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 16
"""Levels of a schema; what lies deeper may be any value."""

VALUES = {
    "ws": r"[ \n\t]{0,8}",
    "char": r"""[^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt/] | "u" [0-9a-fA-F]{4})""",
    "string": r'"\"" char* "\""',
    "integer": '"-"? ("0" | [1-9] [0-9]{0,15})',
    "number": '"-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "array": '"[" ws (value (ws "," ws value)*)? ws "]"',
    "object": '"{" ws (string ws ":" ws value (ws "," ws string ws ":" ws value)*)? ws "}"',
    "value": "object | array | string | number | boolean | null",
}
"""The rules every grammar of JSON shares."""

_SPECIAL = re.compile(r'[\x00-\x1f"\\\x7f]')
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(text: str) -> str:
    """`text` as a terminal.

    >>> literal('say "x"')
    '"say \\\\"x\\\\""'
    """
    return '"' + _SPECIAL.sub(_escaped, text) + '"'


def rules(name: str, schema: Any) -> dict[str, str]:
    """The rules for values of `schema`: `name`, and further ones that begin with `name-`; they refer to `VALUES`.

    >>> rules("args", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    {'args': '"{" ws "\\\\"n\\\\"" ws ":" ws integer ws "}"'}
    """
    found: dict[str, str] = {}
    _Rules(name, found).define(name, schema)
    return found


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match.group()) or f"\\x{ord(match.group()):02X}"


class _Rules:
    """Collects rules into `found`; whatever has parts gets a rule of its own, so that nothing is written twice."""

    def __init__(self, prefix: str, found: dict[str, str]) -> None:
        self._prefix = prefix
        self._found = found

    def define(self, name: str, schema: Any, depth: int = 0) -> None:
        self._found[name] = ""  # the name is taken while its parts are written
        self._found[name] = self._right_side(schema, depth)

    def _ref(self, schema: Any, depth: int) -> str:
        """The name of a rule for `schema`."""
        if isinstance(schema, Mapping) and schema.keys() <= {"type", "description"} and schema.get("type") in _NAMED:
            return str(schema["type"])
        name = f"{self._prefix}-{len(self._found)}"
        self.define(name, schema, depth)
        return name

    def _right_side(self, schema: Any, depth: int) -> str:
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return "value"
        if (choices := _choices(schema)) is not None:
            return " | ".join(literal(json.dumps(choice, ensure_ascii=False)) for choice in choices)
        branches = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(branches, list):
            return " | ".join(self._ref(branch, depth + 1) for branch in branches)
        kinds = schema.get("type")
        if isinstance(kinds, list) and kinds:
            return " | ".join(self._ref({**schema, "type": kind}, depth + 1) for kind in kinds)
        return self._typed(kinds, schema, depth)

    def _typed(self, kind: Any, schema: Mapping[str, Any], depth: int) -> str:
        if kind == "object" and isinstance(schema.get("properties"), Mapping) and not schema.get("additionalProperties"):
            return self._members(schema, depth)
        if kind == "array" and "items" in schema:
            item = self._ref(schema["items"], depth + 1)
            some = f'{item} (ws "," ws {item})*'
            return f'"[" ws {some if schema.get("minItems") else f"({some})?"} ws "]"'
        return kind if kind in VALUES else "value"

    def _members(self, schema: Mapping[str, Any], depth: int) -> str:
        properties, must = schema["properties"], schema.get("required", ())
        members = {
            name: f'{literal(json.dumps(name, ensure_ascii=False))} ws ":" ws {self._ref(part, depth + 1)}'
            for name, part in properties.items()
        }
        first = ' ws "," ws '.join(member for name, member in members.items() if name in must)
        others = [member for name, member in members.items() if name not in must]
        if not members:
            return '"{" ws "}"'
        if not first:
            return f'"{{" ws ({_some_of(others)})? ws "}}"'
        return f'"{{" ws {first}{_perhaps(others)} ws "}}"'


_NAMED = ("string", "integer", "number", "boolean", "null")


def _choices(schema: Mapping[str, Any]) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    choices = schema.get("enum")
    return choices if isinstance(choices, list) and choices else None


def _some_of(members: list[str]) -> str:
    """One of the members, and any of those behind it."""
    return " | ".join(member + _perhaps(members[place + 1 :]) for place, member in enumerate(members))


def _perhaps(members: list[str]) -> str:
    return "".join(f' (ws "," ws {member})?' for member in members)
