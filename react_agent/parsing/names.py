"""Which declared tool does a written name mean?

A name matches exactly, or after its decoration is removed: quotes, back-ticks, asterisks, brackets, `functions.` and
`tools.` prefixes, `\\_`, a trailing `:0` or `()`, the words around it in «使用 X 工具»; then, where that stays unique, without
regard to case, `.`, `_`, `-` and blanks, as the last part of a namespaced name, and behind the name of an MCP
server.  Never by edit distance: a wrong tool is worse than a lost call, so a near miss goes back to the model with the nearest
names.
"""

from __future__ import annotations

import difflib
import marshal
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from react_agent.errors import UsageError
from react_agent.messages import Fix, ToolSpec
from react_agent.repair.as_is import Test, as_is
from react_agent.schema import MAX_KEPT, Checker, Prepared, prepared

MAX_NAME = 128
_PREFIX = re.compile(r"(?:functions?|tools?|api|default_api|tool_call|call)\s*[.:/]\s*", re.I)
_SERVER = re.compile(r"(?:\w+[:.])?mcp(?:__|[:./]).*(?:__|[:./])", re.I | re.S)
"""The server of a tool as clients write it: `mcp__files__`, `google:mcp:files:`."""
_INDEX = re.compile(r"\s*(?::\d+|[（(][^()（）]{0,40}[)）])[\s`*\"']*\Z")
_WRAPPED = re.compile(
    r"(?:使用|调用|执行|运行|use|call|using|the)\s*(?:工具|函数|tool|function)?\s*[:：]?\s*|\s*(?:工具|函数|tool|function)\s*",
    re.I,
)
_REMARK = re.compile(r"\s*(?:\s#|//|</?[\w:]+/?>|<\|).*\Z", re.S)
_DECORATION = " \t\r\n\"'`*“”‘’「」『』【】[]<>《》{}（）#:：;；,，。.!！"
_SEPARATORS = re.compile(r"[\s._\-/:]+")


@dataclass(frozen=True)
class Declared:
    """A tool as the parser needs it; the schema is cleaned and compiled on first use."""

    spec: ToolSpec

    @property
    def name(self) -> str:
        return self.spec.name

    @cached_property
    def _prepared(self) -> Prepared:
        return prepared(self.spec.parameters or {"type": "object", "properties": {}})

    @property
    def schema(self) -> dict[str, Any]:
        return self._prepared.schema

    @property
    def checker(self) -> Checker:
        return self._prepared.checker

    @cached_property
    def fits_as_is(self) -> Test:
        """Tells of arguments whether nothing of them has to be bent and nothing is wrong with them."""
        return as_is(self.schema)

    @cached_property
    def properties(self) -> dict[str, Any]:
        found = self.schema.get("properties")
        return dict(found) if isinstance(found, Mapping) else {}

    @cached_property
    def required(self) -> tuple[str, ...]:
        return tuple(self.schema.get("required", ()))

    @cached_property
    def _folded_keys(self) -> frozenset[str]:
        return frozenset(fold(key) for key in self.properties)

    def takes(self, key: str) -> bool:
        """Is `key` a parameter, whatever its case and separators; any key is one where the schema names none but takes some."""
        return fold(key) in self._folded_keys or self.takes_any

    @cached_property
    def takes_any(self) -> bool:
        """Does the schema take members that it does not name?"""
        opens = self.schema.get("additionalProperties")
        return opens is True or isinstance(opens, Mapping) or "patternProperties" in self.schema

    @cached_property
    def only_parameter(self) -> str | None:
        """The one parameter that a bare input must be: the only required one, or the only one."""
        if len(self.required) == 1:
            return self.required[0]
        return next(iter(self.properties)) if len(self.properties) == 1 else None


class ToolNames:
    """The declared tools of one parse, found by written name."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self.tools = {spec.name: Declared(spec) for spec in specs}

    @cached_property
    def _foldings(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        return _foldings(tuple(self.tools))

    def find(self, written: str) -> tuple[Declared, tuple[Fix, ...]] | None:
        """The tool that `written` means, and what had to be overlooked."""
        exact = self.tools.get(written)
        if exact is not None:
            return exact, ()
        return self._meant(written) if isinstance(written, str) and len(written) <= MAX_NAME else None

    @cached_property
    def _meant(self) -> Callable[[str], tuple[Declared, tuple[Fix, ...]] | None]:
        """As `_look_up`; the same words are asked for in every reply."""
        return lru_cache(maxsize=256)(self._look_up)

    def _look_up(self, written: str) -> tuple[Declared, tuple[Fix, ...]] | None:
        """The tool that is meant by a word that is no name."""
        for bare in _undecorated(written):
            if bare in self.tools:
                return self.tools[bare], (Fix("name_decoration", note=written),)
        spellings, ends = self._foldings
        for bare in _undecorated(written):
            folded = fold(bare)
            if folded and (name := spellings.get(folded)):
                return self.tools[name], (Fix("name_spelling", note=written),)
            if folded and (name := ends.get(folded)):
                return self.tools[name], (Fix("name_namespace", note=written),)
        bare = _SERVER.sub("", written.strip(_DECORATION), count=1)
        return (self.tools[bare], (Fix("name_namespace", note=written),)) if bare in self.tools else None

    def nearest(self, written: str, count: int = 3) -> list[str]:
        """Declared names that look like `written`, nearest first; for feedback only."""
        return difflib.get_close_matches(written[:MAX_NAME], list(self.tools), n=count, cutoff=0.5)


@lru_cache(maxsize=1024)
def fold(name: str) -> str:
    """A name without regard to case, width and separators."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", name)).casefold()


def names_of(tools: Iterable[Any] | ToolNames) -> ToolNames:
    """The names of tools in any shape that `as_specs` takes; made once for tools of the same content that are plain dicts.

    Raises:
        UsageError: as `as_specs`.
    """
    if isinstance(tools, ToolNames):
        return tools
    given = list(tools)
    try:
        content = marshal.dumps(given, _WITHOUT_IDENTITY)
    except ValueError:  # no plain data
        return ToolNames(as_specs(given))
    return _names_in(content) if len(content) <= _MAX_KEPT_SIZE else ToolNames(as_specs(given))


_WITHOUT_IDENTITY = 2
"""The version of `marshal` that writes equal data alike, whatever is shared in it."""
_MAX_KEPT_SIZE = 64_000


@lru_cache(maxsize=MAX_KEPT)
def _names_in(content: bytes) -> ToolNames:
    """The names of the tools written as `content`: of a copy, so that later changes of the caller's change nothing."""
    return ToolNames(as_specs(marshal.loads(content)))


def as_specs(tools: Iterable[Any]) -> tuple[ToolSpec, ...]:
    """Tools in any accepted shape: `ToolSpec`, anything with name, description and parameters, OpenAI dicts, plain dicts.

    Raises:
        UsageError: an entry has none of these shapes, or two tools have one name.
    """
    specs = tuple(_as_spec(tool) for tool in tools)
    seen: set[str] = set()
    for spec in specs:
        if spec.name in seen:
            raise UsageError(f"two tools are named {spec.name!r}: give one of them another name")
        seen.add(spec.name)
    return specs


def _as_spec(tool: Any) -> ToolSpec:
    if isinstance(tool, ToolSpec):
        return tool
    if isinstance(tool, Mapping):
        inner = tool.get("function", tool)
        if isinstance(inner, Mapping) and isinstance(inner.get("name"), str):
            return ToolSpec(inner["name"], inner.get("description") or "", dict(inner.get("parameters") or {}))
    elif isinstance(getattr(tool, "name", None), str) and isinstance(getattr(tool, "parameters", None), Mapping):
        return ToolSpec(tool.name, str(getattr(tool, "description", "")), dict(tool.parameters))
    raise UsageError(f"not a tool: {tool!r:.80}; expected a Tool, an OpenAI tool dict or a dict with name and parameters")


@lru_cache(maxsize=1024)
def _undecorated(written: str) -> tuple[str, ...]:
    bare = unicodedata.normalize("NFC", written).replace("\\_", "_").strip()
    steps = [bare.strip(_DECORATION)]
    for undecorate in (lambda name: _REMARK.sub("", name), lambda name: _INDEX.sub("", name), _without_prefix):
        bare = undecorate(bare).strip()
        steps.append(bare.strip(_DECORATION))
    steps.append(_WRAPPED.sub("", bare).strip(_DECORATION))
    return tuple(dict.fromkeys(step for step in steps if step))


def _without_prefix(name: str) -> str:
    name = name.strip(_DECORATION)
    match = _PREFIX.match(name)
    return name[match.end() :] if match else name


def _namespace_ends(name: str) -> list[str]:
    """`mcp__files__search` → `search`, `files__search`; `files.search` → `search`."""
    parts = re.split(r"__|[./]", name)
    return ["__".join(parts[index:]) for index in range(1, len(parts)) if parts[index]]


@lru_cache(maxsize=256)
def _foldings(names: tuple[str, ...]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The names by their folded form, and by the folded end of a namespaced one, where these are unique."""
    return (
        _unique((fold(name), name) for name in names),
        _unique((fold(end), name) for name in names for end in _namespace_ends(name)),
    )


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str | None] = {}
    for key, name in pairs:
        found[key] = name if found.get(key, name) == name else None
    return {key: name for key, name in found.items() if name is not None}
