"""A `Tool`: what the model is told, and how a call of it is run.

In: a function (`@tool`), a JSON Schema (`Tool.from_schema`) or a pydantic model (`Tool.from_model`).  Out: a frozen `Tool`.
The rule: what can be wrong with a tool is found here, when it is made, in one sentence that names it.
Checking and running calls is left to `toolbox`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, overload

from react_agent.errors import SchemaError, ToolDefinitionError, UsageError
from react_agent.expected import Expected, check, flag, number, or_none, whole
from react_agent.messages import Json, ToolSpec
from react_agent.schema import clean

from .context import RunContext
from .docstring import read_docstring

if TYPE_CHECKING:
    from typing_extensions import Unpack

MAX_NAME = 128


class Flags(TypedDict, total=False):
    """What the engine and the toolbox may have to know of a tool.

    `dangerous`: a call must be beyond doubt and may need approval.  `pure`: equal arguments give an equal result, which may be
    remembered, and nothing else happens.  `repeatable`: the same call may be made again, as often as `max_steps` and
    `max_calls` allow (a clock, the status of a job).
    `returns_answer`: its result is the answer of the run, whole, up to a million characters; the results of several such calls
    are the answer one below the other.  All are False by default.

    `timeout`: seconds for a call with its repetitions; then an async tool is cancelled and a sync one left alone in its thread,
    and the model is told.  `retry_on`: exceptions that may pass, besides `Transient`.  `retries`: how often a call that met one
    is repeated (2), with waits that double.  `max_calls`: how often it may run in one run; None sets no limit.
    `parallel`: whether it may run at the same time as other calls of the same reply.  None means yes, but not for dangerous
    tools, nor in a sync run for sync tools that are not pure: these run in the caller's thread, one after the other.
    """

    dangerous: bool
    pure: bool
    repeatable: bool
    returns_answer: bool
    timeout: float | None
    retry_on: tuple[type[Exception], ...]
    retries: int
    max_calls: int | None
    parallel: bool | None


@dataclass(frozen=True, eq=False)
class Tool:
    """Something a model may call; make one by `@tool`, `Tool.from_schema` or `Tool.from_model`.

    `call(arguments, context)` takes JSON arguments that satisfy `parameters`; it gives the result or something to await,
    and raises what the tool raises.  `function` is what was wrapped, and calling the tool calls it as it is.  The flags are
    described in `Flags`.  `takes_context`: it asks for a `RunContext`, so its result may hang on more than its arguments.
    """

    spec: ToolSpec
    call: Callable[[Json, RunContext], Any] = field(repr=False)
    function: Callable[..., Any] = field(repr=False)
    dangerous: bool = False
    pure: bool = False
    repeatable: bool = False
    returns_answer: bool = False
    timeout: float | None = None
    retry_on: tuple[type[Exception], ...] = ()
    retries: int = 2
    max_calls: int | None = None
    parallel: bool | None = None
    takes_context: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        _check_flags(self)

    @property
    def name(self) -> str:
        """Its name, unique in a toolbox; it may be in any script and contain blanks."""
        return self.spec.name

    @property
    def description(self) -> str:
        """What it does and when to use it, for the model."""
        return self.spec.description

    @property
    def parameters(self) -> Json:
        """The JSON Schema of its arguments, cleaned for weak models."""
        return self.spec.parameters

    @property
    def is_async(self) -> bool:
        """True when it runs on an event loop."""
        return inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(type(self.function).__call__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the wrapped function as if it were not wrapped: no check, no conversion, no injected context."""
        return self.function(*args, **kwargs)

    @classmethod
    def from_schema(
        cls,
        name: str,
        description: str,
        parameters: Mapping[str, Any],
        run: Callable[..., Any],
        **flags: Unpack[Flags],
    ) -> Tool:
        """A tool described by a JSON Schema of type object; `run` gets the arguments as keywords, unconverted.

            Tool.from_schema("add", "Adds two numbers.", {"properties": {"a": {"type": "number"}, ...}}, run=add)

        Raises:
            SchemaError: `parameters` is not a valid schema of an object.
            ToolDefinitionError: the name is not usable, or `run` is not a function.
        """
        context = _context_of(run, name)

        def call(arguments: Json, given: RunContext) -> Any:
            return run(**arguments, **dict.fromkeys(context, given))

        return cls(_spec(name, description, parameters), call, run, takes_context=bool(context), **flags)

    @classmethod
    def from_model(
        cls,
        model: type,
        run: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        **flags: Unpack[Flags],
    ) -> Tool:
        """A tool whose arguments are a pydantic model, a dataclass or a TypedDict; `run` gets the instance.

        Name and description are those of the model unless given.

        Raises:
            SchemaError: the model is not an object in JSON (a root model of a list, say).
            ToolDefinitionError: the name is not usable, `run` is not a function, or pydantic has no schema for the model.
        """
        from .signature import model_schema

        title = model.__name__ if name is None else name
        schema, build = model_schema(model, title)
        text = schema.pop("description", "") if description is None else description
        context = _context_of(run, title)

        def call(arguments: Json, given: RunContext) -> Any:
            return run(build(arguments), **dict.fromkeys(context, given))

        return cls(_spec(title, text, schema), call, run, takes_context=bool(context), **flags)


@overload
def tool(
    function: Callable[..., Any], *, name: str | None = None, description: str | None = None, **flags: Unpack[Flags]
) -> Tool: ...


@overload
def tool(
    *, name: str | None = None, description: str | None = None, **flags: Unpack[Flags]
) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    description: str | None = None,
    **flags: Unpack[Flags],
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a tool of a function, sync or async: `@tool`, `@tool(name="查天气")` or `tool(function)`.

    The name, the description and the parameters come from the function: its signature, its type hints and its docstring
    (Google, NumPy or Sphinx style).  A hint `Annotated[str, "text"]` or `Annotated[int, Field(ge=1, description="text")]`
    describes a parameter too.  Arguments reach the function as its hints say: dataclass, pydantic model, datetime, Enum.
    A parameter of type `RunContext` is filled in and not shown.

        @tool
        def get_order(order_id: Annotated[str, "The number on the receipt."]) -> Order:
            \"\"\"Look up an order when the user asks about one.\"\"\"

    Raises:
        ToolDefinitionError: a parameter cannot be described to a model (`*args`, `**kwargs`, a type without schema), the name
            is not usable, or it is a class (`Tool.from_model` makes a tool whose arguments are one).
    """
    if function is None:
        return lambda function: tool(function, name=name, description=description, **flags)
    title = _name_of(function) if name is None else name
    _check_callable(function, title)
    _check_no_class(_inner(function), title)
    _check_name(title)
    return _from_function(function, title, description, flags)


def _from_function(function: Callable[..., Any], name: str, description: str | None, flags: Flags) -> Tool:
    from .signature import read_signature

    docs = read_docstring(inspect.getdoc(_inner(function)))
    signature = read_signature(function, name, docs.parameters)

    def call(arguments: Json, given: RunContext) -> Any:
        keywords = signature.bind(arguments)
        if signature.context:
            keywords[signature.context] = given
        return function(**keywords)

    text = docs.description if description is None else description
    return Tool(_spec(name, text, signature.schema), call, function, takes_context=signature.context is not None, **flags)


def _spec(name: str, description: str, parameters: Mapping[str, Any]) -> ToolSpec:
    _check_name(name)
    try:
        return ToolSpec(name, description.strip(), clean(parameters))
    except SchemaError as error:
        raise SchemaError(f'tool "{name}": {error}') from None


def _name_of(function: Callable[..., Any]) -> str:
    inner = _inner(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def _inner(function: Callable[..., Any]) -> Callable[..., Any]:
    return function.func if isinstance(function, functools.partial) else function


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > MAX_NAME:
        raise ToolDefinitionError(f"a tool's name must have 1 to {MAX_NAME} printable characters, but {name!r:.150} came")
    if name == "<lambda>":
        raise ToolDefinitionError("a tool made of a lambda needs a name: tool(function, name=...)")


def _check_flags(made: Tool) -> None:
    try:
        check(_FLAGS, **{name: getattr(made, name) for name in _FLAGS})
    except UsageError as error:
        raise ToolDefinitionError(f'tool "{made.name}": {error}') from None


def _are_exceptions(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(kind, type) and issubclass(kind, Exception) for kind in value)


_FLAGS = {
    "dangerous": flag,
    "pure": flag,
    "repeatable": flag,
    "returns_answer": flag,
    "timeout": or_none(number(above=0, unit="seconds")),
    "retry_on": Expected("a tuple of exception classes", _are_exceptions),
    "retries": whole(0),
    "max_calls": or_none(whole(1)),
    "parallel": or_none(flag),
}


def _check_callable(run: Any, name: str) -> None:
    if not callable(run):
        raise ToolDefinitionError(f'tool "{name}": a function is expected, but {type(run).__name__} came')
    if inspect.isgeneratorfunction(run) or inspect.isasyncgenfunction(run):
        raise ToolDefinitionError(f'tool "{name}" yields its result in parts: return it as a whole, for example as a list')


def _check_no_class(function: Any, name: str) -> None:
    """A class says what is given, not what is done with it."""
    if inspect.isclass(function):
        kind = function.__name__
        raise ToolDefinitionError(
            f'tool "{name}": a function is expected, but the class {kind} came; to run a function on a {kind}, use '
            f"Tool.from_model({kind}, function)"
        )


def _context_of(run: Callable[..., Any], name: str) -> tuple[str, ...]:
    from .signature import context_parameter

    _check_callable(run, name)
    context = context_parameter(run)
    return (context,) if context else ()
