"""Value to schema: bends a value as little as its schema asks for, and names every bend.

In: a value and a JSON Schema.  Out: the value and the fixes.  The schema decides the type, never the looks of the value:
`007` stays text where a string is wanted and `"7"` becomes 7 where an integer is.  What cannot be bent stays as it is; the
validator, not this stage, says what is wrong.  A value that fits comes back untouched with no fix.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from react_agent.messages import Fix, Json

from .bending import SCALARS, says_null, short
from .cursor import MAX_DEPTH, Unreadable
from .fixes import cost
from .numerals import plain_float
from .reader import read
from .unwrapping import inside_leaf, inside_object, is_bare_schema
from .views import Schema, Views, branches, choices, is_choice, is_kind, kinds, properties

__all__ = ["fit", "short"]

Fixes = tuple[Fix, ...]
Fitted = tuple[Any, Fixes]
_SEPARATOR = re.compile(r"\s*[,，、;；\n]\s*")
_AS_ASKED = {str: ("string",), int: ("integer", "number"), bool: ("boolean",)}
_ASKING_MORE = frozenset(("enum", "const", "anyOf", "oneOf", "allOf", "$ref"))
_MAX_ITEMS = 1000
_MAX_ENCODINGS = 3


def fit(value: Any, schema: Mapping[str, Any]) -> tuple[Any, Fixes]:
    """`value` bent to `schema`, and what was bent, each fix with the path of its place.

    >>> fit({"days": "3", "unit": "Celsius"}, {"properties": {"days": {"type": "integer"}, "unit": {"enum": ["celsius"]}}})[0]
    {'days': 3, 'unit': 'celsius'}
    """
    return _Fitter(schema).fit(value, schema, "", 0)


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """May `value` satisfy the schema?  Looks at types, members and choices; the validator decides."""
    return Views(schema).takes(value, schema)


class _Fitter:
    """Bends the parts of one value to the parts of one document."""

    def __init__(self, root: Schema) -> None:
        self._views = Views(root)
        self._known: dict[tuple[int, int], tuple[Any, Fitted]] = {}

    def fit(self, value: Any, schema: Any, path: str, depth: int) -> Fitted:
        if depth > MAX_DEPTH:
            return value, ()
        if _is_as_asked(value, schema):
            return value, ()
        view = self._views.of(schema)
        options = branches(view)
        if options and "properties" not in view:
            return self._union(value, options, path, depth)
        wanted = kinds(view)
        if isinstance(value, dict) and "object" not in wanted and view and (leaf := inside_leaf(value)) is not None:
            fitted, fixes = self.fit(leaf[0], schema, path, depth + 1)
            return fitted, (Fix("unwrapped", path), *fixes)
        if choices(view) is not None:
            return self._choice(value, view, path)
        if not wanted or any(is_kind(value, kind) for kind in wanted):
            return self._inside(value, view, path, depth)
        for kind in wanted:
            if (bent := self._bent(value, kind, view, path, depth)) is not None:
                return bent
        return value, ()

    # --- containers ---------------------------------------------------------------------------------------------------

    def _inside(self, value: Any, view: Schema, path: str, depth: int) -> Fitted:
        if isinstance(value, dict):
            return self._object(value, view, path, depth)
        if isinstance(value, list):
            return self._array(value, view, path, depth)
        return (plain_float(value) if isinstance(value, float) and view.get("type") else value), ()

    def _array(self, value: list[Any], view: Schema, path: str, depth: int) -> Fitted:
        items = view.get("items")
        if not isinstance(items, Mapping):
            return value, ()
        fitted = [self.fit(item, items, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
        return [item for item, _ in fitted], tuple(fix for _, fixes in fitted for fix in fixes)

    def _object(self, value: Json, view: Schema, path: str, depth: int) -> Fitted:
        """The members, each bent to its schema; absent optionals given as null go, and so do members that may not be."""
        if (wrapped := inside_object(value, view)) is not None:
            fitted, fixes = self._object(wrapped[1], view, path, depth + 1)
            return fitted, (Fix("unwrapped", f"{path}.{wrapped[0]}" if path else wrapped[0]), *fixes)
        members: Json = {}
        taken: list[Fix] = []
        declared = properties(view)
        for key, item in value.items():
            if key in declared and _is_as_asked(item, declared[key]):
                members[key] = item
                continue
            name = self._declared_name(key, view, value, members)
            where = f"{path}.{name or key}" if path else (name or key)
            if name is not None and name != key:
                taken.append(Fix("key_spelling", where, note=key))
            kept, fitted, fixes = self._member(name, item, view, where, depth)
            taken.extend(fixes)
            if kept:
                members[name or key] = fitted
        return members, tuple(taken)

    def _declared_name(self, key: str, view: Schema, given: Json, fitted: Json) -> str | None:
        """The member that `key` means when it is spelt as declared, but for case, width, `_`, `-`, blanks and quotes."""
        declared = properties(view)
        if key in declared:
            return key
        folded = _folded(key)
        same = [name for name in declared if folded and _folded(name) == folded and not self._is_given(name, view, given)]
        return same[0] if len(same) == 1 and same[0] not in fitted else None

    def _is_given(self, name: str, view: Schema, given: Json) -> bool:
        """Is the member there by its own name, and more than a null that will be dropped?"""
        optional = name not in view.get("required", ())
        return name in given and not (optional and self._is_nothing(given[name], properties(view)[name]))

    def _member(self, name: str | None, item: Any, view: Schema, where: str, depth: int) -> tuple[bool, Any, Fixes]:
        """One member of an object: whether it stays, its value, the fixes; `name` is None when it is not declared."""
        if name is None:
            others = view.get("additionalProperties", True)
            if others is False and "patternProperties" not in view:
                return False, None, (Fix("extra_dropped", where, note=short(item)),)
            return True, *self.fit(item, others, where, depth + 1)
        schema = properties(view)[name]
        fitted, fixes = self.fit(item, schema, where, depth + 1)
        if name not in view.get("required", ()) and self._is_nothing(fitted, schema):
            return False, None, (Fix("null_dropped", where, note="" if fitted is None else short(fitted)),)
        return True, fitted, fixes

    def _is_nothing(self, value: Any, schema: Any) -> bool:
        """A null, or a word or text for nothing, where no such value may stand."""
        return (value is None or value == "" or says_null(value)) and not self._views.takes(value, schema)

    # --- unions and choices -------------------------------------------------------------------------------------------

    def _union(self, value: Any, options: Sequence[Schema], path: str, depth: int) -> Fitted:
        """The branch that takes the value as it is; else the one that it can be bent to at the least cost, strings last."""
        bent: list[Fitted] = []
        for option in sorted(options, key=lambda option: "string" in kinds(self._views.of(option))):
            fitted, fixes = self._once(value, option, path, depth + 1)
            if self._views.takes(fitted, option):
                bent.append((fitted, fixes))
        return min(bent, key=lambda found: (bool(found[1]), cost(found[1])), default=(value, ()))

    def _once(self, value: Any, schema: Schema, path: str, depth: int) -> Fitted:
        """`fit`, worked out once for a container: unions inside unions would try the same parts again and again."""
        if not isinstance(value, (dict, list)):
            return self.fit(value, schema, path, depth)
        key = (id(value), id(schema))
        if key not in self._known:
            self._known[key] = (value, self.fit(value, schema, path, depth))
        return self._known[key][1]

    def _choice(self, value: Any, view: Schema, path: str) -> Fitted:
        """A choice that is spelt the same but for case, width, blanks, `-` and `_`, or written in another type."""
        if is_choice(value, view):
            return value, ()
        if isinstance(value, list) and len(value) == 1:
            fitted, fixes = self._choice(value[0], view, path)
            return (fitted, (Fix("array_to_single", path), *fixes)) if is_choice(fitted, view) else (value, ())
        same = _same_spelling(value, choices(view) or [])
        return (value, ()) if same is None else (same[0], (Fix("enum_spelling", path, note=short(value)),))

    # --- another type -------------------------------------------------------------------------------------------------

    def _bent(self, value: Any, kind: str, view: Schema, path: str, depth: int) -> Fitted | None:
        if kind == "array":
            return self._to_array(value, view, path, depth)
        if kind == "object":
            return self._to_object(value, view, path, depth)
        if kind == "string" and isinstance(value, (dict, list)) and not _is_one_scalar(value):
            return None if is_bare_schema(value) else (_as_json(value), (Fix("value_to_text", path),))
        inner = value[0] if _is_one_scalar(value) else value
        around = (Fix("array_to_single", path),) if _is_one_scalar(value) else ()
        if around and is_kind(inner, kind):
            return inner, around
        bent = SCALARS[kind](inner) if kind in SCALARS else None
        return None if bent is None else (bent[0], (*around, Fix(bent[1], path, note=short(inner))))

    def _to_array(self, value: Any, view: Schema, path: str, depth: int) -> Fitted | None:
        if (decoded := _decoded(value, list)) is not None:
            fitted, fixes = self._array(decoded[0], view, path, depth)
            return fitted, (Fix("text_to_value", path), *decoded[1], *fixes)
        if value is None or value == "":
            return None
        if isinstance(value, str) and (split := self._split(value, view, path, depth)) is not None:
            return split
        fitted, fixes = self._array([value], view, path, depth)
        return fitted, (Fix("single_to_array", path), *fixes)

    def _split(self, value: str, view: Schema, path: str, depth: int) -> Fitted | None:
        """`1, 2, 3`: items with separators between them, when each of them can only be an item."""
        items = self._views.of(view.get("items"))
        parts = _SEPARATOR.split(value.strip())
        if not 1 < len(parts) <= _MAX_ITEMS or (choices(items) is None and "string" in (kinds(items) or ("string",))):
            return None
        fitted, _ = self._array(list(parts), view, path, depth)
        return (fitted, (Fix("text_to_items", path, note=short(value)),)) if self._views.takes(fitted, view) else None

    def _to_object(self, value: Any, view: Schema, path: str, depth: int) -> Fitted | None:
        if (decoded := _decoded(value, dict)) is not None:
            fitted, fixes = self._object(decoded[0], view, path, depth)
            return fitted, (Fix("text_to_value", path), *decoded[1], *fixes)
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            fitted, fixes = self._object(value[0], view, path, depth)
            return fitted, (Fix("array_to_single", path), *fixes)
        return None


def _is_as_asked(value: Any, schema: Any) -> bool:
    """Is `value` a scalar of the type that is asked for, and nothing else asked of it here?"""
    asked = _AS_ASKED.get(type(value), ())
    return isinstance(schema, dict) and schema.get("type") in asked and _ASKING_MORE.isdisjoint(schema)


def _is_one_scalar(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1 and not isinstance(value[0], (dict, list))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _decoded(value: Any, kind: type) -> tuple[Any, Fixes] | None:
    """A container that was written as text, maybe as text in text."""
    fixes: Fixes = ()
    for _ in range(_MAX_ENCODINGS):
        if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"', "｛", "［")):
            return None
        try:
            found = read(value)
        except Unreadable:
            return None
        if found.cut or value[found.end :].strip():
            return None
        value, fixes = found.value, (*fixes, *found.fixes)
        if isinstance(value, kind):
            return value, fixes
    return None


def _same_spelling(value: Any, options: Sequence[Any]) -> tuple[Any] | None:
    """The only choice of this spelling; among several the only one that differs in case alone."""
    if isinstance(value, (dict, list)):
        return None
    written, folded = str(value), _folded(str(value))
    same = [option for option in options if option is not None and folded and _folded(str(option)) == folded]
    alike = [option for option in same if str(option).casefold() == written.casefold()]
    return next(((found[0],) for found in (same, alike) if len(found) == 1), None)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()
