"""What a tool says of itself, and what its function gets; the types stand at module level, as hints are resolved there."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pydantic
import pytest
from typing_extensions import TypedDict

from react_agent.errors import SchemaError, ToolDefinitionError
from react_agent.messages import Call, ToolSpec
from react_agent.schema import checker
from react_agent.tools import RunContext, Tool, Toolbox, as_tool, tool


class Unit(enum.Enum):
    CELSIUS = "C"
    FAHRENHEIT = "F"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Order(pydantic.BaseModel):
    """An order."""

    number: str = pydantic.Field(description="On the receipt.", pattern="^[A-Z]\\d+$")
    due: datetime.date | None = None


class Pair(TypedDict):
    left: int
    right: int


class Tree(pydantic.BaseModel):
    name: str
    kids: list[Tree] = []


class Opaque:
    pass


def run(made: Tool, arguments: dict[str, Any], context: RunContext = RunContext()) -> Any:  # noqa: B008
    assert checker(made.parameters).ok(arguments)
    return made.call(arguments, context)


def parameter(made: Tool) -> Any:
    (only,) = made.parameters["properties"].values()
    return only


# --- from a function -------------------------------------------------------------------------------------------------


def test_name_description_and_parameters_come_from_the_function() -> None:
    @tool
    def add(a: int, b: int = 2) -> int:
        """Add two numbers.

        Args:
            a: The first.
        """
        return a + b

    assert add.spec == ToolSpec(
        "add",
        "Add two numbers.",
        {
            "type": "object",
            "properties": {"a": {"type": "integer", "description": "The first."}, "b": {"type": "integer", "default": 2}},
            "required": ["a"],
            "additionalProperties": False,
        },
    )
    assert (add.name, add.description, add.parameters) == ("add", "Add two numbers.", add.spec.parameters)


def test_a_tool_is_callable_like_the_function() -> None:
    @tool
    def add(a: int, b: int = 2) -> int:
        return a + b

    assert add(1) == 3
    assert add(1, b=5) == 6


def test_name_description_and_flags_may_be_given() -> None:
    @tool(name="查 天气", description="当用户询问天气时调用。", dangerous=True, returns_answer=True)
    def weather(城市: str) -> str:  # noqa: N803
        return 城市

    assert (weather.name, weather.description) == ("查 天气", "当用户询问天气时调用。")
    assert weather.dangerous
    assert weather.returns_answer
    assert not weather.pure
    assert not weather.repeatable
    assert run(weather, {"城市": "北京"}) == "北京"


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


def test_a_parameter_left_out_keeps_the_functions_own_default() -> None:
    unique = object()

    @tool
    def take(value: int | None = None, other: Any = unique) -> Any:
        return value, other

    assert run(take, {}) == (None, unique)
    assert "default" not in take.parameters["properties"]["other"]


def test_a_default_of_none_makes_a_parameter_nullable() -> None:
    @tool
    def take(value: Annotated[int, "A number."] = None) -> Any:  # noqa: RUF013
        return value

    assert parameter(take) == {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "description": "A number."}


def test_parameters_may_have_any_name() -> None:
    @tool
    def take(model_config: int, _private: int, schema: int, json: int, 城市: int) -> Any:  # noqa: N803
        return [model_config, _private, schema, json, 城市]

    names = ["model_config", "_private", "schema", "json", "城市"]
    assert run(take, {name: number for number, name in enumerate(names)}) == [0, 1, 2, 3, 4]
    assert take.parameters["required"] == names


def test_parameters_without_hints_take_anything() -> None:
    @tool
    def take(value, other=5):
        return value, other

    assert run(take, {"value": {"a": [1]}}) == ({"a": [1]}, 5)


def test_types_that_contain_themselves() -> None:
    @tool
    def take(tree: Tree) -> Any:
        return tree

    assert run(take, {"tree": {"name": "a", "kids": [{"name": "b"}]}}) == Tree(name="a", kids=[Tree(name="b")])
    assert not checker(take.parameters).ok({"tree": {"name": "a", "kids": [{}]}})


def test_keyword_only_parameters_methods_partials_and_callable_objects() -> None:
    class Shop:
        def find(self, *, number: int) -> int:
            """Find an order."""
            return number

        def __call__(self, number: int) -> int:
            return number

    def scale(value: int, by: int) -> int:
        """Scale a number."""
        return value * by

    assert run(tool(Shop().find), {"number": 1}) == 1
    assert tool(Shop().find).description == "Find an order."
    assert tool(Shop()).name == "Shop"
    assert run(tool(Shop()), {"number": 1}) == 1
    doubled = tool(functools.partial(scale, by=2))
    assert (doubled.name, doubled.description) == ("scale", "Scale a number.")
    assert run(doubled, {"value": 4}) == 8


def test_a_wrapped_function_is_read_through_its_wrapper() -> None:
    def logged(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return inner

    @tool
    @logged
    def double(number: int) -> int:
        """Double it."""
        return 2 * number

    assert double.spec.parameters["required"] == ["number"]
    assert run(double, {"number": 2}) == 4


def test_async_functions() -> None:
    class Remote:
        async def __call__(self, number: int) -> int:
            return number

    @tool
    async def fetch(number: int) -> int:
        return number

    assert fetch.is_async
    assert tool(Remote()).is_async
    assert tool(functools.partial(fetch.function, number=1)).is_async
    waiting = fetch.call({"number": 1}, RunContext())
    assert inspect.iscoroutine(waiting)
    waiting.close()


def test_the_context_is_filled_in_and_not_shown() -> None:
    @tool
    def whoami(context: RunContext, greeting: str) -> str:
        return f"{greeting} {context.deps} {context.run_id} {context.step}"

    assert list(whoami.parameters["properties"]) == ["greeting"]
    assert run(whoami, {"greeting": "hello"}, RunContext("r1", 3, "Lin")) == "hello Lin r1 3"


def test_a_model_cannot_write_the_context() -> None:
    @tool
    def whoami(context: RunContext) -> str:
        return str(context.deps)

    made = Toolbox([whoami])
    assert made.run(Call("whoami", {"context": {"deps": "root"}})).status == "error"


# --- from a schema, from a model --------------------------------------------------------------------------------------


def test_a_tool_from_a_schema() -> None:
    schema = {"title": "T", "properties": {"a": {"type": "integer"}, "b c": {"type": "string"}}, "required": ["a"]}
    made = Tool.from_schema("加", "Adds.", schema, lambda **arguments: arguments, pure=True)
    assert made.spec == ToolSpec("加", "Adds.", {"type": "object", **{k: schema[k] for k in ("properties", "required")}})
    assert made.pure
    assert run(made, {"a": 1, "b c": "x"}) == {"a": 1, "b c": "x"}


def test_a_tool_from_a_schema_may_want_the_context() -> None:
    def answer(context: RunContext, a: int) -> Any:
        return a, context.deps

    made = Tool.from_schema("answer", "", {"properties": {"a": {"type": "integer"}}}, answer)
    assert run(made, {"a": 1}, RunContext(deps="d")) == (1, "d")


def test_a_tool_from_a_model() -> None:
    made = Tool.from_model(Order, lambda order: order.due, repeatable=True)
    assert (made.name, made.description) == ("Order", "An order.")
    assert made.parameters["required"] == ["number"]
    assert run(made, {"number": "A1", "due": "2024-05-01"}) == datetime.date(2024, 5, 1)


def test_a_tool_from_a_dataclass_with_a_name_and_the_context() -> None:
    def locate(point: Point, context: RunContext) -> Any:
        return point, context.step

    made = Tool.from_model(Point, locate, name="locate", description="Where it is.")
    assert (made.name, made.description) == ("locate", "Where it is.")
    assert run(made, {"x": 2}, RunContext(step=4)) == (Point(2), 4)


# --- what cannot be a tool -------------------------------------------------------------------------------------------


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
