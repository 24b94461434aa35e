"""Tools named on a command line: `module:attr`, `module` or `file.py:attr`.

In: the text.  Out: the tools.  What is found may be a tool, a function, a list of these, or a function that gives such a list.
Modules are looked for in the working directory first, as `python -m` does.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import typing
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from react_agent.errors import UsageError

from .spec import Tool
from .toolbox import Toolbox, as_tool

_NAME = re.compile(r"([^:].*?)(?::([^\W\d]\w*))?")  # the colon of a drive (C:\) is followed by no name


def load(name: str) -> list[Tool]:
    """The tools that `name` stands for; a module alone stands for all `Tool`s at its top level.

    Raises:
        UsageError: there is no such module or attribute, its code fails or ends the program, or it holds no tool.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(f'tools are named as "module:attr" or "file.py:attr", but {name!r} came')
    source, attribute = found.groups()
    module = _import(source)
    return _tools_at(module, source, attribute) if attribute else _tools_of(module, source)


def _tools_of(module: ModuleType, source: str) -> list[Tool]:
    found = [value for value in vars(module).values() if isinstance(value, Tool)]
    if not found:
        raise UsageError(f'"{source}" holds no tool; mark a function with @tool, or name one: "{source}:function"')
    return list(dict.fromkeys(found))


def _tools_at(module: ModuleType, source: str, attribute: str) -> list[Tool]:
    if not hasattr(module, attribute):
        there = ", ".join(key for key, value in vars(module).items() if isinstance(value, Tool)) or "none"
        raise UsageError(f'"{source}" has no "{attribute}"; its tools are: {there}')
    value = getattr(module, attribute)
    if inspect.isfunction(value) and _gives_tools(value):
        with _told(f'"{source}:{attribute}" gives no tools'):
            value = value()
    items: Iterable[Any] = value if isinstance(value, (list, tuple, Toolbox)) else [value]
    return [as_tool(item) for item in items]


def _gives_tools(function: FunctionType) -> bool:
    try:
        return typing.get_type_hints(function).get("return") == list[Tool]
    except Exception:  # a hint that cannot be resolved names no list of tools
        return False


def _import(source: str) -> ModuleType:
    with _told(f'"{source}" cannot be imported'):
        return _import_file(Path(source)) if source.endswith(".py") else _import_module(source)


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Whatever the user's code raises, in one sentence; a module that ends the program has not been asked to."""
    try:
        yield
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        raise UsageError(f"{what}: {type(error).__name__}: {error}".removesuffix(": ")) from error


def _import_module(name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise UsageError(f'there is no module "{error.name}", neither installed nor in this folder') from None


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f'there is no file "{path}"')
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UsageError(f'"{path}" is not a Python file')
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # dataclasses and pickle look their module up
    spec.loader.exec_module(module)
    return module
