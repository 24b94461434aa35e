"""Few-shot examples: neutral runs from `fewshot/`, played by the tools of this run.

In: the examples of a language and the run's tools.  Out: neutral messages, which `history` renders like any others, so an
example is always written exactly as the model shall write.  An example names its tools by number: `{tool1}`, `{tool2}`;
arguments come from `samples`, so they are visibly not the user's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from react_agent.messages import Call, Message, Result, ToolSpec
from react_agent.parsing.dialects import render

from . import files
from .samples import sample_arguments


def shots(specs: Sequence[ToolSpec], *, lang: str, dialect: str, count: int) -> tuple[Message, ...]:
    """The first `count` examples that these tools can play."""
    playable = (example for example in files.examples(lang) if example["tools"] <= len(specs))
    played = (message for example in islice(playable, count) for message in _play(example, specs, lang, dialect))
    return tuple(played)


def _play(example: Mapping[str, Any], specs: Sequence[ToolSpec], lang: str, dialect: str) -> Iterator[Message]:
    cast = {f"tool{number}": spec.name for number, spec in enumerate(specs, 1)}
    yield Message("user", example["task"].format(**cast))
    for step in example["steps"]:
        calls = tuple(_call(specs[number - 1], lang) for number in step["calls"])
        content = render(dialect, thought=step["thought"].format(**cast), calls=calls, lang=lang)
        yield Message("assistant", content, calls)
        for call, result in zip(calls, step["results"], strict=True):
            yield Message("tool", result=Result(call.id, call.name, result))
    answer = render(dialect, thought=example["thought"].format(**cast), answer=example["answer"].format(**cast), lang=lang)
    yield Message("assistant", answer)


def _call(spec: ToolSpec, lang: str) -> Call:
    return Call(spec.name, sample_arguments(spec, lang))
