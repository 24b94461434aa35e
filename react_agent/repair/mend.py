"""The front door of repair: a whole text to one value, and that value to its schema.

In: text that holds a value somewhere, and maybe the schema of the value.  Out: `Repaired`.  Where the text is not valid JSON,
the value is looked for at the start, in code fences and at brackets; the first that the schema takes wins, or the first that
reads without a guess.  A part of a broken value is never taken for the value.  Values side by side are one when they say
the same, a list or one object when the schema wants that.  A few places are tried, so the time stays in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from react_agent.messages import Fix, Value
from react_agent.schema import Problem, canonical, checker

from .characters import BLANK, OPENING
from .cursor import Read, Unreadable
from .fit import fit, fits
from .fixes import cost
from .reader import read, read_members, strict
from .views import Views

_FENCE = re.compile(r"(?:```|~~~)[^\n`]{0,40}\n\s*(?=[{\[｛［])")
_OPENER = re.compile(r"[{\[｛［]")
_OBJECT = re.compile(r"[{｛]\s*[\"'“]")
_BETWEEN = re.compile(r"[\s,;，；]*")
_MAX_PLACES = 12
_MAX_VALUES = 1000
_GUESSES = frozenset(("bare_string", "closed", "missing_quote"))


@dataclass(frozen=True, slots=True)
class Repaired(Value):
    """What `repair` found.

    `value` is as read and fitted, `fixes` names every liberty taken.  `cut` is True when the text ends inside a value, which
    then must not be used; `found` is False when no value stands in the text.  `problems` are the objections of a given schema.
    """

    value: Any = None
    fixes: tuple[Fix, ...] = ()
    cut: bool = False
    found: bool = True
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """True when a value was found, is whole, and satisfies the schema (if there is one)."""
        return self.found and not self.cut and not self.problems

    @property
    def cost(self) -> int:
        """How much was bent: the sum over `react_agent.repair.COSTS`."""
        return cost(self.fixes)


def repair(text: str, schema: Mapping[str, Any] | None = None) -> Repaired:
    """The JSON value in `text`, repaired, and fitted to `schema` when one is given.

    Valid JSON that fits comes back as the standard parser reads it, with no fixes.  Never raises for any text.

    >>> repair("{'city': 'Oslo', 'days': '3'}", {"properties": {"days": {"type": "integer"}}}).value
    {'city': 'Oslo', 'days': 3}
    >>> repair('{"to": "Ida", "body": "see y').cut
    True
    >>> repair('{"days": "soon"}', {"properties": {"days": {"type": "integer"}}}).problems[0].say("en")
    '"days" must be an integer, but "soon" (a string) came'

    Raises:
        SchemaError: the schema is not a valid one.
    """
    found = _whole(text) or (_found(text) if schema is None else _found_for(text, schema))
    if found is None:
        return Repaired(found=False)
    if schema is None:
        return Repaired(found.value, found.fixes, found.cut)
    value, fixes = fit(found.value, schema)
    return Repaired(value, found.fixes + fixes, found.cut, problems=checker(schema).problems(value))


def _whole(text: str) -> Read | None:
    """The text when it is valid JSON as it stands."""
    found = strict(text, _behind_blanks(text, 0))
    return found if found is not None and _behind_blanks(text, found.end) == len(text) else None


def _found(text: str) -> Read | None:
    """The first value that reads without guessing, else the first that reads."""
    first = None
    for values in _values(text, None):
        found = _together(values)
        first = first or found
        if not _GUESSES & {fix.name for fix in found.fixes}:
            return found
    return first or _alone(text)


def _found_for(text: str, schema: Mapping[str, Any]) -> Read | None:
    """The first value that the schema takes once it is bent, else the first that reads."""
    views = Views(schema)
    if not views.nests(schema):
        return _alone(text) or _as_text(text)
    first = None
    for values in _values(text, views.names()):
        found = _for_schema(values, schema)
        first = first or found
        if _can_fit(found.value, schema):
            return found
    return first or _alone(text)


# --- places ----------------------------------------------------------------------------------------------------------


def _values(text: str, names: frozenset[str] | None) -> Iterator[list[Read]]:
    """The values that stand side by side, for each place where the first of them may start."""
    behind = 0
    for start, take in _places(text):
        if start < behind:
            continue
        try:
            values = _side_by_side(text, take(text, start, names=names), names)
        except Unreadable as problem:
            behind = problem.position
            if _OBJECT.match(text, start):
                return
        else:
            behind = values[-1].end
            yield values


def _places(text: str) -> Iterator[tuple[int, Callable[..., Read]]]:
    """The start of the text, with or without its brace; the insides of fences; opening brackets."""
    start = _behind_blanks(text, 0)
    yield start, (read if text.startswith(OPENING, start) else read_members)
    for match in islice(_FENCE.finditer(text, start), _MAX_PLACES):
        yield match.end(), read
    for match in islice(_OPENER.finditer(text, start + 1), _MAX_PLACES):
        yield match.start(), read


def _side_by_side(text: str, first: Read, names: frozenset[str] | None) -> list[Read]:
    """The first value and the objects that follow it, with nothing but blanks and separators between them."""
    values = [first]
    while isinstance(first.value, dict) and not values[-1].cut and len(values) < _MAX_VALUES:
        index = _BETWEEN.match(text, values[-1].end).end()  # type: ignore[union-attr]  # matches the empty text
        if not text.startswith(("{", "｛"), index):
            break
        try:
            values.append(read(text, index, names=names))
        except Unreadable:
            break
    return values


def _alone(text: str) -> Read | None:
    """A string, number or literal that is the whole text."""
    try:
        found = read(text, bounded=True)
    except Unreadable:
        return None
    return found if _behind_blanks(text, found.end) == len(text) and not found.cut else None


def _as_text(text: str) -> Read | None:
    """The whole text as a string without its quotes."""
    written = text.strip()
    return Read(written, len(text), (Fix("bare_string"),)) if written else None


def _behind_blanks(text: str, index: int) -> int:
    return BLANK.match(text, index).end()  # type: ignore[union-attr]  # matches the empty text


# --- several values --------------------------------------------------------------------------------------------------


def _together(values: Sequence[Read]) -> Read:
    """One value: what is said twice counts once and `{}` says nothing; different values are a list."""
    distinct = list({canonical(item.value): item for item in reversed(values) if item.value != {}}.values())[::-1]
    if len(distinct) > 1:
        return _joined(values, [item.value for item in distinct], "side_by_side")
    if len(values) == 1:
        return values[0]
    return _joined(values, distinct[0].value if distinct else {}, "repeated_value")


def _for_schema(values: Sequence[Read], schema: Mapping[str, Any]) -> Read:
    """The list of the values, or one object with the members of all, or the first: the first of these that the schema takes."""
    together = _together(values)
    if not isinstance(together.value, list) or len(values) == 1 or _can_fit(together.value, schema):
        return together
    members = [item.value for item in values]
    if len({key for item in members for key in item}) == sum(map(len, members)):
        merged = {key: value for item in members for key, value in item.items()}
        if _can_fit(merged, schema):
            return _joined(values, merged, "joined_objects")
    return _joined(values, members[0], "rest_dropped")


def _joined(values: Sequence[Read], value: Any, fix: str) -> Read:
    fixes = {fix.name: fix for item in values for fix in item.fixes}
    return Read(value, values[-1].end, (*fixes.values(), Fix(fix)), any(item.cut for item in values))


def _can_fit(value: Any, schema: Mapping[str, Any]) -> bool:
    return fits(fit(value, schema)[0], schema)
