"""Frozen values to plain JSON data and back.

In: any dataclass of this package, or a container of them.  Out: dicts, lists and scalars that `json.dumps` takes.
The rule: `decode(type(value), encode(value)) == value`.  Types are read from the annotations, so a value needs no code
of its own.  Supported are dataclasses, enums, tuples, lists, dicts, `X | None`, `Literal`, scalars and `Any`.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from .errors import UsageError

T = TypeVar("T")
_SCALARS = frozenset((str, int, float, bool, type(None)))
_Unions = (typing.Union, types.UnionType)


def encode(value: Any) -> Any:
    """The plain form of `value`; fields that equal their default are left out."""
    if type(value) in _SCALARS:
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            name: encode(item)
            for name, default in _fields(type(value))
            if (item := getattr(value, name)) != default or default is dataclasses.MISSING
        }
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def decode(kind: type[T], data: Any) -> T:
    """The value of type `kind` whose plain form is `data`; unknown keys are ignored, so older readers go on working.

    Raises:
        UsageError: `data` is not the plain form of such a value; says where.
    """
    return typing.cast(T, _decode(kind, data, kind.__name__))


def _decode(kind: Any, data: Any, at: str) -> Any:
    origin = typing.get_origin(kind)
    if origin in _Unions:
        return _decode_union(typing.get_args(kind), data, at)
    if origin in (tuple, list):
        item_kind = typing.get_args(kind)[0]
        items = [_decode(item_kind, item, f"{at}[{number}]") for number, item in enumerate(_expect((list, tuple), data, at))]
        return tuple(items) if origin is tuple else items
    if origin is dict:
        return dict(_expect((Mapping,), data, at))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _member(kind, data, at)
    if dataclasses.is_dataclass(kind):
        return _decode_fields(typing.cast(type, kind), _expect((Mapping,), data, at), at)
    return _expect((kind, int) if kind is float else (kind,), data, at) if kind in (str, bool, int, float) else data


def _decode_fields(kind: type, data: Mapping[str, Any], at: str) -> Any:
    for name, default in _fields(kind):
        if default is dataclasses.MISSING and name not in data:
            raise UsageError(f'{at} cannot be read: "{name}" is missing')
    hints = _hints(kind)
    return kind(**{key: _decode(hints[key], item, f"{at}.{key}") for key, item in data.items() if key in hints})


def _decode_union(options: tuple[Any, ...], data: Any, at: str) -> Any:
    if data is None and type(None) in options:
        return None
    for option in options:
        holds_names = dataclasses.is_dataclass(option) or typing.get_origin(option) is dict
        if holds_names == isinstance(data, Mapping) and option is not type(None):
            return _decode(option, data, at)
    raise UsageError(f"{at} cannot be read: {type(data).__name__} came")


def _expect(kinds: tuple[type, ...], data: Any, at: str) -> Any:
    if not isinstance(data, kinds):
        names = " or ".join(kind.__name__.lower() for kind in kinds)
        raise UsageError(f"{at} cannot be read: expected {names}, but {type(data).__name__} came")
    return data


def _member(kind: type[enum.Enum], data: Any, at: str) -> enum.Enum:
    values = [member.value for member in kind]
    if data not in values:
        raise UsageError(f"{at} cannot be read: expected one of {', '.join(map(str, values))}, but {data!r:.80} came")
    return kind(data)


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, _default(field)) for field in dataclasses.fields(kind))


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
