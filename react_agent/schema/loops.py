"""Schemas that are defined by nothing but themselves.

In: a schema whose references all resolve.  Out: a SchemaError for parts that lead back to themselves without going into the
value, as in `{"a": {"$ref": "#/properties/a"}}`: no value could ever be told to fit.  A loop through `properties`, `items` and
the like describes a tree, and is welcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from react_agent.errors import SchemaError

from .walking import resolve, schemas

_ONE = ("not", "if", "then", "else")
_LIST = ("allOf", "anyOf", "oneOf")


def refuse_loops(root: Mapping[str, Any]) -> None:
    """Nothing, when every part says something of a value.

    Raises:
        SchemaError: a part is defined only by itself; names a reference of the loop.
    """
    todo = list(schemas(root))
    if not any("$ref" in part for part in todo):
        return
    parts: dict[int, Mapping[str, Any]] = {}
    order: TopologicalSorter[int] = TopologicalSorter()
    while todo:
        part = todo.pop()
        if id(part) not in parts:
            parts[id(part)] = part
            same = list(_of_the_same_value(root, part))
            order.add(id(part), *map(id, same))
            todo += same
    try:
        order.prepare()
    except CycleError as error:
        ref = next(parts[place]["$ref"] for place in error.args[1] if "$ref" in parts[place])
        raise SchemaError(
            f'"$ref": {ref!r} leads only back to itself, so it describes no value: say there what it stands for'
        ) from None


def _of_the_same_value(root: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The schemas that judge the same value as `part` does."""
    inner = [part[key] for key in _ONE if key in part]
    inner += [item for key in _LIST for item in part.get(key, ())]
    inner += part.get("dependentSchemas", {}).values()
    if "$ref" in part:
        inner.append(resolve(root, part["$ref"]))
    yield from (each for each in inner if isinstance(each, Mapping))
