"""A schema compiled once into a `Checker`.

In: a schema, as a mapping.  Out: the same `Checker` for the same schema, kept in an LRU by its JSON text (object identity
would not do: dicts change and their ids are used again; the order of keys is kept, as problems list names in it).  The
checker holds its own copy, so later changes of the caller's dict change nothing.  It never raises for a value: what cannot
be checked within the bounds is a problem.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from react_agent.errors import SchemaError
from react_agent.messages import Json

from .common import Test, predicate, surely_valid
from .explaining import explain
from .loops import refuse_loops
from .problem import Problem
from .walking import map_children, resolve, schemas

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MAX_SCHEMA_CHARS = 500_000
MAX_SCHEMA_DEPTH = 64
MAX_KEPT = 1024
"""So many compiled schemas are kept."""
_ERRORS_READ = 2_000
REFERENCE = '"$ref"'
"""How a text writes the keyword; a schema whose text lacks it has no references."""
_POINTING = (REFERENCE, '"$dynamicRef"', '"unevaluatedProperties"')
_TOO_MUCH = Problem("", "work", "", "")


class Checker:
    """Tells whether values fit one schema; safe to share between threads.

    Values are judged by the test of `common` where there is one.  `jsonschema` is asked only for what that cannot tell and for
    the words of a problem, and set up when it is first asked.
    """

    def __init__(self, schema: Json) -> None:
        """`schema`: valid, and changed by nobody."""
        self._schema = schema

    @functools.cached_property
    def _test(self) -> Test | None:
        return predicate(self._schema)

    @functools.cached_property
    def _errors(self) -> Callable[[Any], Iterable[ValidationError]]:
        from .validator import errors_of

        return errors_of(_prepared(self._schema))

    def ok(self, value: Any) -> bool:
        """True when `value` satisfies the schema."""
        try:
            return self._test(value) if self._test is not None else next(iter(self._errors(value)), None) is None
        except RecursionError:
            return False

    def problems(self, value: Any) -> tuple[Problem, ...]:
        """At most 5 problems of `value`, the most relevant first; empty exactly when `ok(value)`."""
        try:
            if self._test is not None and self._test(value):
                return ()
            return explain(islice(self._errors(value), _ERRORS_READ))
        except RecursionError:
            return (_TOO_MUCH,)


def checker(schema: Mapping[str, Any]) -> Checker:
    """The checker of `schema`, compiled on first use.

    `format` is asserted for date, date-time, time, email, ipv4, ipv6 and uuid.  References are read from the root of the
    schema; `$id` is ignored.

    Raises:
        SchemaError: it is not a valid schema, refers to something outside itself or only to itself, or is too large.
    """
    return _compile(schema_text(schema))


def schema_text(schema: Mapping[str, Any]) -> str:
    """The JSON text by which compiled schemas are kept.

    Raises:
        SchemaError: it is not plain JSON, or far too deep.
    """
    try:
        return _PLAIN.encode(schema)
    except RecursionError:
        raise SchemaError(f"the schema must be nested at most {MAX_SCHEMA_DEPTH} deep, but is far deeper") from None
    except (TypeError, ValueError) as error:
        raise SchemaError(f"the schema must be plain JSON: {error}") from None


def _plain(value: object) -> dict[str, Any]:
    """For `json.dumps`: mappings other than dict are welcome."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a JSON type")


_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)


@functools.lru_cache(maxsize=MAX_KEPT)
def _compile(text: str) -> Checker:
    return Checker(valid_schema(text))


def valid_schema(text: str) -> Any:
    """The schema that this JSON text writes, a new one.

    Raises:
        SchemaError: as for `checker`.
    """
    if len(text) > MAX_SCHEMA_CHARS:
        raise SchemaError(f"the schema must have at most {MAX_SCHEMA_CHARS} characters, but has {len(text)}")
    schema = json.loads(text)
    if text.count("{") + text.count("[") > MAX_SCHEMA_DEPTH:
        _check_depth(schema)
    _check_schema(schema)
    if any(keyword in text for keyword in _POINTING):
        _check_pointing(_prepared(schema))
    return schema


def _check_pointing(schema: Any) -> None:
    for part in schemas(schema):
        _check_references(schema, part)
    if isinstance(schema, dict):
        refuse_loops(schema)


def _check_schema(schema: Any) -> None:
    if surely_valid(schema):
        return
    from .validator import schema_errors

    for problem in explain(schema_errors(schema)):
        raise SchemaError(f"the schema is not valid: {problem.say('en')}")


def _check_depth(schema: Any) -> None:
    level = [schema]
    for _ in range(MAX_SCHEMA_DEPTH):
        level = [child for item in level for child in _inside(item)]
    if level:
        raise SchemaError(f"the schema must be nested at most {MAX_SCHEMA_DEPTH} deep, but is deeper")


def _inside(item: Any) -> Iterator[Any]:
    if isinstance(item, dict):
        yield from item.values()
    elif isinstance(item, list):
        yield from item


def _prepared(schema: Any) -> Any:
    """Without ids, which would move what references point to; and jsonschema gives no path for a property that is False."""
    if not isinstance(schema, dict):
        return schema
    part = map_children({key: value for key, value in schema.items() if key not in ("$id", "$schema")}, _prepared)
    if "properties" in part:
        part["properties"] = {name: {"not": {}} if inner is False else inner for name, inner in part["properties"].items()}
    return part


def _check_references(root: Any, part: Mapping[str, Any]) -> None:
    if "$ref" in part:
        resolve(root, part["$ref"])
    if "$dynamicRef" in part:
        raise SchemaError('"$dynamicRef" is not supported; use "$ref" with a path in the same schema ("#/...")')
    if "unevaluatedProperties" in part and "patternProperties" in part:
        raise SchemaError('"unevaluatedProperties" is not supported beside "patternProperties"; use "additionalProperties"')
