"""What cannot be a tool is refused in one sentence."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from react_agent.errors import SchemaError, ToolDefinitionError
from react_agent.tools import Tool, as_tool, tool
from tests.tools.making import Order, Point


class Opaque:
    pass


def yields(a: int) -> Any:
    yield a


def takes_many(*values: int) -> None: ...


def takes_any(a: int, **rest: int) -> None: ...


def takes_by_place(a: int, /) -> None: ...


def unknown_type(a: Missing) -> None: ...  # noqa: F821


def hinted_by_nonsense(a: "no type") -> None: ...  # noqa: F722


def hinted_by_no_attribute(a: datetime.nothing) -> None: ...


def no_schema(good: int, bad: Opaque) -> None: ...


def takes_a_function(bad: Callable[[int], int]) -> None: ...


class Holder:
    def method(self, a: int) -> None: ...


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: tool(takes_many), ['"takes_many"', 'variadic positional parameter "values"']),
        (lambda: tool(takes_any), ['"takes_any"', 'variadic keyword parameter "rest"']),
        (lambda: tool(takes_by_place), ['"takes_by_place"', 'positional-only parameter "a"']),
        (lambda: tool(yields), ['"yields"', "list"]),
        (lambda: tool(unknown_type), ['"unknown_type"', '"Missing"']),
        (lambda: tool(hinted_by_nonsense), ['"hinted_by_nonsense"', "type hints"]),
        (lambda: tool(hinted_by_no_attribute), ['"hinted_by_no_attribute"', "type hints"]),
        (lambda: tool(Order), ['"Order"', "Tool.from_model(Order, function)"]),
        (lambda: tool(name="buy")(Order), ['"buy"', "Tool.from_model(Order, function)"]),
        (lambda: tool(functools.partial(Point, y=1)), ['"Point"', "Tool.from_model(Point, function)"]),
        (lambda: tool(Holder), ['"Holder"', "a function is expected"]),
        (lambda: as_tool(Order), ['"Order"', "Tool.from_model"]),
        (lambda: tool(no_schema), ['"no_schema"', '"bad"']),
        (lambda: tool(takes_a_function), ['"takes_a_function"', '"bad"']),
        (lambda: tool(Holder.method), ['"method"', "bound method"]),
        (lambda: tool(lambda a: a), ["lambda", "name="]),
        (lambda: tool(dict, name="d"), ['"d"']),
        (lambda: tool(5, name="five"), ['"five"', "int"]),
        (lambda: tool(takes_many, name=""), ["name", "''"]),
        (lambda: tool(takes_many, name="a\nb"), ["name", "printable"]),
        (lambda: tool(takes_many, name="x" * 200), ["name", "128"]),
        (lambda: Tool.from_schema("", "", {}, print), ["name"]),
        (lambda: Tool.from_schema("t", "", {}, None), ['"t"', "function"]),
        (lambda: Tool.from_schema("t", "", {"type": "objekt"}, print), ['"t"', "objekt"]),
        (lambda: Tool.from_schema("t", "", {"type": "array"}, print), ['"t"', "object"]),
        (lambda: Tool.from_model(Opaque, print), ['"Opaque"', "JSON Schema"]),
        (lambda: Tool.from_model(pydantic.RootModel[list[int]], print, name="m"), ['"m"', "object"]),
    ],
)
def test_what_cannot_be_a_tool_is_refused_in_one_sentence(make: Callable[[], Tool], parts: list[str]) -> None:
    with pytest.raises((ToolDefinitionError, SchemaError)) as caught:
        make()
    message = str(caught.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message


def test_an_unknown_flag_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="purr"):
        tool(lambda: None, name="cat", purr=True)
