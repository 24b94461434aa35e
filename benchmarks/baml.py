"""BAML's schema-aligned parser with types made from the tools at run time, for `peers`.

For each set of tools one BAML source is written: a class for the arguments of each tool, one for a call of it, and a function
that gives a list of calls.  Only its parser of replies is used, no model is asked.
"""

from __future__ import annotations

import functools
import json
from types import ModuleType
from typing import Any

from baml_py import BamlCtxManager, BamlRuntime  # type: ignore[import-not-found,unused-ignore]  # of the extra `peers`
from pydantic import BaseModel, ConfigDict

_SCALARS = {"string": "string", "integer": "int", "number": "float", "boolean": "bool"}
_ANY = "string | int | float | bool"
_CLIENT = 'client<llm> C {\n provider openai\n options {\n model "m"\n api_key "k"\n }\n}'


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Classes(ModuleType):
    """Every class that BAML asks for by name is the same open one."""

    def __getattr__(self, name: str) -> type[_Open]:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Open


class _Source:
    def __init__(self) -> None:
        self.classes: list[str] = []

    def type_of(self, schema: dict[str, Any], name: str) -> str:
        kind = schema.get("type")
        if kind == "object" and schema.get("properties"):
            return self.class_of(schema, name)
        if kind == "array":
            return f"({self.type_of(schema.get('items', {}), name + 'i')})[]"
        return _SCALARS.get(str(kind), f"map<string, {_ANY}>" if kind == "object" else f"({_ANY})")

    def class_of(self, schema: dict[str, Any], name: str) -> str:
        required, lines = schema.get("required") or (), []
        for index, (key, inner) in enumerate(schema.get("properties", {}).items()):
            optional = "" if key in required else "?"
            lines.append(f" f{index} {self.type_of(inner, f'{name}_{index}')}{optional} @alias({json.dumps(key)})")
        self.classes.append(f"class {name} {{\n" + "\n".join(lines) + "\n}")
        return name


@functools.lru_cache(maxsize=64)
def _compiled(tools: str) -> tuple[Any, Any]:
    source, calls = _Source(), []
    for index, tool in enumerate(json.loads(tools)):
        arguments = source.class_of(tool["parameters"], f"Args{index}")
        source.classes.append(f"class Call{index} {{\n name {json.dumps(tool['name'])}\n arguments {arguments}\n}}")
        calls.append(f"Call{index}")
    function = f'function F(q: string) -> ({" | ".join(calls)})[] {{\n client C\n prompt #"{{{{ q }}}}"#\n}}'
    runtime = BamlRuntime.from_files("baml", {"a.baml": "\n".join([*source.classes, _CLIENT, function])}, {})
    return runtime, BamlCtxManager(runtime)


def _plain(value: Any, schema: dict[str, Any]) -> Any:
    """The value with the names of the schema; what is absent is left out."""
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if isinstance(value, list):
        return [_plain(item, schema.get("items", {})) for item in value]
    names = list(schema.get("properties", {}))
    if not isinstance(value, dict) or not names:
        return value
    known = {name: value.get(f"f{index}") for index, name in enumerate(names)}
    return {name: _plain(item, schema["properties"][name]) for name, item in known.items() if item is not None}


def reader() -> Any:
    """Reads a reply into (name, arguments) pairs; no reply that BAML refuses holds a call."""
    classes = _Classes("classes")

    def read(text: str, tools: list[dict[str, Any]]) -> list[tuple[str, Any]]:
        runtime, context = _compiled(json.dumps(tools))
        schemas = {tool["name"]: tool["parameters"] for tool in tools}
        try:
            found = runtime.parse_llm_response(
                "F", text, classes, classes, classes, False, context.clone_context(), None, None, {}
            )
        except Exception as error:
            if "Validation" in type(error).__name__ or "Failed to" in str(error):
                return []
            raise
        calls = [call.model_dump() for call in found or []]
        return [(call["name"], _plain(call["arguments"], schemas[call["name"]])) for call in calls]

    return read
