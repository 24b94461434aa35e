"""What a schema asks for, as far as bending a value needs to know: its type, its members, whether a value may pass.

References into the document are followed and `allOf` is merged, so that the fitter sees one plain schema.  The validator has
the last word: `takes` looks at types, members and choices only, and is what a union's branch is chosen by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from react_agent.errors import SchemaError
from react_agent.schema.walking import resolve, schemas

Schema = Mapping[str, Any]
_MAX_STEPS = 16
_CONTAINERS = ("object", "array")
_MAPPING = (dict, Mapping)  # asking for the abstract class alone takes ten times as long


class Views:
    """The schemas of one document, `root`."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._merged: dict[int, Schema] = {}
        self._taken: dict[tuple[int, int], tuple[Any, bool]] = {}

    def of(self, schema: Any) -> Schema:
        """The schema without references and `allOf`; an empty one for what cannot be followed or is no object."""
        if not isinstance(schema, _MAPPING):
            return {}
        if "$ref" not in schema and "allOf" not in schema:
            return schema
        known = self._merged.get(id(schema))
        if known is None:
            known = self._merged[id(schema)] = self._plain(schema, _MAX_STEPS)
        return known

    def _plain(self, schema: Schema, steps: int) -> Schema:
        parts = [part for part in (schema.get("$ref"), *(schema.get("allOf") or ())) if part is not None]
        own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
        if not steps:
            return own
        for part in parts:
            target = self._target(part) if isinstance(part, str) else part
            if isinstance(target, Mapping):
                own = _merged(own, self._plain(target, steps - 1))
        return own

    def _target(self, reference: str) -> Any:
        try:
            return resolve(self._root, reference)
        except SchemaError:
            return None

    def takes(self, value: Any, schema: Any) -> bool:
        """May `value` satisfy `schema`?  Each part of the value is judged once by each schema."""
        if not isinstance(schema, Mapping):
            return schema is not False
        if not isinstance(value, (dict, list)):
            return self._takes(value, schema)
        key = (id(value), id(schema))
        if key not in self._taken:
            self._taken[key] = (value, False)  # a schema that leads to itself on the same value adds nothing
            self._taken[key] = (value, self._takes(value, schema))
        return self._taken[key][1]

    def nests(self, schema: Any) -> bool:
        """May a value of this schema be an object or an array?"""
        view = self.of(schema)
        options = branches(view)
        if options and "properties" not in view:
            return any(self.nests(option) for option in options)
        return any(kind in _CONTAINERS for kind in kinds(view) or _CONTAINERS) and choices(view) is None

    def names(self) -> frozenset[str] | None:
        """The names of all members that the document declares; None when an object in it may have others."""
        found: set[str] = set()
        for part in schemas(self._root):
            declared = properties(part)
            found.update(declared)
            if not declared and self._is_open(part):
                return None
        return frozenset(found)

    def _is_open(self, part: Schema) -> bool:
        """May a value of this schema be an object of which nothing is said here?"""
        elsewhere = "$ref" in part or "allOf" in part or branches(part) or (kinds(part) == ("array",) and "items" in part)
        return not elsewhere and self.nests(part)

    def _takes(self, value: Any, schema: Schema) -> bool:
        view = self.of(schema)
        if not is_choice(value, view) or not _is_of_kind(value, view):
            return False
        options = branches(view)
        if options and not any(self.takes(value, option) for option in options):
            return False
        if isinstance(value, dict):
            return self._takes_members(value, view)
        items = view.get("items")
        return not isinstance(value, list) or items is None or all(self.takes(item, items) for item in value)

    def _takes_members(self, value: Mapping[str, Any], view: Schema) -> bool:
        declared = properties(view)
        others = view.get("additionalProperties", True) if "patternProperties" not in view else True
        return all(name in value for name in view.get("required", ())) and all(
            self.takes(item, declared.get(key, others)) for key, item in value.items()
        )


def kinds(view: Schema) -> tuple[str, ...]:
    """The types that a value may have, text last; none when any will do."""
    kind = view.get("type")
    if isinstance(kind, str):
        return (kind,)
    if isinstance(kind, list):
        return tuple(sorted((k for k in kind if isinstance(k, str)), key=lambda k: k == "string"))
    if "properties" in view:
        return ("object",)
    return ("array",) if "items" in view else ()


def properties(view: Schema) -> Schema:
    """The declared members."""
    declared = view.get("properties")
    return declared if isinstance(declared, _MAPPING) else {}


def branches(view: Schema) -> list[Schema]:
    """The schemas of a union."""
    found = view.get("anyOf") or view.get("oneOf") or ()
    return [branch for branch in found if isinstance(branch, Mapping)]


def choices(view: Schema) -> list[Any] | None:
    """The values that an `enum` or `const` allows, None when there is neither."""
    if "const" in view:
        return [view["const"]]
    found = view.get("enum")
    return found if isinstance(found, list) else None


def is_choice(value: Any, view: Schema) -> bool:
    """True when the value is one of the choices, or there are none."""
    found = choices(view)
    return found is None or any(type(value) is type(choice) and value == choice for choice in found)


def is_kind(value: Any, kind: str) -> bool:
    """Is `value` of this JSON type?"""
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return False


def _is_of_kind(value: Any, view: Schema) -> bool:
    if "type" not in view:  # "properties" and "items" alone say nothing of other values
        return True
    whole = isinstance(value, float) and value.is_integer()
    return any(is_kind(value, kind) or (whole and kind == "integer") for kind in kinds(view))


def _merged(one: dict[str, Any], other: Schema) -> dict[str, Any]:
    """Both at once, where the first has the word; members and required names are joined."""
    both = {**other, **one}
    if "properties" in one and "properties" in other:
        both["properties"] = {**properties(other), **properties(one)}
    if "required" in one and "required" in other:
        both["required"] = [*other["required"], *one["required"]]
    return both
