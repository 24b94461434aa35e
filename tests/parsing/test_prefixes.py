"""A value cut in the middle is never completed by guess: every prefix of a reply calls nothing, or what the reply calls.

Where only closers are missing a call may be there, with arguments that were complete.  Inputs written as bare text are left
out: nobody can tell where such a text was to end.
"""

from __future__ import annotations

from typing import Any

import pytest

from react_agent import parse
from tests.vectors import Case, load
from tests.vectors.judging import same

SOUND = """
    house-good house-two-lines blob-good hermes-good func-json-open llama-json only-arguments python-none-dropped
    house-answer-quotes-call house-array house-args-text house-fullwidth house-comment blob-labels blob-list
    blob-thought zh-mixed call-good call-json cohere-r hermes-parallel hermes-two-in-one hermes-python-body
    hermes-fenced-body hermes-text-args coder-good coder-list coder-parallel seed-good glm-good glm-types
    longcat-pairs hunyuan-list invoke-good invoke-two olmo-good minimax2-good minimax1-lines minimax3-list dsml-good
    dsml-json minicpm-good functioncall-glaive ds3-two ds31-two kimi2-two kimi3-good mistral-list-two mistral-args-two
    llama-semicolon pythonic-good harmony-two functionary-all glm4-good chatglm3-good functools-two internlm-good
    gemma-code functiongemma lfm2-good apertus plamo pangu fence-two fence-list bare-pretty bare-lines openai-good
    openai-message keyed-two generic-flat xlam-list think-call latex-backslash emoji-value windows-path python-dict
    positional-one en-good md-bold flower-good dspy-good flower-parallel pythonic-many cline-good cline-two schema-value
    list-items list-to-text zh-good md-numbers md-bold-outside bracket-inner en-blank-lines
"""
CASES = {case.id: case for case in load()}


def part_of(some: Any, whole: Any) -> bool:
    """`whole` with nothing changed, but maybe with members or items missing at the end."""
    if isinstance(some, dict) and isinstance(whole, dict):
        return all(key in whole and part_of(value, whole[key]) for key, value in some.items())
    if isinstance(some, list) and isinstance(whole, list):
        return 0 < len(some) <= len(whole) and all(map(part_of, some, whole))
    return same(some, whole)


@pytest.mark.parametrize("case", [pytest.param(CASES[name], id=name) for name in SOUND.split()])
def test_prefixes(case: Case) -> None:
    meant = parse(case.text, case.tools).calls
    for size in range(1, len(case.text)):
        calls = parse(case.text[:size], case.tools).calls
        assert len(calls) <= len(meant), case.text[:size]
        for call, want in zip(calls, meant, strict=False):
            assert call.name == want.name, case.text[:size]
            assert part_of(call.arguments, want.arguments), f"{case.text[:size]!r} calls {call.arguments}"
