"""A tool's schema without what confuses weak models, accepting the same arguments.

In: a schema as pydantic, zod, MCP servers or people write it.  Out: a new dict in which

* `title`, `$schema`, `$id`, `$comment` and `discriminator` are gone; descriptions, defaults and examples stay;
* local references are replaced by what they point to; those that lead into themselves, or all of them when the whole
  would grow too large, stay as references to `$defs`, each definition written once;
* an `allOf` of one is merged into its surroundings where that cannot change the meaning;
* `required` stands wherever `properties` do, and the root has `type`, `properties` and `required`.

The rule: an object satisfies the clean schema exactly when it satisfies the given one.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from react_agent.errors import SchemaError
from react_agent.messages import Json

from .canonical_json import canonical
from .checking import MAX_KEPT, REFERENCE, Checker, checker, schema_text, valid_schema
from .walking import map_children, resolve, schemas

MAX_PARTS = 2_000
_DROPPED = frozenset(("title", "$schema", "$id", "$comment", "discriminator", "$defs", "definitions"))
_NOTES = frozenset(("description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
# Keywords whose meaning depends on which others stand beside them.
_UNEVALUATED = frozenset(("unevaluatedProperties", "unevaluatedItems"))
_NEIGHBOURS = _UNEVALUATED | {
    "properties", "patternProperties", "additionalProperties", "items", "prefixItems",
    "contains", "minContains", "maxContains", "if", "then", "else",
}  # fmt: skip


def clean(schema: Mapping[str, Any]) -> Json:
    """The simplified schema of a tool's parameters: a new dict of type object.

    Raises:
        SchemaError: `schema` is not valid (see `checker`), or its root is not of type object.
    """
    return _cleaned(schema_text(schema))


def _cleaned(text: str) -> Json:
    schema = valid_schema(text)
    inside = _references(schema) if REFERENCE in text else {}
    try:
        return _as_root(_Cleaner(schema, _endless(inside), MAX_PARTS).whole())
    except (_TooLargeError, RecursionError):
        return _as_root(_Cleaner(schema, frozenset(inside), math.inf).whole())


@dataclass(frozen=True, slots=True)
class Prepared:
    """A clean schema and what checks values against it; shared by all who ask for the same schema, so never changed."""

    schema: Json
    checker: Checker


def prepared(schema: Mapping[str, Any]) -> Prepared:
    """`clean(schema)` with its checker, made once for schemas of the same JSON text.

    Raises:
        SchemaError: as `clean`.
    """
    return _prepared(schema_text(schema))


@functools.lru_cache(maxsize=MAX_KEPT)
def _prepared(text: str) -> Prepared:
    cleaned = _cleaned(text)
    # without references cleaning only leaves things out, so that what is left is valid
    return Prepared(cleaned, checker(cleaned) if REFERENCE in text else Checker(cleaned))


def _as_root(cleaned: Json) -> Json:
    kind = cleaned.get("type", "object")
    if "object" not in (kind if isinstance(kind, list) else [kind]):
        raise SchemaError(f'the parameters of a tool are a schema of type "object", but type {kind!r} came')
    return {"type": "object", "properties": {}, "required": [], **cleaned} | {"type": "object"}


def _references(schema: Mapping[str, Any]) -> dict[str, set[str]]:
    """Each reference in the document, with the references inside what it points to."""
    refs = {part["$ref"] for part in schemas(schema) if "$ref" in part}
    return {ref: {part["$ref"] for part in schemas(resolve(schema, ref)) if "$ref" in part} for ref in refs}


def _endless(inside: Mapping[str, set[str]]) -> frozenset[str]:
    """The references that lead back to themselves (and those that lie on a way between two of them)."""
    into_loops = _without_order(inside)
    turned: dict[str, set[str]] = {ref: set() for ref in into_loops}
    for outer in into_loops:
        for ref in inside[outer] & into_loops:
            turned[ref].add(outer)
    return frozenset(_without_order(turned))


def _without_order(before: Mapping[str, set[str]]) -> set[str]:
    """The nodes that a topological order does not reach: they are on a loop or wait for one."""
    order = TopologicalSorter(before)
    ordered: set[str] = set()
    with suppress(CycleError):
        order.prepare()
    while ready := order.get_ready():
        ordered.update(ready)
        order.done(*ready)
    return before.keys() - ordered


class _TooLargeError(Exception):
    """The schema with its references replaced has more parts than allowed."""


class _Cleaner:
    """One pass over the document `root`; `kept` are the references that stay, `limit` the number of parts allowed."""

    def __init__(self, root: Mapping[str, Any], kept: frozenset[str], limit: float) -> None:
        self._root = root
        self._kept = kept
        self._left = limit
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        self._waiting: list[str] = []

    def whole(self) -> Json:
        """The clean root, with the definitions it needs."""
        cleaned: Json = self._part(self._root)
        definitions: Json = {}
        while self._waiting:
            ref = self._waiting.pop()
            definitions[self._names[ref]] = self._part(resolve(self._root, ref))
        cleaned = _opened(cleaned, definitions)
        return {**cleaned, "$defs": definitions} if definitions else cleaned

    def _part(self, schema: Any) -> Any:
        if not isinstance(schema, Mapping):
            return schema
        self._left -= 1
        if self._left < 0:
            raise _TooLargeError
        part = map_children({key: value for key, value in schema.items() if key not in _DROPPED}, self._part)
        if "$ref" in part:
            part = _both(part, self._target(part.pop("$ref")))
        if len(part.get("allOf", ())) == 1:
            part = _both(part, part.pop("allOf")[0])
        return part | {"required": part.get("required", [])} if "properties" in part else part

    def _target(self, ref: str) -> Any:
        if ref not in self._kept:
            return self._part(resolve(self._root, ref))
        if ref not in self._names:
            self._name(ref)
        return {"$ref": f"#/$defs/{self._names[ref]}"}

    def _name(self, ref: str) -> None:
        name = re.sub(r"[^\w.-]", "", ref.rpartition("/")[2]) or "root"
        while name in self._taken:
            name += "_"
        self._names[ref] = name
        self._taken.add(name)
        self._waiting.append(ref)


def _opened(root: Json, definitions: Json) -> Json:
    """The root without a reference in front: a signature needs the names of the parameters."""
    for _ in definitions:
        if "$ref" in root:
            name = root["$ref"].rpartition("/")[2]
            root = _both({key: value for key, value in root.items() if key != "$ref"}, definitions[name])
    return root


def _both(outer: Json, inner: Any) -> Json:
    """A schema that asks what both ask: one flat schema where that means the same; the notes of `outer` win."""
    if inner is True:
        return outer
    if not isinstance(inner, dict) or not _may_merge(outer, inner):
        return {**outer, "allOf": [*outer.get("allOf", ()), inner]}
    required = list(dict.fromkeys([*inner.get("required", ()), *outer.get("required", ())]))
    return {**inner, **outer} | ({"required": required} if required else {})


def _may_merge(outer: Json, inner: Json) -> bool:
    asked, also_asked = outer.keys() - _NOTES, inner.keys() - _NOTES
    if not asked or not also_asked:
        return True
    if also_asked & _UNEVALUATED or (asked & _NEIGHBOURS and also_asked & _NEIGHBOURS):
        return False
    shared = (asked & also_asked) - {"required"}
    return all(canonical(outer[key]) == canonical(inner[key]) for key in shared)
