from __future__ import annotations

import pytest

from react_agent.messages import ToolSpec
from react_agent.prompting.samples import sample, sample_arguments
from react_agent.schema import checker

from .specs import TOOLSETS


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("tools", TOOLSETS.values(), ids=TOOLSETS)
def test_samples_satisfy_the_schema(tools: tuple[ToolSpec, ...], lang: str) -> None:
    for tool in tools:
        assert checker(tool.parameters).problems(sample_arguments(tool, lang)) == ()


def test_the_schema_own_examples_come_first() -> None:
    assert sample({"type": "string", "examples": ["B-7"], "default": "A"}, "en") == "B-7"
    assert sample({"type": "integer", "default": 4}, "en") == 4
    assert sample({"const": "fixed"}, "en") == "fixed"


def test_hostile_sizes_are_bounded() -> None:
    assert len(sample({"type": "array", "minItems": 10**9, "items": {"type": "null"}}, "en")) <= 100
    assert len(sample({"type": "string", "minLength": 10**9}, "en")) <= 100
    deep: dict = {"type": "string"}
    for _ in range(5_000):
        deep = {"type": "array", "items": deep}
    assert sample(deep, "en")
