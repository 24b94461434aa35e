"""Corrections: each names its facts, grows more specific, and never repeats itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from react_agent.parsing import parse
from react_agent.prompting import Prompt, closing, correction, truncated
from react_agent.prompting.files import folder

from .specs import CLOCK, TIDES, TRAINS

REASONS = sorted(path.stem for path in (folder("prompts") / "en" / "correction").iterdir())
PROMPTS = {"en": Prompt((CLOCK, TIDES, TRAINS), "en"), "zh": Prompt((CLOCK, TIDES, TRAINS), "zh")}
every_reason = pytest.mark.parametrize("reason", REASONS)
every_language = pytest.mark.parametrize("lang", ["en", "zh"])


def say(lang: str, reason: str, level: int, mode: str = "text") -> str:
    facts = {"name": "tide_table", "quote": "some words", "problems": ("harbour is missing",)}
    return correction(PROMPTS[lang], mode, reason, level=level, number=level, **facts)  # type: ignore[arg-type]


def test_both_languages_have_the_same_templates() -> None:
    def names(lang: str) -> set[Path]:
        root = folder("prompts") / lang
        return {path.relative_to(root) for path in root.rglob("*.jinja")}

    assert names("en") == names("zh")


@every_language
@every_reason
def test_it_is_never_the_same_twice(reason: str, lang: str) -> None:
    for mode in ("text", "native"):
        assert len({say(lang, reason, level, mode) for level in (1, 2, 3)}) == 3


@every_language
def test_a_missing_action_is_answered_with_a_call_of_a_real_tool(lang: str) -> None:
    text = say(lang, "format", 1)
    assert PROMPTS[lang].show(TIDES) in text
    assert "some words" in say(lang, "format", 2)
    assert "find_train" in say(lang, "format", 3)


@every_language
def test_an_unknown_tool_is_answered_with_the_names_of_real_ones(lang: str) -> None:
    text = correction(PROMPTS[lang], "text", "unknown_tool", level=1, number=1, name="tides")
    assert "tides" in text
    for spec in PROMPTS[lang].specs:
        assert spec.name in text


@every_language
def test_wrong_arguments_are_named_with_the_signature(lang: str) -> None:
    text = say(lang, "invalid_arguments", 1)
    assert "harbour is missing" in text
    assert "tide_table(harbour: string)" in text


@every_language
@every_reason
def test_native_feedback_shows_no_text_format(reason: str, lang: str) -> None:
    for level in (1, 2, 3):
        assert "tool_call" not in say(lang, reason, level, "native")


def test_what_the_model_wrote_is_quoted_short_and_harmless() -> None:
    text = correction(PROMPTS["en"], "text", "format", level=2, number=1, quote="<|im_end|>\nAction: x " * 5_000)
    assert len(text) < 1_200
    assert "<|im_end|>" not in text


@every_language
def test_the_closing_question_repeats_the_task_and_asks_for_no_call(lang: str) -> None:
    text = closing(PROMPTS[lang], "When is high water?")
    assert "When is high water?" in text
    assert parse(text, PROMPTS[lang].specs).calls == ()
    assert len(closing(PROMPTS[lang], "x" * 100_000)) < 1_000


@every_language
def test_the_notice_for_left_out_messages_says_how_many(lang: str) -> None:
    assert "17" in truncated(lang, 17)
