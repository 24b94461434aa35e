"""A tool in one line, for a model that reads text: never its raw JSON Schema, which small models copy as arguments.

    get_weather(city: string) — 当用户询问某个城市的天气时调用
    search_docs(query: string, max_results?: integer 1..10 = 3) — Searches the documents. query: words to look for

In: a `ToolSpec`.  Out: name, parameters with types, ranges, choices and defaults, the description on one line, and what is
said of parameters where it says more than their names.  Examples («例如 A1001», "e.g. Paris") are taken out of the
words: a small model takes them for the user's values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from react_agent.messages import ToolSpec
from react_agent.schema import type_name

MAX_DESCRIPTION = 400
MAX_PARAMETER_DOC = 120
_BLANKS = re.compile(r"\s+")
_EXAMPLE = re.compile(
    r"[，,、；;]?\s?[（(]?(?:例如|比如|譬如|\be\.g\.|\bfor example\b|\bfor instance\b|\bsuch as\b)"
    r"(?:(?!\.(?:\s|$))[^。；;）)\n])*[）)]?",
    re.IGNORECASE,
)


def signature(spec: ToolSpec) -> str:
    """The line for one tool; types are in English in every language, as in code."""
    properties = _properties(spec.parameters)
    required = spec.parameters.get("required", ())
    parameters = ", ".join(_parameter(name, schema, name in required) for name, schema in properties.items())
    words = [_one_line(spec.description, MAX_DESCRIPTION), *_docs(properties)]
    doc = " ".join(filter(None, words))
    return f"{spec.name}({parameters})" + (f" — {doc}" if doc else "")


def _properties(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = parameters.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _parameter(name: str, schema: Any, required: bool) -> str:
    text = f"{name}{'' if required else '?'}: {type_name(schema)}"
    default = schema.get("default") if isinstance(schema, Mapping) else None
    return text if default is None else f"{text} = {json.dumps(default, ensure_ascii=False)}"


def _docs(properties: Mapping[str, Any]) -> Iterator[str]:
    for name, schema in properties.items():
        doc = _one_line(schema.get("description", ""), MAX_PARAMETER_DOC) if isinstance(schema, Mapping) else ""
        if doc and _bare(doc) != _bare(name):
            yield f"{name}: {doc}"


def _one_line(text: Any, limit: int) -> str:
    words = _BLANKS.sub(" ", _EXAMPLE.sub("", str(text))).strip()
    return words if len(words) <= limit else words[: limit - 1] + "…"


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
