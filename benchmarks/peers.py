"""Other parsers on the same texts, in the same run: `python -m benchmarks peers [FOLDER [COUNT]]`.

Each gets what its users would give it: the JSON parsers the text from the first bracket, then the usual keys of a call; the
parsers of agent frameworks the whole reply.  Calls of tools that were not offered are dropped, as a user's dispatch does.
Those that are not installed are left out; the extra `peers` has them all.  Time is CPU time with everything that a first use of
a tool costs; every parser is warmed up by a few texts before.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from react_agent import parse

from .corpus import Sample, recorded, vectors
from .row import Row

Found = list[tuple[str, Any]]
Read = Callable[[str, list[dict[str, Any]]], Found]

HALF = 0.5
_NAMES = ("name", "action", "tool", "tool_name", "function_name", "function")
_ARGUMENTS = ("arguments", "action_input", "parameters", "args", "params", "tool_input", "input")
_WARM_UP = 50


def measure(arguments: Sequence[str] = ()) -> Iterator[Row]:
    """The table, printed; and how our time compares with that of json_repair."""
    folder, count = (Path(arguments[0]) if arguments else None), int(arguments[1]) if len(arguments) > 1 else 2_000
    samples = recorded(folder, count) if folder else vectors()
    totals: dict[str, float] = {}
    print(f"{'parser':<22} {'total s':>8} {'ms/reply':>9} {'right %':>8} {'raised':>7}   over {len(samples)} replies")
    for name, make in PEERS.items():
        try:
            read = make()
        except ImportError:
            continue
        totals[name], right, raised = _run(read, samples)
        mean = totals[name] / len(samples) * 1000
        print(f"{name:<22} {totals[name]:8.2f} {mean:9.3f} {100 * right / len(samples):8.1f} {raised:7}", flush=True)
    if "json_repair" in totals:
        yield Row("parse: total time / json_repair", totals["react_agent"] / totals["json_repair"], HALF)


def _run(read: Read, samples: Sequence[Sample]) -> tuple[float, int, int]:
    """CPU seconds, how often the calls were right, how often the parser raised something that its users would not expect."""
    for sample in samples[:_WARM_UP]:
        _try(read, sample)
    spent, right, raised = 0.0, 0, 0
    for sample in samples:
        start = time.process_time()
        found = _try(read, sample)
        spent += time.process_time() - start
        raised += found is None
        right += found is not None and sample.right(found)
    return spent, right, raised


def _try(read: Read, sample: Sample) -> Found | None:
    try:
        return read(sample.text, sample.tools)
    except Exception:  # whatever a peer raises must not end the comparison
        return None


def _offered(found: Found, tools: list[dict[str, Any]]) -> Found:
    names = {tool["name"] for tool in tools}
    return [(name, arguments) for name, arguments in found if name in names]


def _calls_in(value: Any) -> Found:
    """The calls in a value, by the usual keys."""
    if isinstance(value, list):
        return [call for item in value for call in _calls_in(item)]
    if not isinstance(value, Mapping):
        return []
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    arguments = next((value[key] for key in _ARGUMENTS if key in value), None)
    if name is not None and isinstance(arguments, str):
        arguments = _decoded(arguments)
    return [(name, arguments)] if name is not None and isinstance(arguments, dict) else []


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


# --- the parsers; each import happens in the maker, which may fail --------------------------------------------------


def _ours() -> Read:
    return lambda text, tools: [(call.name, call.arguments) for call in parse(text, tools).calls]


def _json_repair() -> Read:
    loads: Any = importlib.import_module("json_repair").loads

    def read(text: str, tools: list[dict[str, Any]]) -> Found:
        start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=0)
        return _offered(_calls_in(loads(text[start:])), tools)

    return read


def _langchain() -> Read:
    logging.disable(logging.WARNING)  # it tells of every reply that holds more than one action
    parsers: Any = importlib.import_module("langchain_classic.agents.output_parsers")
    error = importlib.import_module("langchain_core.exceptions").OutputParserException
    chain = [
        parsers.ReActJsonSingleInputOutputParser(),
        parsers.ReActSingleInputOutputParser(),
        parsers.JSONAgentOutputParser(),
        parsers.XMLAgentOutputParser(),
    ]

    def read(text: str, tools: list[dict[str, Any]]) -> Found:
        for parser in chain:
            try:
                step = parser.parse(text)
            except (error, ValueError):
                continue
            given = getattr(step, "tool_input", None)
            arguments = _decoded(given) if isinstance(given, str) else given
            if found := _offered([(getattr(step, "tool", ""), arguments)], tools):
                return found
        return []

    return read


def _smolagents() -> Read:
    from_text: Any = importlib.import_module("smolagents.models").get_tool_call_from_text

    def read(text: str, tools: list[dict[str, Any]]) -> Found:
        for name, arguments in (("name", "arguments"), ("name", "parameters"), ("action", "action_input")):
            try:
                function = from_text(text, name, arguments).function
            except (ValueError, AssertionError):
                continue
            if found := _offered([(function.name, function.arguments)], tools):
                return found
        return []

    return read


def _baml() -> Read:
    os.environ.setdefault("BAML_LOG", "off")
    return importlib.import_module(".baml", __package__).reader()  # type: ignore[no-any-return]


PEERS: dict[str, Callable[[], Read]] = {
    "react_agent": _ours,
    "json_repair": _json_repair,
    "langchain": _langchain,
    "smolagents": _smolagents,
    "baml": _baml,
}
