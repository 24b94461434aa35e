"""Type hints as schemas, and the values that a function gets; the types stand at module level, as hints are resolved there."""

from __future__ import annotations

import datetime
import enum
from typing import Annotated, Any, Literal

import pydantic
import pytest
from typing_extensions import TypedDict

from react_agent.messages import Call
from react_agent.schema import checker
from react_agent.tools import Tool, Toolbox, tool
from tests.tools.making import Order, Point, parameter, run


class Unit(enum.Enum):
    CELSIUS = "C"
    FAHRENHEIT = "F"


class Pair(TypedDict):
    left: int
    right: int


class Tree(pydantic.BaseModel):
    name: str
    kids: list[Tree] = []


HINTS = [
    (str, {"type": "string"}, "a", "a"),
    (int, {"type": "integer"}, 1, 1),
    (float, {"type": "number"}, 1, 1.0),
    (bool, {"type": "boolean"}, True, True),
    (Literal["a", "b"], {"enum": ["a", "b"], "type": "string"}, "a", "a"),
    (Unit, {"enum": ["C", "F"], "type": "string"}, "F", Unit.FAHRENHEIT),
    (str | None, {"anyOf": [{"type": "string"}, {"type": "null"}]}, None, None),
    (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "5", "5"),
    (list[int], {"type": "array", "items": {"type": "integer"}}, [1, 2], [1, 2]),
    (set[int], {"type": "array", "items": {"type": "integer"}}, [1, 2, 1], {1, 2}),
    (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}, {"a": 1}, {"a": 1.0}),
    (
        tuple[int, str],
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        [1, "a"],
        (1, "a"),
    ),
    (datetime.date, {"type": "string", "format": "date"}, "2024-02-29", datetime.date(2024, 2, 29)),
    (
        datetime.datetime,
        {"type": "string", "format": "date-time"},
        "2024-02-29 10:30",
        datetime.datetime(2024, 2, 29, 10, 30),
    ),
    (
        Point,
        {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
            "required": ["x"],
            "additionalProperties": False,
        },
        {"x": 1},
        Point(1),
    ),
    (
        Order,
        {
            "type": "object",
            "description": "An order.",
            "properties": {
                "number": {"type": "string", "description": "On the receipt.", "pattern": "^[A-Z]\\d+$"},
                "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            },
            "required": ["number"],
        },
        {"number": "A1", "due": "2024-05-01"},
        Order(number="A1", due=datetime.date(2024, 5, 1)),
    ),
    (
        Pair,
        {
            "type": "object",
            "properties": {"left": {"type": "integer"}, "right": {"type": "integer"}},
            "required": ["left", "right"],
        },
        {"left": 1, "right": 2},
        {"left": 1, "right": 2},
    ),
    (Annotated[int, pydantic.Field(ge=1, le=5)], {"type": "integer", "minimum": 1, "maximum": 5}, 5, 5),
    (Any, {}, [1], [1]),
]


@pytest.mark.parametrize(("hint", "schema", "written", "received"), HINTS, ids=str)
def test_type_hints(hint: Any, schema: dict[str, Any], written: object, received: object) -> None:
    def take(value: Any) -> Any:
        return value

    take.__annotations__ = {"value": hint}
    made = tool(take)
    described = {key: value for key, value in parameter(made).items() if key != "additionalProperties" or hint is not Pair}
    assert described == schema
    got = run(made, {"value": written})
    assert got == received
    assert type(got) is type(received)


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[str, "Which city."],
        Annotated[str, pydantic.Field(description="Which city.")],
        Annotated[str, pydantic.Field(min_length=1), "Which city."],
        Annotated[str, "Which city."] | None,
    ],
    ids=str,
)
def test_annotated_text_describes_a_parameter(hint: Any) -> None:
    def take(city: Any, other: str = "") -> None:
        """Take.

        Args:
            city: Not this.
            other: But this.
        """

    take.__annotations__["city"] = hint
    properties = tool(take).parameters["properties"]
    assert properties["city"]["description"] == "Which city."
    assert properties["other"]["description"] == "But this."


def test_a_pydantic_field_as_default() -> None:
    @tool
    def take(count: int = pydantic.Field(3, ge=1, description="How many."), name: str = pydantic.Field()) -> Any:
        return count, name

    assert take.parameters["properties"]["count"] == {"type": "integer", "minimum": 1, "default": 3, "description": "How many."}
    assert take.parameters["required"] == ["name"]
    assert run(take, {"name": "a"}) == (3, "a")


@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_set_may_be_written_with_an_item_twice(kind: Any) -> None:
    def take(tags: Any) -> Any:
        return tags

    take.__annotations__["tags"] = kind[str]
    made = tool(take)
    assert made.parameters["properties"]["tags"] == {"type": "array", "items": {"type": "string"}}
    call = Call("take", {"tags": ["a", "b", "a"]})
    assert Toolbox([made]).run(call).content == '["a", "b"]'


def test_a_hint_may_name_a_type_of_the_function_around() -> None:
    class Order(pydantic.BaseModel):
        number: int

    @tool
    def take(order: Order, others: list[Order] | None = None) -> Any:
        return order.number

    def make() -> Tool:
        return tool(take.function, name="made")

    assert Toolbox([make()]).run(Call("made", {"order": {"number": 7}})).content == "7"


def test_a_default_in_the_hint_alone() -> None:
    @tool
    def take(
        rows: Annotated[list[int], pydantic.Field(default_factory=lambda: [1])],
        count: Annotated[int, pydantic.Field(default=3)],
        other: Annotated[int, pydantic.Field(ge=1)] = 5,
    ) -> Any:
        return rows, count, other

    assert take.parameters["required"] == []
    assert run(take, {}) == ([1], 3, 5)
    assert run(take, {"rows": [], "count": 1}) == ([], 1, 5)


def test_types_that_contain_themselves() -> None:
    @tool
    def take(tree: Tree) -> Any:
        return tree

    assert run(take, {"tree": {"name": "a", "kids": [{"name": "b"}]}}) == Tree(name="a", kids=[Tree(name="b")])
    assert not checker(take.parameters).ok({"tree": {"name": "a", "kids": [{}]}})
