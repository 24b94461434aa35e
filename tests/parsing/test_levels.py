"""Three levels of strictness, and hints: what each takes, and what none may change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from react_agent import Parser, parse
from react_agent.errors import UsageError
from react_agent.parsing.evidence import STRONG
from react_agent.parsing.manner import Strictness
from tests.vectors import TOOLS, load
from tests.vectors.judging import faults

from .invariants import sound

FILE = Path(__file__).parent.parent / "vectors" / "levels.jsonl"
LEVELS: tuple[Strictness, ...] = ("strict", "normal", "loose")
CASES = load()
WRONG_HINTS = ("llama3_json", "pythonic", "bare_json", "generic_keys", "Qwen3-Coder-30B", "a model nobody knows")


def levels() -> list[Any]:
    cases = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=f"{number}-{case['id']}") for number, case in enumerate(cases, start=1)]


@pytest.mark.parametrize("case", levels())
def test_levels_and_hints(case: dict[str, Any]) -> None:
    text, tools = case["text"], TOOLS[case["tools"]]
    for level in LEVELS:
        assert not faults(parse(text, tools, level), case[level], text), f"{level}: {case['why']}"
    for hint, expect in case.get("hints", {}).items():
        assert not faults(parse(text, tools, dialect=hint), expect, text), f"{hint}: {case['why']}"


def test_strict_takes_nothing_weak_and_mends_nothing() -> None:
    for case in CASES:
        parsed = parse(case.text, case.tools, "strict")
        assert all(call.evidence in STRONG and not call.fixes for call in parsed.calls), case
        whole = [call for call in parse(case.text, case.tools).calls if call.evidence in STRONG and not call.fixes]
        assert all(call in whole for call in parsed.calls), case


def test_loose_calls_are_sound_and_change_nothing_that_was_sure() -> None:
    for case in CASES:
        normal, loose = parse(case.text, case.tools), parse(case.text, case.tools, "loose")
        if not case.known("sound"):
            sound(loose, case.text, case.tools)
        if any(call.evidence in STRONG for call in normal.calls) or normal.cut:
            assert loose == normal, case


def test_a_wrong_hint_changes_nothing_that_was_sure() -> None:
    for case in CASES:
        normal = parse(case.text, case.tools)
        if any(call.evidence in STRONG for call in normal.calls):
            assert all(parse(case.text, case.tools, dialect=hint) == normal for hint in WRONG_HINTS), case


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_the_same_in_pieces(level: Strictness) -> None:
    for case in (case for case in CASES[::5] if not case.known("cut")):
        parser = Parser(case.tools, strictness=level)
        for char in case.text:
            parser.feed(char)
        assert parser.result == parse(case.text, case.tools, level), case


def test_no_such_level() -> None:
    with pytest.raises(UsageError, match="no such strictness: 'lax'"):
        parse("", strictness="lax")  # type: ignore[arg-type]  # what a user without types might write
