"""From jsonschema's errors to problems that speak of what the model meant.

In: errors of one value.  Out: at most five `Problem`s, the outermost first.  The rule: of a union only the branch that was
meant is spoken of, that is the one of the value's own type, whose constants fit, with the fewest errors; when no branch
stands out, the union as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .naming import type_name
from .problem import Problem, shorten, show

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MAX_PROBLEMS = 5
_EXPECTED_CHARS = 200
_UNIONS = ("anyOf", "oneOf")
_FORMATS = {
    "date": "YYYY-MM-DD (date)",
    "date-time": "YYYY-MM-DDThh:mm:ss (date-time)",
    "time": "hh:mm:ss (time)",
    "regex": "a regular expression",
}


def explain(errors: Iterable[ValidationError]) -> tuple[Problem, ...]:
    """The most relevant problems, each once."""
    meant = [part for error in errors for part in _meant(error)]
    meant.sort(key=lambda error: len(error.absolute_path))
    found: dict[Problem, None] = {}
    for error in meant:
        found[_problem(error)] = None
        if len(found) == MAX_PROBLEMS:
            break
    return tuple(found)


def _meant(error: ValidationError) -> Iterator[ValidationError]:
    branches = sorted(_branches(error), key=_distance) if error.validator in _UNIONS else []
    if not branches or _stands_not_out(branches):
        yield error
        return
    for part in branches[0]:
        yield from _meant(part)


def _branches(error: ValidationError) -> list[list[ValidationError]]:
    by_index: dict[str | int, list[ValidationError]] = {}
    for part in error.context:
        by_index.setdefault(part.relative_schema_path[0], []).append(part)
    return list(by_index.values())


def _stands_not_out(branches: list[list[ValidationError]]) -> bool:
    best = _distance(branches[0])
    return best[0] or (len(branches) > 1 and best == _distance(branches[1]))


def _distance(branch: list[ValidationError]) -> tuple[bool, int, int]:
    wrong_type = any(part.validator == "type" and not part.relative_path for part in branch)
    constants = sum(part.validator in ("const", "enum") and len(part.relative_path) <= 1 for part in branch)
    return wrong_type, constants, len(branch)


def _problem(error: ValidationError) -> Problem:
    rule = "false" if error.validator is None or error.schema == {"not": {}} else str(error.validator)
    if rule in _UNIONS and error.context and all(_distance(branch)[0] for branch in _branches(error)):
        rule = "type"
    return Problem(_path(error), rule, _expected(rule, error), _got(rule, error))


def _path(error: ValidationError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return shorten("".join(steps).removeprefix("."))


def _expected(rule: str, error: ValidationError) -> str:
    wanted: Any = error.validator_value
    schema = error.schema if isinstance(error.schema, dict) else {}
    match rule:
        case "type":
            return "|".join(dict.fromkeys(_types(error)))
        case "anyOf" | "oneOf":
            return type_name({rule: wanted})
        case "required":
            return type_name(schema.get("properties", {}).get(error.relative_path[-1], {}))
        case "enum":
            return shorten(", ".join(map(_json, wanted)), _EXPECTED_CHARS)
        case "additionalProperties":
            return shorten(", ".join(map(_json, schema.get("properties", {}))), _EXPECTED_CHARS)
        case "format":
            return _FORMATS.get(str(wanted), str(wanted))
        case "pattern":
            return shorten(str(wanted), _EXPECTED_CHARS)
    return shorten(_json(wanted), _EXPECTED_CHARS)


def _types(error: ValidationError) -> Iterator[str]:
    """The types that would have been right: the one asked for, or those of all branches of a union."""
    if error.validator == "type":
        wanted: Any = error.validator_value
        yield from wanted if isinstance(wanted, list) else [wanted]
    for part in error.context:
        if not part.relative_path:
            yield from _types(part)


def _got(rule: str, error: ValidationError) -> str:
    value: Any = error.instance
    match rule:
        case "required":
            return ""
        case "minItems" | "maxItems":
            return str(len(value))
    return show(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
