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

T = TypeVar("T")
_Unions = (typing.Union, types.UnionType)


def encode(value: Any) -> Any:
    """The plain form of `value`; fields that equal their default are left out."""
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
    """The value of type `kind` whose plain form is `data`; unknown keys are ignored, so older readers go on working."""
    return typing.cast(T, _decode(kind, data))


def _decode(kind: Any, data: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in _Unions:
        return _decode_union(typing.get_args(kind), data)
    if origin is tuple:
        return tuple(_decode(typing.get_args(kind)[0], item) for item in data)
    if origin is list:
        return [_decode(typing.get_args(kind)[0], item) for item in data]
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(data)
    if dataclasses.is_dataclass(kind):
        hints = _hints(typing.cast(type, kind))
        build = typing.cast(typing.Callable[..., Any], kind)
        return build(**{key: _decode(hints[key], item) for key, item in data.items() if key in hints})
    return data


def _decode_union(options: tuple[Any, ...], data: Any) -> Any:
    if data is None and type(None) in options:
        return None
    for option in options:
        if dataclasses.is_dataclass(option) == isinstance(data, dict) and option is not type(None):
            return _decode(option, data)
    return data


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
