"""What a tool says of itself, and what its function gets."""

from __future__ import annotations

import datetime
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

from react_agent.messages import Call, ToolSpec
from react_agent.tools import RunContext, Tool, Toolbox, tool
from tests.tools.making import Order, Point, parameter, run


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
