"""Phrases are data: each stands once, in the form in which it is looked for, with its source."""

from __future__ import annotations

import pytest

from react_agent.models.wordings import FIELDS, REFUSALS, SIGNS, Meaning, Refusal, Sign, means, normal


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.says)
def test_every_sign_is_found_and_well_formed(sign: Sign) -> None:
    assert means(f'Error: "{sign.says.capitalize()}".', sign.means)
    assert sign.says == normal(sign.says)
    assert sign.source


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.says)
def test_every_refusal_is_found_beside_a_field(refusal: Refusal) -> None:
    assert means(f"{refusal.says}: 'stop'", "stop")
    assert not means(refusal.says, "stop")
    assert refusal.says == normal(refusal.says)
    assert refusal.source


def test_each_phrase_stands_once() -> None:
    for phrases in ([sign.says for sign in SIGNS], [refusal.says for refusal in REFUSALS]):
        assert len(set(phrases)) == len(phrases)


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("the model stopped: not supported", "stop"),
        ("parallel_tool_calls is not supported", "tools"),
        ("parallel_tool_calls is not supported", "tool_choice"),
        ("max_completion_tokens is not supported", "max_tokens"),
        ("reasoning_content is not allowed", "thinking"),
        ("temperatures are not supported", "temperature"),
        ("stop is a nice word", "stop"),
        ("unsupported", "stop"),
        ("", "stop"),
    ],
)
def test_a_name_counts_only_as_a_whole_and_beside_a_refusal(words: str, meaning: Meaning) -> None:
    assert not means(words, meaning)


@pytest.mark.parametrize("quote", ["'{}'", '"{}"', "`{}`", "“{}”", "{}", "body.{}:", "({})"])
@pytest.mark.parametrize("meaning", FIELDS)
def test_quotes_and_places_around_a_name_do_not_matter(quote: str, meaning: Meaning) -> None:
    for name in FIELDS[meaning]:
        assert means(f"{quote.format(name)} Extra inputs are not permitted", meaning)


def test_normal_keeps_the_apostrophe_inside_a_word() -> None:
    assert normal("The Model’s 'role' is `x`, the models' too") == "the model's role is x, the models too"
