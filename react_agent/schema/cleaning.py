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

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import Any

from react_agent.errors import SchemaError
from react_agent.messages import Json

from .canonical_json import canonical
from .checking import checker
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
    checker(schema)
    kind = schema.get("type", "object")
    if "object" not in (kind if isinstance(kind, list) else [kind]):
        raise SchemaError(f'the parameters of a tool are a schema of type "object", but type {kind!r} came')
    inside = _references(schema)
    try:
        return _as_root(_Cleaner(schema, _endless(inside), MAX_PARTS).whole())
    except (_TooLargeError, RecursionError):
        return _as_root(_Cleaner(schema, frozenset(inside), math.inf).whole())


def _as_root(cleaned: Json) -> Json:
    return {"type": "object", "properties": {}, "required": [], **cleaned} | {"type": "object"}


def _references(schema: Mapping[str, Any]) -> dict[str, set[str]]:
    """Each reference in the document, with the references inside what it points to."""
    refs = {part["$ref"] for part in schemas(schema) if "$ref" in part}
    return {ref: {part["$ref"] for part in schemas(resolve(schema, ref)) if "$ref" in part} for ref in refs}


def _endless(inside: Mapping[str, set[str]]) -> frozenset[str]:
    """The references that never end when they are replaced again and again."""
    order = TopologicalSorter(inside)
    ending: set[str] = set()
    with suppress(CycleError):
        order.prepare()
    while ready := order.get_ready():
        ending.update(ready)
        order.done(*ready)
    return frozenset(inside.keys() - ending)


class _TooLargeError(Exception):
    """The schema with its references replaced has more parts than allowed."""


class _Cleaner:
    """One pass over the document `root`; `kept` are the references that stay, `limit` the number of parts allowed."""

    def __init__(self, root: Mapping[str, Any], kept: frozenset[str], limit: float) -> None:
        self._root = root
        self._kept = kept
        self._left = limit
        self._names: dict[str, str] = {}

    def whole(self) -> Json:
        """The clean root, with the definitions it needs."""
        cleaned: Json = self._part(self._opened())
        definitions: Json = {}
        while len(definitions) < len(self._names):
            ref, name = list(self._names.items())[len(definitions)]
            definitions[name] = self._part(resolve(self._root, ref))
        return {**cleaned, "$defs": definitions} if definitions else cleaned

    def _opened(self) -> Mapping[str, Any]:
        """The root, where a kept reference is replaced once: a signature needs the names of its parameters."""
        target = resolve(self._root, ref) if (ref := self._root.get("$ref")) in self._kept else None
        if not isinstance(target, Mapping):
            return self._root
        rest = {key: value for key, value in self._root.items() if key != "$ref"}
        return {**rest, "allOf": [*rest.get("allOf", ()), target]}

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
            self._names[ref] = self._unused_name(ref)
        return {"$ref": f"#/$defs/{self._names[ref]}"}

    def _unused_name(self, ref: str) -> str:
        name = re.sub(r"[^\w.-]", "", ref.rpartition("/")[2]) or "root"
        return f"{name}_{len(self._names)}" if name in self._names.values() else name


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
