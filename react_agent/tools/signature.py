"""A function's parameters as a JSON Schema, and JSON arguments as the values its type hints ask for.

In: a function.  Out: a `Signature`.  pydantic builds the schema and converts, through one model per function whose fields
carry neutral names and the parameters' names as aliases, so that a parameter may be called anything.  A parameter that the
model leaves out is left to the function's own default.

This module imports pydantic (slow), so it is itself imported only where a tool is made.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticUndefined

from react_agent.errors import ToolDefinitionError
from react_agent.messages import Json

from .context import RunContext

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Signature:
    """`schema` of the arguments; `bind` turns JSON arguments into keyword arguments; `context` names the injected one.

    `bind` raises ValueError, in one sentence, for arguments that satisfy the schema and still cannot be converted.
    """

    schema: Json
    bind: Callable[[Json], dict[str, Any]]
    context: str | None


class _Schema(GenerateJsonSchema):
    """Defaults that are no JSON are left out in silence: the function has them anyway.  A set may be written with an item
    twice: it is the same set."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

    def set_schema(self, schema: Any) -> Json:
        return _without_unique(super().set_schema(schema))

    def frozenset_schema(self, schema: Any) -> Json:
        return _without_unique(super().frozenset_schema(schema))


def _without_unique(schema: Json) -> Json:
    return {name: value for name, value in schema.items() if name != "uniqueItems"}


def read_signature(function: Callable[..., Any], tool: str, docs: Mapping[str, str]) -> Signature:
    """The signature of `function`; `docs` describes parameters whose hints carry no description.

    Raises:
        ToolDefinitionError: a parameter cannot be passed by name, or a type cannot be resolved or described.
    """
    hints = _hints(function, tool)
    parameters = _parameters(function, tool)
    context = _context_in(hints, parameters)
    fields = {p.name: _field(p, hints.get(p.name, Any), docs.get(p.name)) for p in parameters if p.name != context}
    model = _model(fields, tool)
    schema = _described(lambda: model.model_json_schema(schema_generator=_Schema), fields, tool)
    return Signature(schema, _binder(model, [p.name for p in parameters if not _has_own_default(p)]), context)


def context_parameter(function: Callable[..., Any]) -> str | None:
    """The name of the parameter of type RunContext of a function whose other parameters do not matter."""
    try:
        return _context_in(_hints(function, ""), inspect.signature(function).parameters.values())
    except (ToolDefinitionError, ValueError, TypeError):
        return None


def model_schema(model: type, tool: str) -> tuple[Json, Callable[[Json], Any]]:
    """The schema of a pydantic model, dataclass or TypedDict, and the function that builds one from JSON arguments.

    Raises:
        ToolDefinitionError: pydantic has no schema for it.
    """
    fields = {model.__name__: (model, FieldInfo())}
    adapter: pydantic.TypeAdapter[Any] = _described(lambda: pydantic.TypeAdapter(model), fields, tool)
    return _described(lambda: adapter.json_schema(schema_generator=_Schema), fields, tool), _told(adapter.validate_python)


# --- reading the function --------------------------------------------------------------------------------------------


def _parameters(function: Callable[..., Any], tool: str) -> list[inspect.Parameter]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        raise ToolDefinitionError(f'tool "{tool}": its parameters cannot be read; use Tool.from_schema') from None
    for parameter in parameters:
        if parameter.kind not in _BY_NAME:
            raise ToolDefinitionError(
                f'tool "{tool}": the {parameter.kind.description} parameter "{parameter.name}" cannot be described to a model; '
                "let each parameter be passed by name, or use Tool.from_schema"
            )
    if parameters and parameters[0].name in ("self", "cls"):
        raise ToolDefinitionError(f'tool "{tool}" is a method: make the tool of the bound method, tool(object.method)')
    return parameters


def _hints(function: Callable[..., Any], tool: str) -> dict[str, Any]:
    hinted: Any = function.func if isinstance(function, functools.partial) else function
    if not inspect.isroutine(hinted):
        hinted = type(hinted).__call__
    try:
        return typing.get_type_hints(hinted, localns=_local_names(hinted), include_extras=True)
    except NameError as error:
        raise ToolDefinitionError(
            f'tool "{tool}": the type "{error.name}" cannot be found; define or import it at the top of its module'
        ) from None
    except Exception as error:  # a hint given as text may be any expression
        raise ToolDefinitionError(f'tool "{tool}": its type hints cannot be read: {error}') from None


def _context_in(hints: Mapping[str, Any], parameters: typing.Iterable[inspect.Parameter]) -> str | None:
    return next((p.name for p in parameters if _bare(hints.get(p.name)) is RunContext), None)


def _bare(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint


def _local_names(function: Any) -> dict[str, Any]:
    """The names where `function` is defined, if that is in a function which is still running: a hint given as text may mean
    one of them."""
    outer, local, _ = function.__qualname__.rpartition(".<locals>.")
    frame = inspect.currentframe() if local else None
    while frame is not None:
        if frame.f_code.co_name == outer.rpartition(".")[2] and frame.f_globals.get("__name__") == function.__module__:
            return frame.f_locals
        frame = frame.f_back
    return {}


# --- building the model ----------------------------------------------------------------------------------------------


_Field = tuple[Any, Any]  # a type hint and a pydantic FieldInfo, which pydantic types as Any


def _field(parameter: inspect.Parameter, hint: Any, doc: str | None) -> _Field:
    """The hint and the field of a parameter.  A default of None makes it nullable; a default may be a pydantic Field."""
    default = parameter.default
    if isinstance(default, FieldInfo):
        hint = Annotated[hint, default]
    about = next(_descriptions(hint), doc)
    if default is parameter.empty or isinstance(default, FieldInfo):
        default = PydanticUndefined
    nullable = default is None and hint is not Any
    return hint | None if nullable else hint, pydantic.Field(default, alias=parameter.name, description=about)


def _descriptions(hint: Any) -> Iterator[str]:
    """Of `Annotated[..., Field(description="doc")]`, `Annotated[..., "doc"]`, `Annotated[..., Doc("doc")]`, also in a union."""
    for note in getattr(hint, "__metadata__", ()):
        doc = note if isinstance(note, str) else getattr(note, "description", None) or getattr(note, "documentation", None)
        if isinstance(doc, str):
            yield doc
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        for part in typing.get_args(hint):
            yield from _descriptions(part)


def _model(fields: Mapping[str, _Field], tool: str) -> type[pydantic.BaseModel]:
    neutral: dict[str, Any] = {f"p{number}": field for number, field in enumerate(fields.values())}
    config = pydantic.ConfigDict(extra="forbid")

    def make() -> type[pydantic.BaseModel]:
        return pydantic.create_model("Arguments", __config__=config, **neutral)

    return _described(make, fields, tool)


T = typing.TypeVar("T")


def _described(make: Callable[[], T], fields: Mapping[str, _Field], tool: str) -> T:
    try:
        return make()
    except PydanticUserError as error:
        name = next((name for name, (hint, _) in fields.items() if not _has_schema(hint)), "")
        raise ToolDefinitionError(
            f'tool "{tool}": the type of "{name}" cannot be described by JSON Schema: {str(error).splitlines()[0]}'
        ) from None


def _has_schema(hint: Any) -> bool:
    try:
        pydantic.TypeAdapter(hint).json_schema(schema_generator=_Schema)
    except PydanticUserError:
        return False
    return True


# --- converting arguments --------------------------------------------------------------------------------------------


def _has_own_default(parameter: inspect.Parameter) -> bool:
    """Whether the function itself has a value for it, which one in a pydantic Field is not."""
    return parameter.default is not parameter.empty and not isinstance(parameter.default, FieldInfo)


def _binder(model: type[pydantic.BaseModel], always: list[str]) -> Callable[[Json], dict[str, Any]]:
    """`always` are the parameters for which the function has no value, so that pydantic has to supply it."""
    names = {field: str(info.alias) for field, info in model.model_fields.items()}
    validate = _told(model.model_validate)

    def bind(arguments: Json) -> dict[str, Any]:
        values = validate(arguments)
        wanted = {field: name for field, name in names.items() if field in values.model_fields_set or name in always}
        return {name: getattr(values, field) for field, name in wanted.items()}

    return bind


def _told(validate: Callable[[Any], T]) -> Callable[[Any], T]:
    """`validate`, with its errors in one sentence."""

    def told(arguments: Any) -> T:
        try:
            return validate(arguments)
        except pydantic.ValidationError as error:
            raise ValueError("; ".join(_sentences(error))) from None

    return told


def _sentences(error: pydantic.ValidationError) -> Iterator[str]:
    for part in error.errors(include_url=False, include_context=False)[:5]:
        yield f'"{".".join(map(str, part["loc"]))}": {part["msg"]}' if part["loc"] else part["msg"]
