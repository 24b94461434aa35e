"""Where schemas stand inside a schema, and what a local reference points to.

A key such as `title` or `$ref` means something only in the place of a keyword: below `properties` it is a parameter's
name, below `enum` or `default` it is data.  So every walk over a schema goes through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from react_agent.errors import SchemaError
from react_agent.messages import Json

_ONE = frozenset(
    (
        "items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
        "not", "if", "then", "else", "contentSchema",
    )
)  # fmt: skip
_LIST = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_NAMED = frozenset(("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"))


def map_children(schema: Mapping[str, Any], change: Callable[[Any], Any]) -> Json:
    """A copy of `schema` with each schema directly inside it replaced by `change(it)`."""
    return {key: _map_keyword(key, value, change) for key, value in schema.items()}


def _map_keyword(key: str, value: Any, change: Callable[[Any], Any]) -> Any:
    if key in _ONE:
        return change(value)
    if key in _LIST and isinstance(value, list):
        return [change(item) for item in value]
    if key in _NAMED and isinstance(value, Mapping):
        return {name: change(item) for name, item in value.items()}
    return value


def schemas(schema: Any) -> Iterator[Mapping[str, Any]]:
    """`schema` and every schema inside it; references are not followed, boolean schemas are skipped."""
    todo = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, Mapping):
            yield item
            todo.extend(_children(item))


def _children(schema: Mapping[str, Any]) -> Iterator[Any]:
    for key, value in schema.items():
        if key in _ONE:
            yield value
        elif key in _LIST and isinstance(value, list):
            yield from value
        elif key in _NAMED and isinstance(value, Mapping):
            yield from value.values()


def resolve(root: Mapping[str, Any], ref: Any) -> Any:
    """What the local reference `ref` (`#` or `#/pointer`) points to in the document `root`.

    Raises:
        SchemaError: it leaves the document or points to nothing.
    """
    if not isinstance(ref, str) or not ref.startswith("#"):
        raise SchemaError(f'"$ref" must point into the same schema ("#/..."), but {ref!r} came')
    target: Any = root
    for step in _steps(unquote(ref[1:])):
        target = _enter(target, step, ref)
    return target


def _steps(fragment: str) -> list[str]:
    if fragment and not fragment.startswith("/"):
        raise SchemaError(f'"$ref" must be a JSON pointer ("#/..."), but "#{fragment}" came')
    return [step.replace("~1", "/").replace("~0", "~") for step in fragment.split("/")[1:]]


def _enter(target: Any, step: str, ref: str) -> Any:
    if isinstance(target, Mapping) and step in target:
        return target[step]
    if isinstance(target, list) and step.isdecimal() and int(step) < len(target):
        return target[int(step)]
    raise SchemaError(f'"$ref" points to {ref!r}, which is not there')
